/** Finds objects that more than one resource manages: each apply of one resource undoes the other. */
import type { PlannedObject, Values } from "../impact/model";
import { finding, type Finding } from "../impact/finding";
import { hidden } from "../impact/hidden";
import { isEntryType, kindOf, resourceTypes } from "../kinds/kinds";
import { identityOf, partsOf } from "./identity";
import { objectsOf } from "./objects";
import type { Plan } from "./plan";
import { isMarked } from "../impact/value";

/** Identity -> the resources that manage the object. */
export type Duplicates = ReadonlyMap<string, readonly PlannedObject[]>;

export function duplicatesIn(plans: readonly Plan[]): Duplicates {
  const managers = new Map<string, PlannedObject[]>();
  for (const object of plans.flatMap((plan) => objectsOf(plan, resourceTypes))) {
    const identity = managedBy(object);
    if (identity !== undefined) managers.set(identity, [...(managers.get(identity) ?? []), object]);
  }
  return new Map([...managers].filter(([, own]) => own.length > 1 && own.some(stays) && !own.every(shares)));
}

/** The identity of the object that a resource manages; undefined if it releases the object, or the plan does not show the id. */
export function managedBy(object: PlannedObject): string | undefined {
  const { type, before, after, actions, importId, leaves } = object;
  // A member set may move to another organization; every other object keeps its id.
  const isMembers = kindOf(type)?.list !== undefined;
  const isForgotten = actions.includes("forget") && !(isMembers && leaves);
  if (isForgotten || keepsMembers(object)) return undefined;
  if (isMembers) return isEntryType(type) ? undefined : identityOf(type, after ?? before);
  return identityOf(type, before ?? (importId === undefined ? undefined : { id: importId }));
}

/** A set that is destroyed and keeps its members in the organization. */
function keepsMembers({ before, after }: PlannedObject): boolean {
  return !after && before?.["on_destroy"] === "keep";
}

/** No duplicate if all resources that manage the object destroy it. */
const stays = ({ after }: PlannedObject) => after !== undefined;

/** Sets that do not remove unlisted members may share an organization. */
function shares({ type, before, after }: PlannedObject): boolean {
  const list = kindOf(type)?.list;
  return list !== undefined && ((after ?? before) as Values)[list.exclusive] === false;
}

/** One finding for each resource. */
export function duplicateFindings(duplicates: Duplicates): Finding[] {
  return [...duplicates].flatMap(([identity, own]) =>
    own.map((object) => {
      const others = own.filter((other) => other !== object);
      const names = others.map(({ address, plan }) => (plan === undefined ? address : `${address} of ${plan}`));
      const what = own.some(isSecret) ? { ...partsOf(identity), id: hidden } : partsOf(identity);
      const text =
        `${object.address} and ${names.join(" and ")} manage the same ${what.noun}, ${what.id}. Each apply of one resource undoes the ` +
        "other, so the result is not known, and nothing is proven. Remove all but one of these resources from Terraform, with a " +
        "removed block (destroy = false) or `terraform state rm`.";
      return finding("TF-DUPLICATE", text, object);
    }),
  );
}

const isSecret = ({ beforeSensitive, afterSensitive }: PlannedObject) =>
  [beforeSensitive, afterSensitive].some((marks) => isMarked(marks, "id") || isMarked(marks, "organization_id"));
