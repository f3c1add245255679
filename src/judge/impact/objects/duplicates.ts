/** Finds objects that more than one resource manages: each apply of one resource undoes the other. */
import { kindOf, kindRead } from "../../kinds/kinds";
import { effect, type Effect } from "../effect";
import { hidden } from "../../../formats/text/lists";
import { acts, type PlannedObject, type Values } from "../model";
import { grouped, isSensitive, placeIn } from "../value";
import type { DuplicateFacts } from "./facts";

/** Identity -> the resources that manage the object. */
export type Duplicates = ReadonlyMap<string, readonly PlannedObject[]>;

export function duplicatesIn(objects: readonly PlannedObject[]): Duplicates {
  // A list that is exclusive removes an entry that another resource keeps.
  const managers = grouped(objects, (one) =>
    holdsOneEntry(one.type) && !one.actions.includes("forget") ? objectIdentity(one.type, one.after) : managedBy(one),
  );
  return new Map(
    [...managers].flatMap(([identity, own]): [string, readonly PlannedObject[]][] => {
      if (identity === undefined || own.length < 2) return [];
      const wholes = own.filter(({ type }) => !holdsOneEntry(type));
      return wholes.some(stays) && !wholes.every(shares) ? [[identity, own]] : [];
    }),
  );
}

/** The identity of the object that a resource manages; undefined if it releases the object, or the plan does not show the id. */
export function managedBy({ type, before, after, actions, importId, keepsOld }: PlannedObject): string | undefined {
  // A member set may move to another organization. Any other object keeps its id.
  const isList = kindOf(type)?.list !== undefined;
  const isForgotten = actions.includes("forget") && !(isList && keepsOld);
  const keepsEntries = !after && before?.["on_destroy"] === "keep";
  if (isForgotten || keepsEntries || holdsOneEntry(type)) return undefined;
  return isList ? objectIdentity(type, after ?? before) : (objectIdentity(type, before) ?? importedAs(type, importId));
}

/** No duplicate if all resources that manage the object destroy it. */
const stays = ({ after }: PlannedObject) => after !== undefined;

/** Lists that leave other entries alone may share an object. */
function shares({ type, before, after }: PlannedObject): boolean {
  const list = kindOf(type)?.list;
  return list !== undefined && (after ?? before)?.[list.exclusive] === false;
}

/** One effect for each resource, with the same text. Other objects of Auth0 may have many managers, and have one effect. */
export function duplicateEffects(duplicates: Duplicates): Effect[] {
  return [...duplicates].flatMap(([identity, own]) => {
    const kind = kindOf(own[0]!.type);
    const facts: DuplicateFacts = {
      kind: "duplicate",
      managers: own.map(({ address, plan, after }) => ({
        address,
        ...(plan !== undefined && { plan }),
        ...(!after && { goes: true as const }),
      })),
      ...(kind?.list && { isList: true as const }),
      identity: kind && own.some(isSecret) ? `${kind.identity.noun} ${hidden}` : identity,
    };
    return (kind ? own : own.slice(0, 1)).map((object) =>
      effect("TNF-DUPLICATE", facts, {
        ...object,
        ...(!kind && { level: "high", refuses: false }),
        ...(isOfProvider(own) && { refuses: true }),
        ...(own.every(isUntouched) && { already: true }),
      }),
    );
  });
}

/** Whether one plan of our provider has all of them. It sees no other resources. */
export const isOfProvider = (objects: readonly PlannedObject[]): boolean =>
  objects.every(
    ({ type, plan, notTargeted }) => kindOf(type)?.type === type && plan === objects[0]!.plan && !notTargeted,
  );

/** The state manages the object already, and the plan does nothing to it. */
const isUntouched = (object: PlannedObject) =>
  object.before !== undefined && !object.isImported && !object.actions.includes("forget") && !acts(object);

const isSecret = (object: PlannedObject): boolean =>
  isSensitive(placeIn(object, kindOf(object.type)!.identity.attribute));

/** `network ACL acl_…`; undefined if the values do not show the id. */
export function objectIdentity(type: string, values: Values | null | undefined): string | undefined {
  const identity = (kindOf(type) ?? kindRead(type))?.identity;
  const id = identity && values?.[identity.attribute];
  return typeof id === "string" && id !== "" ? `${identity!.noun} ${id}` : undefined;
}

/** The identity of an object that the plan imports. */
export function importedAs(type: string, importId: string | undefined): string | undefined {
  const attribute = kindOf(type)?.identity.attribute;
  return attribute === undefined ? undefined : objectIdentity(type, { [attribute]: importId });
}

/** Whether a resource of this type holds one entry of a list, so that several resources share the object. */
export function holdsOneEntry(type: string): boolean {
  return kindOf(type)?.goProvider.some((theirs) => theirs.type === type && theirs.entry !== undefined) === true;
}
