/** The objects that the tenant has and that no plan manages: they hold unique keys, and an apply adopts an identical one. */
import { kindOf } from "../../kinds/kinds";
import { textOf, type Kind } from "../../kinds/kind";
import type { PlannedObject, Remote, Values } from "../model";
import { canonical } from "../../../formats/cty/value";
import { withoutBlanks, sharing, placeIn } from "../value";

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
