/** Terraform's own client keeps requests for a token: refuses plans and writes that leave it none. */
import { attributePath } from "../../../formats/cty/path";
import { mayLimit, ownLimit, ownLimitFacts, type OwnLimit } from "../../../judge/impact/rate-limit-policy/own-client";
import { factWords } from "../../../judge/impact/words/words";
import { ofOwnLimit, refusedBy } from "../../../judge/impact/refusals";
import type { Values } from "../../../judge/impact/model";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { RateLimitPolicy } from "../../../tenant/rate-limit-policies";
import { permitted, type Statements } from "./statements";

/** A change that may concern Terraform's own client: `becomes`, the policy after it; `was`, the one before it. */
interface Concern {
  readonly was?: object | undefined;
  readonly becomes?: object | undefined;
}

/** Whether the change may limit Terraform's own client. */
export const isLimiting = ({ own: { client } }: Pick<Statements, "own">, { was, becomes }: Concern): boolean =>
  client !== undefined && mayLimit(client, was as Values, becomes as Values);

interface WriteGuard {
  refusal(before: readonly RateLimitPolicy[], after: readonly RateLimitPolicy[]): Error | undefined;
}

/** Undefined: the write cannot lock out. */
export function ownLimitGuard(statements: Statements, concern: Concern): WriteGuard | undefined {
  const { own, builtIn } = statements;
  const client = own.client!;
  const isGuarded = builtIn.some(
    (stated) => stated.statement.kind === "own limit" && refusedBy({ refuses: true }, { stated, isEnforced: true }),
  );
  if (!isGuarded || !isLimiting(statements, concern)) return undefined;
  const plain = (policies: readonly RateLimitPolicy[]) => policies as readonly object[] as readonly Values[];
  return {
    refusal(before, after) {
      const limit = ownLimit(plain(before), plain(after), client);
      return limit && ofOwnLimit(limit).refuses ? refusalOf(limit, client, concern) : undefined;
    },
  };
}

function refusalOf(limit: OwnLimit, id: string, { becomes }: Concern): DiagnosticError {
  const detail =
    `${factWords(ownLimitFacts(limit, id))} The provider waited for other changes of this apply, but none came that prevents this. It did not ` +
    `send this write, so the state is still true. ${permitted} [TNF-LIMIT-LOCKOUT]`;
  return new DiagnosticError("TNF-STEP-LOCKOUT", detail, becomes ? attributePath("configuration") : []);
}
