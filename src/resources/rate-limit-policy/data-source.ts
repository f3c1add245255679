/** The rate limit policies of the tenant, to look at. */
import * as z from "zod";
import { attribute, listOf, notesOf } from "../../sdk/attribute";
import { define } from "../../sdk/definition";
import type { DataSource } from "../../sdk/resource";
import type { Client } from "../client";
import { rateLimitPolicy } from "./definition";
import { fromWire } from "./wire";

const known = (name: keyof typeof rateLimitPolicy.config.shape) => {
  const { values, example } = notesOf(rateLimitPolicy.config.shape[name], name);
  return { values, example };
};

export const rateLimitPolicyFilter = z.object({
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
  config: rateLimitPolicyFilter,
  computed: z.object({
    rate_limit_policies: attribute(
      listOf(z.object({ ...rateLimitPolicy.config.shape, ...rateLimitPolicy.computed.shape })),
      "The policies, sorted by consumer selector.",
    ),
  }),
});

export const rateLimitPoliciesDataSource: DataSource<Client, typeof rateLimitPolicies> = {
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
