/** Creates, reads, updates, deletes and imports rate limit policies. */
import { rateLimitPolicy as kind } from "../../kinds/rate-limit-policy";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { Context, DataSource, ListResource, Resource, Stored } from "../../sdk/resource";
import type { PolicyCall, RateLimitPolicyBody } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { announcing, enforced } from "../expectations/expectations";
import { createOrAdopt } from "../identical";
import { computedOf, fromWire, rateLimitPolicy, toWire } from "./definition";
import { demandFree, forgetSuccession, keepsCallers, ownLimitGuard, reviewRateLimitPolicy } from "./review";
import * as z from "zod";
import { attribute, listOf, notesOf } from "../../sdk/attribute";
import { define } from "../../sdk/definition";
import { only, written } from "../moves";
import type { Operation } from "../expectations/words";

export const resource: Resource<Client, typeof rateLimitPolicy> = {
  definition: rateLimitPolicy,

  title: ({ id, consumer_selector }) => `rate limit policy ${id} (${consumer_selector ?? "?"})`,

  async create(planned, context) {
    const { rateLimitPolicies } = context.client.tenant;
    forgetSuccession(context.privateState);
    const call = await policyCallFor(context, "create", { becomes: planned });
    const made = await createOrAdopt(kind, () => rateLimitPolicies.create(toWire(planned), call), context);
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
    const concern = keepsCallers(context.privateState, state) ? {} : { was: state };
    const call = await policyCallFor(context, successor ? "replace" : "delete", concern, next);
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

/* The rate limit policies of the tenant, to look at. */

const known = (name: keyof typeof rateLimitPolicy.config.shape) => {
  const { values, example } = notesOf(rateLimitPolicy.config.shape[name], name);
  return { values, example };
};

const policyFilter = z.object({
  resource: attribute(z.string().optional(), "Return only policies for this API.", known("resource")),
  consumer: attribute(z.string().optional(), "Return only policies for this kind of consumer.", known("consumer")),
  consumer_selector: attribute(
    z.string().optional(),
    "Return only the policy with this selector.",
    known("consumer_selector"),
  ),
});

const rateLimitPolicies = define({
  name: "rate_limit_policies",
  description: "The rate limit policies of the tenant, including unmanaged policies. Early Access.",
  config: policyFilter,
  computed: z.object({
    rate_limit_policies: attribute(
      listOf(z.object({ ...rateLimitPolicy.config.shape, ...rateLimitPolicy.computed.shape })),
      "The policies, sorted by consumer selector.",
    ),
  }),
});

export const dataSource: DataSource<Client, typeof rateLimitPolicies> = {
  definition: rateLimitPolicies,
  async read(filter, { client }) {
    const wanted = Object.entries(filter);
    const found = (await client.tenant.rateLimitPolicies.list()).filter((policy) =>
      wanted.every(([name, value]) => policy[name as keyof typeof filter] === value),
    );
    const sorted = found.toSorted((a, b) => (a.consumer_selector < b.consumer_selector ? -1 : 1));
    return { rate_limit_policies: sorted.map(fromWire) };
  },
};

export const list: ListResource<Client, typeof rateLimitPolicy, typeof policyFilter> = {
  definition: rateLimitPolicy,
  description: "The rate limit policies of the tenant. Early Access.",
  filter: policyFilter,
  async *list(filter, { client }) {
    for await (const page of client.tenant.rateLimitPolicies.pages(filter)) {
      for (const policy of page) {
        yield { title: policy.consumer_selector, known: { id: policy.id }, read: () => fromWire(policy) };
      }
    }
  },
};

function movedRateLimitPolicy({ configuration: configurations, ...rest }: Stored): Stored {
  const { action, limit, redirect_uri } = only(configurations) ?? {};
  // A limit of 0 is a real limit, except for the action allow, which has none.
  const configuration = { action, ...(action !== "allow" && { limit }), ...written({ redirect_uri }) };
  return { ...rest, configuration };
}

/** `successor`: the policy that takes the place of the deleted one, if it is known. */
async function policyCallFor(
  { client, otherCalls }: Pick<Context<Client>, "client" | "otherCalls">,
  operation: Operation,
  concern: Parameters<typeof ownLimitGuard>[1],
  successor?: RateLimitPolicyBody,
): Promise<PolicyCall> {
  const { all, successors } = client.expectations;
  const own = enforced(all, "policy");
  const lockout = ownLimitGuard(client, concern);
  if (own.length === 0) return { guard: lockout, otherCalls };
  const { policyWriteJudge } = await import("../expectations/writes.js");
  const judge = policyWriteJudge(own, operation, { all: successors.policies, own: successor });
  return {
    guard: { refusal: (before, after) => lockout?.refusal(before, after) ?? judge(before, after) },
    otherCalls,
  };
}
