/** Terraform's own client keeps requests for a token: refuses plans and writes that leave it none. */
import { attributePath } from "../../../formats/cty/path";
import {
  mayLimit,
  ownLimit,
  ownLimitFacts,
  type OwnClient,
  type OwnLimit,
} from "../../../judge/impact/rate-limit-policy/own-client";
import { factWords } from "../../../judge/impact/words/words";
import { ofOwnLimit } from "../../../judge/impact/refusals";
import type { Values } from "../../../judge/impact/model";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { RateLimitPolicy } from "../../../tenant/rate-limit-policies";
import { permitted, strengthOf, type Statements } from "./statements";

/** A change that may concern Terraform's own client: `becomes`, the policy after it; `was`, the one before it. */
interface Concern {
  readonly was?: object | undefined;
  readonly becomes?: object | undefined;
}

/** Undefined: nothing guards its limit. */
export function ownClientOf({
  own: { client: id },
  ...settings
}: Pick<Statements, "own" | "lockout_guard">): (OwnClient & { readonly id: string }) | undefined {
  const strength = strengthOf(settings);
  return id === undefined || strength === undefined ? undefined : { id, strength };
}

/** The client, if the change may limit it. */
export function limitedBy(statements: Statements, { was, becomes }: Concern): ReturnType<typeof ownClientOf> {
  const client = ownClientOf(statements);
  return client && mayLimit(client.id, was as Values, becomes as Values) ? client : undefined;
}

interface WriteGuard {
  refusal(before: readonly RateLimitPolicy[], after: readonly RateLimitPolicy[]): Error | undefined;
}

/** Undefined: the write cannot lock out. */
export function ownLimitGuard(statements: Statements, concern: Concern): WriteGuard | undefined {
  const client = limitedBy(statements, concern);
  if (client?.strength !== "error") return undefined;
  const plain = (policies: readonly RateLimitPolicy[]) => policies as readonly object[] as readonly Values[];
  return {
    refusal(before, after) {
      const limit = ownLimit(plain(before), plain(after), client.id);
      return limit && ofOwnLimit(limit).refuses ? refusalOf(limit, client.id, concern) : undefined;
    },
  };
}

function refusalOf(limit: OwnLimit, id: string, { becomes }: Concern): DiagnosticError {
  const detail =
    `${factWords(ownLimitFacts(limit, id))} The provider waited for other changes of this apply, but none came that prevents this. It did not ` +
    `send this write, so the state is still true. ${permitted} [TNF-LIMIT-LOCKOUT]`;
  return new DiagnosticError("TNF-STEP-LOCKOUT", detail, becomes ? attributePath("configuration") : []);
}
