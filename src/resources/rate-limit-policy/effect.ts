/** Describes the change of one rate limit policy. */
import { limitChanges, type LimitChange } from "../../impact/rate-limit-policy/changes";
import { isAtLeast } from "../../impact/finding";
import { isDrastic, judged, levelOf } from "../../impact/rate-limit-policy/findings";
import { limitWords, type Limit } from "../../impact/rate-limit-policy/limit";
import { isKnown, type Change } from "../../sdk/definition";
import { show } from "../../sdk/check";
import { actionWords, type ChangeNote } from "../change-note";
import { endingIfReplaced, plannedObject } from "../planned-object";
import { rateLimitPolicy } from "./definition";

export function noteOf(change: Change<typeof rateLimitPolicy>): ChangeNote {
  const { action, prior, planned } = change;
  const object = endingIfReplaced(plannedObject("tenant_rate_limit_policy", change));
  const changes = limitChanges([object]);
  const isUpdate = action === "update" && isKnown(rateLimitPolicy, planned);
  const { consumer_selector: selector } = (planned ?? prior)!;
  return {
    title: `Rate limit policy${prior ? ` ${prior.id}` : ""}`,
    ...(isUpdate
      ? updateOf(changes[0]!)
      : { words: `${actionWords[action]}, for ${show(selector)}`, dangerous: false }),
    mayBeGrave: changes.some((one) => judged(one).some((code) => isAtLeast(levelOf(code, one), "high"))),
    explains: isUpdate,
    object,
  };
}

function updateOf(change: LimitChange): Pick<ChangeNote, "words" | "codes" | "dangerous"> {
  const { before, after, consumer_selector: selector } = change;
  const words = (limit: Limit | null) => limitWords(limit && { ...limit, by: "" });
  return {
    words: `changes from ${words(before)} to ${words(after)}, for ${selector}`,
    codes: judged(change),
    dangerous: isDrastic(change),
  };
}
