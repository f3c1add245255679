/** The objects of Auth0 that plans change: what "nothing changes for people" stands on. */
import { changesOf } from "../impact/auth0/changes";
import { objectChange } from "../impact/auth0/match";
import { acts, type PlannedObject } from "../impact/model";
import type { Touched } from "../impact/objects/facts";
import type { Plan } from "./input/plan";
import { objectsOf } from "./objects";

export function touchedIn(plans: readonly Plan[]): Touched[] {
  const types = new Set(plans.flatMap((plan) => plan.resource_changes.map(({ type }) => type)));
  const own = [...types].filter((type) => /^(?:auth0|tenant)_/.test(type));
  return plans
    .flatMap((plan) => objectsOf(plan, own))
    .flatMap((object) => {
      const change = changeOf(object);
      if (change === undefined) return [];
      // Auth0 computes the other ones.
      const known = changesOf(object).filter(({ kind }) => kind !== "unknown");
      return { address: object.address, change, paths: [...new Set(known.map(({ label }) => label))] };
    });
}

const verbs = { create: "created", destroy: "destroyed", replace: "replaced" } as const;

function changeOf(object: PlannedObject): Touched["change"] | undefined {
  const change = objectChange(object);
  if (object.isImported && change !== "replace") return "imported";
  if (change !== undefined) return verbs[change];
  return acts(object) ? "changed" : undefined;
}
