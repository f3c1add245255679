/** Terraform's own client keeps requests for a token: refuses plans and writes that leave it none. */
import { attributePath } from "../../../formats/cty/path";
import { mayLimit, ownLimit, ownLimitFacts, type OwnLimit } from "../../../judge/impact/rate-limit-policy/own-client";
import { factWords } from "../../../judge/impact/words/words";
import { ofOwnLimit } from "../../../judge/impact/refusals";
import type { Values } from "../../../judge/impact/model";
import type { States } from "../../../judge/impact/state";
import type { Strength } from "../../../judge/impact/statement/protected-request";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { RateLimitPolicy } from "../../../tenant/rate-limit-policies";
import { permitted, type Problem, type Settings, type Statements } from "./statements";

const code = "[TNF-LIMIT-LOCKOUT]";

/** A write that may concern Terraform's own client: `becomes`, the policy after it; `was`, the one before it. */
interface Concern {
  readonly was?: object | undefined;
  readonly becomes?: object | undefined;
}

interface OwnClient {
  readonly id: string;
  readonly strength: Strength;
}

/** The clients that the write may limit. */
export const clientsOf = ({ settings }: Statements, concern: Concern): OwnClient[] =>
  settings.flatMap(({ own: { client: id }, lockout_guard: strength = "error" }: Settings) => {
    if (id === undefined || strength === "off" || !mayLimit(id, concern.was as Values, concern.becomes as Values))
      return [];
    return [{ id, strength: typeof strength === "symbol" ? "warn" : strength }];
  });

/** `states`: with all policies of the tenant. */
export function limitProblems({ id, strength }: OwnClient, { before, after }: Required<States>): Problem[] {
  const [were, are] = [before, after].map(({ policies }) => policies!.map(({ values }) => values));
  const limit = ownLimit(were!, are!, id);
  if (!limit) return [];
  const { refuses: isNew } = ofOwnLimit(limit);
  const own = after.policies!.filter(({ values }) => values["consumer_selector"] === limit.selector);
  const words = factWords(ownLimitFacts(limit, id));
  const refuses = isNew && strength === "error";
  return [
    {
      key: `limit of ${id}`,
      id: `limit of ${id} ${limit.rate}`,
      title: ["TNF-PLAN-LOCKOUT", `The limit of "${limit.selector}" may block`, ""],
      isNew,
      isOld: false,
      refuses,
      by: own.flatMap((one) => [one.id, one.address]),
      detail: [words, ...(refuses ? [permitted] : []), code].join(" "),
    },
  ];
}

interface WriteGuard {
  refusal(before: readonly RateLimitPolicy[], after: readonly RateLimitPolicy[]): Error | undefined;
}

/** Undefined: the write cannot lock out. */
export function ownLimitGuard(statements: Statements, concern: Concern): WriteGuard | undefined {
  const clients = clientsOf(statements, concern).filter(({ strength }) => strength === "error");
  if (clients.length === 0) return undefined;
  const plain = (policies: readonly RateLimitPolicy[]) => policies as readonly object[] as readonly Values[];
  return {
    refusal(before, after) {
      const [found] = clients.flatMap(({ id }) => {
        const limit = ownLimit(plain(before), plain(after), id);
        return limit && ofOwnLimit(limit).refuses ? [refusalOf(limit, id, concern)] : [];
      });
      return found;
    },
  };
}

function refusalOf(limit: OwnLimit, id: string, { becomes }: Concern): DiagnosticError {
  const detail =
    `${factWords(ownLimitFacts(limit, id))} The provider waited for other changes of this apply, but none came that prevents this. It did not ` +
    `send this write, so the state is still true. ${permitted} ${code}`;
  return new DiagnosticError("TNF-STEP-LOCKOUT", detail, becomes ? attributePath("configuration") : []);
}
