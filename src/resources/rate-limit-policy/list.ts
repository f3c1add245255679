/** The rate limit policies of the tenant, for `terraform query`. */
import type { ListResource } from "../../sdk/resource";
import type { Client } from "../client";
import { rateLimitPolicyFilter } from "./data-source";
import { rateLimitPolicy } from "./definition";
import { fromWire } from "./wire";

export const rateLimitPolicyList: ListResource<Client, typeof rateLimitPolicy, typeof rateLimitPolicyFilter> = {
  definition: rateLimitPolicy,
  description: "The rate limit policies of the tenant. Early Access.",
  filter: rateLimitPolicyFilter,
  async *list(filter, { client }) {
    for await (const page of client.tenant.rateLimitPolicies.pages(filter)) {
      for (const policy of page) {
        yield { title: policy.consumer_selector, known: { id: policy.id }, read: () => fromWire(policy) };
      }
    }
  },
};
