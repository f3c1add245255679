/** Lists the scopes that a token needs to read and apply plans. */
import { scopesFor } from "../impact/objects/scopes";
import { kindOf, kindRead, scopeOf } from "../kinds/kinds";
import { objectsOf } from "./objects";
import { priorResources, type Plan } from "./plan";

export function scopesOf(plans: readonly Plan[]): string[] {
  const read = plans.flatMap((plan) => [
    ...plan.resource_changes,
    ...priorResources(plan).filter(({ mode }) => mode === "data"),
  ]);
  const scopes = [
    ...read.flatMap(({ type }) => {
      const kind = kindOf(type) ?? kindRead(type);
      return kind ? scopeOf("read", kind) : [];
    }),
    ...plans
      .flatMap((plan) => objectsOf(plan))
      .flatMap((object) => {
        const { certain, possible } = scopesFor(object);
        return [...certain, ...possible];
      }),
  ];
  return [...new Set(scopes)].toSorted();
}
