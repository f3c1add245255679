/** Builds the objects of the plan model from the JSON of a plan. */
import { equal } from "../../formats/cty/value";
import { clipped } from "../../formats/text/lists";
import { oneLine } from "../../formats/text/printable";
import {
  acts,
  deposedAt,
  type Marks,
  type PlannedObject,
  unknownName,
  type Values,
  withUnknown,
  type Writable,
} from "../../judge/impact/model";
import { objectIdentity } from "../../judge/impact/objects/duplicates";
import { kindOf } from "../../judge/kinds/kinds";
import { type DeferredChange, type Plan, priorResources, type ResourceChange, type StateResource } from "./plan";

/** Where the objects of a plan stand. */
export interface Part {
  /** The name of the plan, if there are several plans. */
  readonly name?: string | undefined;
  /** The addresses of objects that may belong to another tenant. */
  readonly unplaced?: ReadonlySet<string> | undefined;
}

/** Whether the type is one of this provider or of the Go provider. */
export const isOurs = (type: string) => /^(?:tenant|auth0)_/.test(type);

interface Listed {
  readonly mode?: string;
  readonly type: string;
}
export const isManaged = ({ mode = "managed", type }: Listed) => mode === "managed" && isOurs(type);

/** The objects that the plan manages, also those that -target left out. */
export function objectsOf(plan: Plan, part: Part): PlannedObject[] {
  const known = new Set(plan.resource_changes.map(({ address }) => address));
  const moved = new Set(plan.resource_changes.flatMap(({ previous_address }) => previous_address ?? []));
  const managed = priorResources(plan).filter(isManaged);
  const leftOut = managed.filter(({ address }) => !known.has(address) && !moved.has(address));
  const current = new Map(managed.flatMap((one) => (one.deposed_key === undefined ? [[one.address, one]] : [])));
  const planned = plan.resource_changes.filter(isManaged);
  return [
    ...planned.filter((one) => !isAdopted(one, planned)).map((one) => refreshed(objectFrom(one, part), current)),
    ...leftOut.map(({ address, type, values, sensitive_values: marks }): PlannedObject => {
      const same = { before: values, after: values, beforeSensitive: marks, afterSensitive: marks };
      return { ...subjectOf(part, address, address), type, actions: ["no-op"], ...same, notTargeted: true };
    }),
  ];
}

/**
 * Whether a replacement took the object over before an apply failed. The provider then takes the deposed entry out of the state and leaves
 * the object, or refuses the plan.
 */
function isAdopted({ address, type, deposed, change }: ResourceChange, planned: readonly ResourceChange[]): boolean {
  if (deposed === undefined || kindOf(type)?.type !== type) return false;
  const id = objectIdentity(type, change.before);
  // A set that is not exclusive takes nothing over.
  const living = planned
    .filter((one) => one.address === address && one.deposed === undefined)
    .filter((one) => one.change.before?.["exclusive"] !== false);
  return id !== undefined && living.some((one) => objectIdentity(type, one.change.before) === id);
}

/** Terraform plans a delete with the values before the refresh. The prior state has the values after it. */
function refreshed(object: PlannedObject, current: ReadonlyMap<string, StateResource>): PlannedObject {
  const { address, actions, before, beforeSensitive } = object;
  const now = current.get(address);
  if (!before || !now || !actions.includes("delete") || equal(before, now.values)) {
    return object;
  }
  const marks: Marks = [beforeSensitive, now.sensitive_values];
  return { ...object, before: now.values, beforeSensitive: marks, ...(!object.after && { valuesOfDelete: before }) };
}

/** Each object that changed outside Terraform: `before` as the state had it, `after` as it is now. */
export const driftOf = (plan: Plan, part: Part): PlannedObject[] =>
  plan.resource_drift
    .filter((one) => isManaged(one) && (kindOf(one.type) ?? one.type.startsWith("auth0_")))
    .map((one) => objectFrom(one, part));

/** The objects of all providers whose change Terraform leaves to a later plan. */
export const deferredOf = (all: readonly DeferredChange[], part: Part): PlannedObject[] =>
  all.flatMap(({ reason = "unknown", resource_change: one }) =>
    one && one.mode !== "data"
      ? { ...objectFrom(one, part), deferred: clipped(oneLine(reason.replaceAll("_", " "))) }
      : [],
  );

function subjectOf({ name, unplaced }: Part, address: string, resource: string) {
  return {
    address,
    ...(name !== undefined && { plan: name }),
    ...(unplaced?.has(resource) && { tenantUnknown: true as const }),
  };
}

function objectFrom(one: ResourceChange, part: Part): PlannedObject {
  const { address: resource, previous_address: previous, type, deposed, change } = one;
  const { before, after, before_sensitive: beforeSensitive, after_unknown: unknown } = change;
  // A deposed object has the address of the object that replaced it.
  const subject = subjectOf(part, deposedAt(resource, deposed), resource);
  // A forgotten object stays on the tenant unchanged, even if another object replaces it.
  const isForgotten = change.actions.includes("forget");
  const stays = !acts(change) && (isForgotten || !after);
  const marks = unknown === true ? everythingOf(type, before) : unknown;
  // Another program may write a plan that knows nothing of what an object becomes.
  const now = after ?? (change.actions.join() === "delete" ? null : {});
  // Terraform marks a side by itself. What one side hides, the other side must not show.
  const both: Marks = before && after ? [beforeSensitive, change.after_sensitive] : undefined;
  // An object of several spreads takes several times the memory, and a plan may have 100,000.
  const object: Writable<PlannedObject> = { address: subject.address, type, actions: change.actions };
  if (subject.plan !== undefined) object.plan = subject.plan;
  if (subject.tenantUnknown) object.tenantUnknown = true;
  if (previous !== undefined) object.previousAddress = previous;
  if (deposed !== undefined) object.isDeposed = true;
  if (change.importing) Object.assign(object, importOf(change));
  if (before) {
    object.before = before;
    object.beforeSensitive = both ?? beforeSensitive;
    if (isForgotten && !stays) object.keepsOld = true;
  }
  if (stays && before) {
    object.after = before;
    object.afterSensitive = beforeSensitive;
  }
  if (!stays && now) {
    object.after = withUnknown(now, marks, unknownName(subject)) as Values;
    object.afterSensitive = both ?? change.after_sensitive;
  }
  return object;
}

/** The marks of an object that the plan does not show at all. */
const everythingOf = (type: string, before: Values | null): Marks =>
  Object.fromEntries([...(kindOf(type)?.attributes ?? []), ...Object.keys(before ?? {})].map((name) => [name, true]));

/** A plan imports an object by its id, or by an identity with one attribute. */
function importOf({ importing }: ResourceChange["change"]): Pick<PlannedObject, "isImported" | "importId"> {
  if (!importing) return {};
  const id = importing.id ?? Object.values(importing.identity ?? {})[0];
  return { isImported: true, ...(typeof id === "string" && { importId: id }) };
}
