/** What a plan does to the objects of a kind: what each is before and after, whatever the action is called. */
import { acts, type Marks, type PlannedObject, type Values } from "../impact/model";
import { priorResources, type Plan, type ResourceChange } from "./plan";

/** For an object that the plan does not show: all attributes that a review looks at. */
const everything: Marks = Object.fromEntries(
  (
    "description active priority rule resource consumer consumer_selector configuration " +
    "organization_id members exclusive adopt_existing"
  )
    .split(" ")
    .map((name) => [name, true]),
);

/** What is deposed has its address from the object that took its place. */
export function addressOf({ address, deposed }: ResourceChange): string {
  return deposed === undefined ? address : `${address} (deposed ${deposed})`;
}

export function objectsOf(plan: Plan, types: readonly string[]): PlannedObject[] {
  const place = (address: string) => (plan.unplaced?.has(address) ? { unplaced: true as const } : {});
  const planned = plan.resource_changes
    .filter(({ mode = "managed", type }) => mode === "managed" && types.includes(type))
    .map((one): PlannedObject => {
      const { type, change } = one;
      // A forgotten object stays on the tenant unchanged, even if another object replaces it.
      const isForgotten = change.actions.includes("forget");
      const stays = isForgotten && !acts(change);
      return {
        address: addressOf(one),
        type,
        actions: change.actions,
        ...importOf(change),
        ...place(one.address),
        ...(change.before && { before: change.before, beforeSensitive: change.before_sensitive }),
        ...(isForgotten && !stays && change.before && { leaves: true as const }),
        ...(stays && change.before && { after: change.before, afterSensitive: change.before_sensitive }),
        ...(!stays &&
          change.after && {
            after: change.after,
            unknown: change.after_unknown === true ? everything : change.after_unknown,
            afterSensitive: change.after_sensitive,
          }),
      };
    });
  const known = new Set(plan.resource_changes.map(({ address }) => address));
  const moved = new Set(plan.resource_changes.flatMap(({ previous_address }) => previous_address ?? []));
  const leftOut = priorResources(plan)
    .filter(({ mode, type, address }) => mode === "managed" && types.includes(type) && !known.has(address))
    .filter(({ address }) => !moved.has(address))
    .map(({ address, type, values, sensitive_values: marks }): PlannedObject => {
      const same = { before: values, after: values, beforeSensitive: marks, afterSensitive: marks };
      return { address, type, actions: ["no-op"], ...place(address), ...same, leftOut: true };
    });
  const all = [...planned, ...leftOut];
  const { name } = plan;
  return name === undefined ? all : all.map((object) => ({ ...object, plan: name }));
}

/** By its id, or by its identity, which is one attribute. */
export function importOf({ importing }: ResourceChange["change"]): Pick<PlannedObject, "isImported" | "importId"> {
  if (!importing) return {};
  const id = importing.id ?? Object.values(importing.identity ?? {})[0];
  return { isImported: true, ...(typeof id === "string" && { importId: id }) };
}

/** The values of data sources that were read before or while planning. */
export function readData(plan: Plan, type: string): Values[] {
  return priorResources(plan)
    .filter((resource) => resource.mode === "data" && resource.type === type)
    .map(({ values }) => values);
}
