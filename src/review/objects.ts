/** What a plan does to the objects of a kind: what each is before and after, whatever the action is called. */
import { priorResources, type Marks, type Plan, type ResourceChange, type Values } from "./plan";

export interface PlannedObject {
  readonly address: string;
  /** The name of its plan, of several. */
  readonly plan?: string;
  readonly type: string;
  readonly before?: Values;
  readonly after?: Values;
  readonly unknown?: Marks;
  readonly beforeSensitive?: Marks;
  readonly afterSensitive?: Marks;
  readonly actions: readonly string[];
  /** The plan imports it. */
  readonly isImported?: true;
  /** The import id, if the plan shows it. */
  readonly importId?: string;
  /** A -target left it out: the plan says nothing of it, and it stays as it is. */
  readonly leftOut?: true;
  /** It may be another tenant's. */
  readonly unplaced?: true;
  /** It is replaced, and the old object stays on the tenant. */
  readonly leaves?: true;
}

/** Whether the apply changes anything. An action that this version does not know counts as a change. */
export function acts({ actions }: Pick<ResourceChange["change"], "actions">): boolean {
  return actions.length === 0 || actions.some((action) => !["no-op", "read", "forget"].includes(action));
}

/** Splits a replaced object that stays on the tenant in two: the old object, and the one that is created. */
export function apart(object: PlannedObject): PlannedObject[] {
  const { before, beforeSensitive, leaves, ...made } = object;
  if (!leaves || !before) return [object];
  const { after: _after, afterSensitive: _marks, unknown: _unknown, ...rest } = made;
  const both = { before, after: before, beforeSensitive, afterSensitive: beforeSensitive };
  return [
    { ...made, actions: ["create"] },
    { ...rest, ...both, address: `${rest.address} (forgotten)`, actions: ["forget"] },
  ];
}

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
