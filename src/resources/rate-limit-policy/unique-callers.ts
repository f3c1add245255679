/** A tenant has one policy for the same applications. */
import { rateLimitPolicy } from "../../kinds/rate-limit-policy";
import { show } from "../../sdk/check";
import type { Callers, RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { UniqueKey } from "../unique-key";

export const uniqueCallers: UniqueKey<RateLimitPolicy> = {
  kind: rateLimitPolicy,
  content: ["configuration"],
  holder: ({ rateLimitPolicies }, { resource, consumer, consumer_selector }) =>
    rateLimitPolicies.holder({ resource, consumer, consumer_selector } as Callers),
  titleOf: ({ configuration }, id) => `${String(id ?? "a new policy")} (${show(configuration)})`,
  called: ({ configuration }) => show(configuration),
};
