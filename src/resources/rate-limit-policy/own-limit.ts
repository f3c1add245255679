/** Refuses plans and writes that leave Terraform's own client without requests for a token. */
import { attributePath } from "../../cty/path";
import { mayStarve, ownLimit, ownLimitWords, type OwnLimit } from "../../impact/rate-limit-policy/own-client";
import { ofOwnLimit } from "../../impact/refusals";
import type { Values } from "../../impact/model";
import type { Change } from "../../sdk/definition";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { ReviewContext } from "../../sdk/resource";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { conditionOf } from "../conflicts";
import { policyStates } from "../expectations/states";
import { ifReadable } from "../lookup";
import type { rateLimitPolicy } from "./definition";

type Definition = typeof rateLimitPolicy;

const code = "[TNF-LIMIT-LOCKOUT]";
const wayOut = 'If this is meant, set `lockout_guard = "warn"` in the provider block.';

/** A write that may concern Terraform's own client: `becomes`, the policy after it; `was`, the one before it. */
interface Concern {
  readonly was?: object | undefined;
  readonly becomes?: object | undefined;
}

/** Undefined: the write cannot limit the client, or Terraform asks for no token. */
function concernedClient({ ownClient }: Client, { was, becomes }: Concern): string | undefined {
  const { id, strength } = ownClient;
  if (id === undefined || strength === "off") return undefined;
  const isOwn = (values: object) => (values as Values)["consumer_selector"] === `client_id:${id}`;
  const loses = was !== undefined && isOwn(was) && !(becomes && isOwn(becomes));
  return loses || (becomes !== undefined && mayStarve(becomes as Values, id)) ? id : undefined;
}

export async function reviewOwnLimit(change: Change<Definition>, context: ReviewContext<Client>): Promise<void> {
  const { action, prior, planned } = change;
  const { client, plan } = context;
  // An apply judges its writes.
  if (!client || action === "keep" || plan.phase === "apply") return;
  const id = concernedClient(client, { was: prior, becomes: planned });
  if (id === undefined) return;
  const policies = await ifReadable(() => client.tenant.rateLimitPolicies.list());
  if (!policies) return;
  const find = () => {
    const { before, after } = policyStates(policies, plan.changes());
    return ownLimit(valuesOf(before.policies), valuesOf(after.policies), id);
  };
  const refuses = (limit: OwnLimit) => ofOwnLimit(limit, client.ownClient.strength).refuses;
  const { found, isComplete } = await plan.gathered("limit of Terraform's own client", find, refuses);
  const [limit] = found;
  if (!limit || !plan.isFirst(`limit of Terraform's own client ${limit.rate}`)) return;
  const isRefused = refuses(limit) && isComplete;
  const later =
    refuses(limit) && !isComplete ? " Another change of this plan may still prevent this, so the apply decides." : "";
  context.report({
    severity: isRefused ? "error" : "warning",
    code: ["TNF-PLAN-LOCKOUT", "may lock out Terraform itself"],
    detail: [
      ownLimitWords(limit, id) + later,
      ...(isRefused ? [wayOut] : []),
      code + (isRefused ? conditionOf(plan) : ""),
    ].join(" "),
    path: planned?.consumer_selector === limit.selector ? attributePath("configuration") : [],
  });
}

const valuesOf = (policies: readonly { readonly values: Values }[] = []) => policies.map(({ values }) => values);

interface OwnLimitGuard {
  refusal(before: readonly RateLimitPolicy[], after: readonly RateLimitPolicy[]): Error | undefined;
}

/** Undefined: the write cannot lock out. */
export function ownLimitGuard(client: Client, concern: Concern): OwnLimitGuard | undefined {
  const id = concernedClient(client, concern);
  if (id === undefined || client.ownClient.strength !== "error") return undefined;
  const plain = (policies: readonly RateLimitPolicy[]) => policies as readonly object[] as readonly Values[];
  return {
    refusal(before, after) {
      const limit = ownLimit(plain(before), plain(after), id);
      if (!limit || !ofOwnLimit(limit).refuses) return undefined;
      const detail =
        `${ownLimitWords(limit, id)} The provider waited for other changes of this apply, but none came that prevents this. It did not ` +
        `send this write, so the state is still true. ${wayOut} ${code}`;
      return new DiagnosticError("TNF-STEP-LOCKOUT", detail, concern.becomes ? attributePath("configuration") : []);
    },
  };
}
