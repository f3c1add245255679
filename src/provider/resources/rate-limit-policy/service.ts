/** Creates, reads, updates, deletes and imports rate limit policies. */
import { rateLimitPolicy as kind } from "../../../judge/kinds/rate-limit-policy";
import type { State } from "../../sdk/definition";
import type { Context, Resource, Stored } from "../../sdk/resource";
import type { PolicyCall } from "../../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { ownLimitGuard } from "../statements/own-limit";
import { enforced } from "../statements/statements";
import { createOrAdopt } from "../claim";
import { listingOf } from "../listing";
import { computedOf, policyFilter, rateLimitPolicy, toWire } from "./definition";
import { reviewRateLimitPolicy } from "./review";
import * as z from "zod";
import { withoutAbsent } from "../../../judge/impact/model";
import { only } from "../schemas";
import type { Operation } from "../statements/words";

const { dataSource, list, importById } = listingOf({
  kind,
  definition: rateLimitPolicy,
  object: z.object({ ...rateLimitPolicy.config.shape, ...rateLimitPolicy.computed.shape }),
  filter: policyFilter,
  all: (tenant) => tenant.rateLimitPolicies.list(),
  ids: { pattern: /^rlp_\w{21,22}$/, form: "rlp_ followed by 21 characters", example: "client_id:abc" },
});
export { dataSource, list };

export const resource: Resource<Client, typeof rateLimitPolicy> = {
  definition: rateLimitPolicy,

  title: ({ id, consumer_selector: selector }) =>
    `rate limit policy ${id}${selector === undefined ? "" : ` (${selector})`}`,

  async create(planned, context) {
    const { rateLimitPolicies } = context.client.tenant;
    const call = await policyCallFor(context, "create", { becomes: planned });
    const made = await createOrAdopt(kind, () => rateLimitPolicies.create(toWire(planned), call), context);
    return computedOf(made);
  },

  read: async ({ id }, { client }) =>
    (await client.tenant.rateLimitPolicies.get(id!)) as State<typeof rateLimitPolicy> | undefined,

  async update(planned, prior, context) {
    const { rateLimitPolicies } = context.client.tenant;
    const call = await policyCallFor(context, "update", { was: prior, becomes: { ...prior, ...planned } });
    return computedOf(await rateLimitPolicies.update(prior.id, planned.configuration, call));
  },

  async delete(state, context, successor) {
    if (successor?.id === state.id) return;
    const call = await policyCallFor(context, successor ? "replace" : "delete", { was: state });
    await context.client.tenant.rateLimitPolicies.delete(state.id, call);
  },

  import: importById,
  review: reviewRateLimitPolicy,
  moves: { auth0_rate_limit_policy: movedRateLimitPolicy },
};

function movedRateLimitPolicy({ configuration: configurations, ...rest }: Stored): Stored {
  const { action, limit, redirect_uri } = only(configurations) ?? {};
  // A limit of 0 is a real limit, except for the action allow, which has none.
  const configuration = { action, ...(action !== "allow" && { limit }), ...withoutAbsent({ redirect_uri }) };
  return { ...rest, configuration };
}

async function policyCallFor(
  { client, otherCalls }: Pick<Context<Client>, "client" | "otherCalls">,
  operation: Operation,
  concern: Parameters<typeof ownLimitGuard>[1],
): Promise<PolicyCall> {
  const { statements } = client;
  const lockout = ownLimitGuard(statements, concern);
  if (enforced(statements, "policy").length === 0) return { guard: lockout, otherCalls };
  const { policyWriteJudge } = await import("../statements/write.js");
  const judge = policyWriteJudge(statements, operation);
  return {
    guard: { refusal: (before, after) => lockout?.refusal(before, after) ?? judge(before, after) },
    otherCalls,
  };
}
