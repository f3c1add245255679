/** Creates, reads, updates, deletes and imports rate limit policies. */
import { rateLimitPolicy as rateLimitPolicyKind } from "../../kinds/rate-limit-policy";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { Resource } from "../../sdk/resource";
import type { RateLimitPolicyBody } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { announcing } from "../expectations/expectations";
import { policyCallFor } from "../expectations/policy-writes";
import { createOrAdopt } from "../identical";
import { rateLimitPolicy } from "./definition";
import { movedRateLimitPolicy } from "./moves";
import { reviewRateLimitPolicy } from "./review";
import { demandFree, forgetSuccession } from "./succession";
import { computedOf, fromWire, toWire } from "./wire";

export const rateLimitPolicyResource: Resource<Client, typeof rateLimitPolicy> = {
  definition: rateLimitPolicy,

  title: ({ id, consumer_selector }) => `rate limit policy ${id} (${consumer_selector ?? "?"})`,

  async create(planned, context) {
    const { rateLimitPolicies } = context.client.tenant;
    forgetSuccession(context.privateState);
    const call = await policyCallFor(context, "create", { becomes: planned });
    const made = await createOrAdopt(
      rateLimitPolicyKind,
      () => rateLimitPolicies.create(toWire(planned), call),
      context,
    );
    return computedOf(made);
  },

  async read({ id }, { client }) {
    const found = await client.tenant.rateLimitPolicies.get(id!);
    return found && fromWire(found);
  },

  async update(planned, prior, context) {
    const { rateLimitPolicies } = context.client.tenant;
    const call = await policyCallFor(context, "update", { was: prior, becomes: { ...prior, ...planned } });
    return computedOf(await rateLimitPolicies.update(prior.id, planned.configuration, call));
  },

  async delete(state, context, successor) {
    if (successor?.id === state.id) return;
    const { expectations, tenant } = context.client;
    await demandFree(context.privateState, state, tenant.rateLimitPolicies);
    const next = successor ? (context.privateState["successor"] as RateLimitPolicyBody | undefined) : undefined;
    const call = await policyCallFor(context, successor ? "replace" : "delete", { was: state }, next);
    await announcing(expectations.successors.policies, next, () => tenant.rateLimitPolicies.delete(state.id, call));
  },

  async import(id, { client }) {
    if (/^rlp_\w{21,22}$/.test(id)) return { id };
    const selector = /^consumer_selector:(.+)$/s.exec(id)?.[1];
    if (selector === undefined) {
      throw new DiagnosticError(
        ["TNF-IMPORT-ID", "a rate limit policy"],
        `"${id}" is not rlp_ followed by 21 characters. Import by id (rlp_…) or by selector ` +
          "(consumer_selector:client_id:abc).",
      );
    }
    const found = (await client.tenant.rateLimitPolicies.list()).filter(
      (policy) => policy.consumer_selector === selector,
    );
    if (found.length === 1) return { id: found[0]!.id };
    throw new DiagnosticError(
      found.length === 0 ? "TNF-NO-POLICY" : "TNF-SEVERAL-POLICIES",
      `The tenant has ${found.length} rate limit policies with the selector ${selector}` +
        (found.length > 1
          ? `: import one of ${found.map((policy) => policy.id).join(", ")} by its id.`
          : ". Check the selector, or import by id (rlp_…)."),
    );
  },

  review: reviewRateLimitPolicy,
  moves: { auth0_rate_limit_policy: movedRateLimitPolicy },
};
