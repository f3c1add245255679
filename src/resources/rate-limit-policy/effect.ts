/** Describes the change of one rate limit policy. */
import { limitChanges } from "../../impact/rate-limit-policy/changes";
import { isDrastic, judged } from "../../impact/rate-limit-policy/findings";
import { limitWords, type Limit } from "../../impact/rate-limit-policy/limit";
import type { Change } from "../../sdk/definition";
import type { Effect } from "../effects";
import { plannedObject } from "../planned-object";
import type { rateLimitPolicy } from "./definition";

export function effectOf(change: Change<typeof rateLimitPolicy>): Effect {
  const [limits] = limitChanges([plannedObject("tenant_rate_limit_policy", change)]);
  const { before, after, consumer_selector: selector } = limits!;
  const words = (limit: Limit | null) => limitWords(limit && { ...limit, by: "" });
  return {
    title: `Rate limit policy ${change.prior!.id}`,
    words: `changes from ${words(before)} to ${words(after)}, for ${selector}`,
    codes: judged(limits!),
    dangerous: isDrastic(limits!),
  };
}
