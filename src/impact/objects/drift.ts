/** Reports changes that somebody made outside Terraform since the last apply. */
import { kindOf } from "../../kinds/kinds";
import { effect, type Effect } from "../effect";
import type { PlannedObject, Values } from "../model";
import { meant } from "../value";
import { subjectOf, titleOf } from "./actions";

/** `drifted`: each object as the state had it and as it is now. */
export function driftEffects(drifted: readonly PlannedObject[], objects: readonly PlannedObject[]): Effect[] {
  const planned = new Map(objects.map((object) => [object.address, object]));
  return drifted.flatMap((drift) => {
    const names = changedNames(drift.before, drift.after).filter((name) => isDrift(name, drift));
    if (drift.after && names.length === 0) return [];
    const how = drift.after ? `was changed (${names.join(", ")})` : "was deleted";
    const then = fateOf(names, drift.after, planned.get(drift.address));
    const text = `${titleOf(drift)} ${how} outside Terraform since the last apply: ${then}.`;
    return [effect("TNF-DRIFT", text, subjectOf(drift))];
  });
}

function fateOf(names: readonly string[], now: Values | undefined, planned: PlannedObject | undefined): string {
  const stays = "the plan keeps that change";
  if (!planned || planned.actions.includes("forget")) return stays;
  if (!planned.after) return "the apply destroys it";
  const differing = new Set(changedNames(now, planned.after));
  return names.some((name) => differing.has(name)) ? "the apply undoes that change" : stays;
}

/** Whether somebody can have changed the attribute. The service computes the others. */
function isDrift(name: string, { type, previousAddress, before }: PlannedObject): boolean {
  const kind = kindOf(type);
  const isWritten = !kind || kind.attributes.includes(name);
  // After a move from a resource of the Go provider, the first refresh adds attributes that its state does not have.
  const isOtherType = previousAddress !== undefined && !previousAddress.includes(`${type}.`);
  const isAdded = isOtherType && (before?.[name] ?? null) === null;
  return isWritten && !isAdded;
}

/** States of the Go provider spell one meaning in several ways, such as null and an empty list. */
function changedNames(before: Values | undefined, after: Values | undefined): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const meaning = (values: Values | undefined, name: string) => JSON.stringify(meant(values?.[name]));
  return [...names].filter((name) => meaning(before, name) !== meaning(after, name));
}
