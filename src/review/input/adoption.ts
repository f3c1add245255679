/** Finds new objects that the tenant has already: an apply adopts an identical object instead of creating a second one. */
import type { PlannedObject, Remote, Values } from "../../judge/impact/model";
import { canonical } from "../../formats/cty/value";
import { meant, sharing } from "../../judge/impact/value";
import { kinds } from "../../judge/kinds/kinds";
import { objectsOf } from "./objects";
import type { Plan, ResourceChange } from "./plan";

/** The plans, with each adopted object as the tenant has it before the apply. `remote`: managed and unmanaged objects. */
export function withAdoptions(plans: readonly Plan[], remote: Remote): readonly Plan[] {
  const objects = plans.flatMap((plan) => objectsOf(plan));
  const existing = unmanagedByContent(objects, remote);
  const wanted = objects.flatMap((object) => {
    const content = object.after && isNew(object) ? contentOf(object.type, object.after) : undefined;
    return content !== undefined && existing.has(content) ? { object, content } : [];
  });
  // If two resources want one object, the apply of the second one fails.
  const contested = new Set(sharing(wanted, ({ content }) => content).flat());
  const found = new Map(
    wanted
      .filter((one) => !contested.has(one))
      .map(({ object, content }) => [keyOf(object.address, object.plan), existing.get(content)!]),
  );
  if (found.size === 0) return plans;
  return plans.map((plan) => ({
    ...plan,
    resource_changes: plan.resource_changes.map((one) => adopting(one, found.get(keyOf(one.address, plan.name)))),
  }));
}

function unmanagedByContent(objects: readonly PlannedObject[], remote: Remote): Map<string, Values> {
  const managed = new Set(objects.flatMap(({ before, importId }) => [before?.["id"], importId]));
  const lists: Readonly<Record<string, unknown>> = { ...remote };
  return new Map(
    kinds.flatMap(({ type, family }) => {
      const list = lists[family];
      const unmanaged = Array.isArray(list) ? (list as Values[]).filter(({ id }) => !managed.has(id)) : [];
      return unmanaged.flatMap((values) => {
        const content = contentOf(type, values);
        return content === undefined ? [] : [[content, values] as const];
      });
    }),
  );
}

const isNew = ({ actions, unplaced }: PlannedObject) => actions.join() === "create" && !unplaced;

/** Undefined for resources of other providers, which adopt nothing. Unknown values are symbols, which no existing object has. */
function contentOf(type: string, values: Values): string | undefined {
  const kind = kinds.find((one) => one.type === type);
  if (!kind) return undefined;
  const names = kind.attributes;
  return canonical([type, meant(Object.fromEntries(names.map((name) => [name, values[name]])))]);
}

const keyOf = (address: string, plan: string | undefined) => JSON.stringify([address, plan]);

function adopting(one: ResourceChange, existing: Values | undefined): ResourceChange {
  if (!existing || one.deposed !== undefined) return one;
  const { change } = one;
  return { ...one, change: { ...change, before: existing, importing: { id: String(existing["id"]) } } };
}
