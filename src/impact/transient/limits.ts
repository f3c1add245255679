/** Reports limits that are missing for a moment, because Terraform deletes a policy before it creates one for the same callers. */
import { clipped } from "../clipped";
import { finding, type Finding } from "../finding";
import { hidden } from "../hidden";
import { apart, type PlannedObject } from "../model";
import { limitWords, rateOf, type Limit } from "../rate-limit-policy/limit";
import { momentarily } from "./moment-words";
import { keyOf, policyFrom, type Policy } from "../rate-limit-policy/policy";

/** `objects`: the rate limit policies of the plans. */
export function limitFindings(objects: readonly PlannedObject[]): Finding[] {
  const sides = objects.flatMap(apart).map((object) => ({
    object,
    before: object.before && policyFrom(object, object.before, object.beforeSensitive),
    after: object.after && policyFrom(object, object.after, object.afterSensitive),
  }));
  const deleted = sides.filter(({ object }) => object.actions.includes("delete"));
  const created = sides.filter(({ object }) => object.actions.includes("create"));
  const defaults = sides.flatMap(({ before, after }) =>
    before?.by === "default" && after?.by === "default" ? before : [],
  );
  return deleted.flatMap(({ object, before }) => {
    const next = created.find(({ after }) => before && after && !after.isAnyone && keyOf(after) === keyOf(before));
    if (!before || !next?.after) return [];
    const other = defaults.find(
      ({ by, resource, consumer }) => by !== before.by && resource === before.resource && consumer === before.consumer,
    );
    const looser = [before, next.after].every((limit) => isLooser(other, limit));
    return looser
      ? [limitFinding(before, other, object.address === next.object.address ? undefined : next.object)]
      : [];
  });
}

const isLooser = (limit: Limit | undefined, than: Limit) => {
  const [now, was] = [rateOf(limit ?? null), rateOf(than)];
  return now !== undefined && was !== undefined && now > was;
};

/** `next`: the other resource that creates the new policy. */
function limitFinding(policy: Policy, other: Limit | undefined, next: PlannedObject | undefined): Finding {
  const { by, address, secret } = policy;
  const who = secret.has("consumer_selector")
    ? hidden
    : by === "default"
      ? "clients without a policy of their own"
      : clipped(by);
  const limit = other ? `only the default limit (${limitWords(other)})` : "no limit";
  const [state, remedy] = next
    ? [
        `${clipped(address)} is destroyed and ${clipped(next.address)} is not created yet`,
        "If the resource only has another name, write `moved`.",
      ]
    : [
        `${clipped(address)} is destroyed and not created again yet`,
        "A tenant has one policy for the same callers, so a replacement always has this gap. Change the policy in place.",
      ];
  const what = `requests of ${who} ${next ? "may have" : "have"} ${limit}.`;
  const text = `${momentarily(what)} This happens while ${state}. ${remedy}`;
  return finding("TF-TRANSIENT-OPEN", text, { ...policy, level: "low" });
}
