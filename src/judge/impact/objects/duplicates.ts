/**
 * Finds objects that more than one resource manages: each apply of one resource undoes the other. Beside it, the objects that the tenant has and no
 * plan manages: they hold unique keys, and an apply adopts some of them.
 */
import { kindOf, kindRead } from "../../kinds/kinds";
import { effect, type Effect } from "../effect";
import { clipped, hidden } from "../../../formats/text/lists";
import {
  acts,
  grouped,
  isSensitive,
  placeIn,
  type PlannedObject,
  type Remote,
  sharing,
  type Values,
  withoutBlanks,
} from "../model";
import type { DuplicateFacts } from "./facts";
import { type Kind, textOf } from "../../kinds/kind";
import { canonical } from "../../../formats/cty/value";

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
      identity: kind && own.some(isSecret) ? `${kind.identity.noun} ${hidden}` : clipped(identity, 160),
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

/** What is known of a tenant and of the changes to it. */
export interface PlanAndTenant {
  readonly objects: readonly PlannedObject[];
  readonly remote: Remote;
  /** Ids of objects that the plan manages and that Terraform has not planned yet: what becomes of them is not known. */
  readonly later?: ReadonlySet<unknown>;
}

export function unmanagedOf({ family }: Kind, { objects, remote, later }: PlanAndTenant): readonly Values[] {
  const list = (remote as Readonly<Record<string, unknown>>)[family];
  if (!Array.isArray(list)) return [];
  const managed = new Set(objects.flatMap(({ before, importId }) => [before?.["id"], importId]));
  return (list as Values[]).filter(({ id }) => !managed.has(id) && !later?.has(id));
}

/** What makes two objects of a kind identical. Undefined for resources of other providers, which adopt nothing. */
export function contentOf(type: string, values: Values): string | undefined {
  const kind = kindOf(type);
  if (kind?.type !== type) return undefined;
  const left = new Set([...Object.values(kind.derived ?? {}), kind.secret?.attribute, kind.secret && "value"]);
  const names = [...kind.attributes.filter((name) => !left.has(name)), ...(kind.secret ? ["fingerprint"] : [])];
  return canonical([type, withoutBlanks(Object.fromEntries(names.map((name) => [name, values[name]])))], "unordered");
}

/** The new objects that are identical to an unmanaged one. An unknown value is a symbol, which no existing object has. */
export function adoptions(plan: PlanAndTenant): ReadonlyMap<PlannedObject, Values> {
  const created = plan.objects.filter(
    ({ actions, tenantUnknown, isDeposed, after }) =>
      actions.join() === "create" && !tenantUnknown && !isDeposed && after,
  );
  const kinds = new Set(created.flatMap(({ type }) => kindOf(type) ?? []));
  const existing = new Map(
    [...kinds].flatMap((kind) =>
      unmanagedOf(kind, plan).map((values) => [contentOf(kind.type, values), values] as const),
    ),
  );
  if (existing.size === 0) return new Map();
  const wanted = created.flatMap((object) => {
    const content = contentOf(object.type, object.after!);
    return content !== undefined && existing.has(content) ? { object, content } : [];
  });
  // If two resources want one object, the apply of the second one fails.
  const contested = new Set(sharing(wanted, ({ content }) => content).flat());
  return new Map(
    wanted.flatMap((one) => (contested.has(one) ? [] : [[one.object, existing.get(one.content)!] as const])),
  );
}

/** The objects, with each adopted one as the tenant has it before the apply. */
export function withAdopted(plan: PlanAndTenant): readonly PlannedObject[] {
  const found = adoptions(plan);
  return found.size === 0 ? plan.objects : plan.objects.map((one) => asAdopted(one, found.get(one)));
}

/** What one side of a change hides, the other side must not show. */
export function asAdopted(object: PlannedObject, existing: Values | undefined): PlannedObject {
  if (!existing) return object;
  const { beforeSensitive, afterSensitive } = object;
  const hasMarks = beforeSensitive !== undefined || afterSensitive !== undefined;
  const { marks } = placeIn(object);
  return {
    ...object,
    ...(hasMarks && { beforeSensitive: marks, afterSensitive: marks }),
    before: existing,
    isImported: true,
    importId: textOf(existing["id"]),
  };
}
