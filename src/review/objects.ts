/** Builds the objects of the plan model from the JSON of a plan. */
import { acts, unknownName, type Marks, type PlannedObject, type Values } from "../impact/model";
import { withUnknown } from "../impact/value";
import { kindOf, resourceTypes } from "../kinds/kinds";
import { priorResources, type Plan, type ResourceChange } from "./plan";

/** The marks of an object that the plan does not show at all. */
const everythingOf = (type: string): Marks =>
  Object.fromEntries((kindOf(type)?.attributes ?? []).map((name) => [name, true]));

/** A deposed object has the address of the object that replaced it. */
export function addressOf({ address, deposed }: ResourceChange): string {
  return deposed === undefined ? address : `${address} (deposed ${deposed})`;
}

/** `types`: left out, those of all kinds. */
export function objectsOf(plan: Plan, types: readonly string[] = resourceTypes): PlannedObject[] {
  const { name } = plan;
  const common = (address: string) => ({
    ...(name !== undefined && { plan: name }),
    ...(plan.unplaced?.has(address) && { unplaced: true as const }),
  });
  const planned = plan.resource_changes
    .filter(({ mode = "managed", type }) => mode === "managed" && types.includes(type))
    .map((one): PlannedObject => {
      const { type, change } = one;
      // A forgotten object stays on the tenant unchanged, even if another object replaces it.
      const isForgotten = change.actions.includes("forget");
      const stays = isForgotten && !acts(change);
      const address = addressOf(one);
      const marks = change.after_unknown === true ? everythingOf(type) : change.after_unknown;
      return {
        address,
        type,
        actions: change.actions,
        ...importOf(change),
        ...common(one.address),
        ...(change.before && { before: change.before, beforeSensitive: change.before_sensitive }),
        ...(isForgotten && !stays && change.before && { leaves: true as const }),
        ...(stays && change.before && { after: change.before, afterSensitive: change.before_sensitive }),
        ...(!stays &&
          change.after && {
            after: withUnknown(change.after, marks, unknownName({ address, ...common(one.address) })) as Values,
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
      return { address, type, actions: ["no-op"], ...common(address), ...same, leftOut: true };
    });
  return [...planned, ...leftOut];
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
