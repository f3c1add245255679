/** Builds the plan model of one object from the change that a resource reviews. */
import type { PlannedObject } from "../impact/model";
import type { Change, Definition } from "../sdk/definition";

/** The old and the new object of a replacement are reviewed apart: this is the action for each of them. */
const actions = {
  create: ["create"],
  keep: ["no-op"],
  update: ["update"],
  replace: ["delete"],
  destroy: ["delete"],
} as const satisfies Record<Change["action"], readonly string[]>;

/** The effect of a replacement: the new object is another change, so this one only ends. */
export function endingIfReplaced(object: PlannedObject): PlannedObject {
  const { after: _after, ...ending } = object;
  return object.actions.includes("delete") && !object.actions.includes("create") ? ending : object;
}

export function plannedObject<T extends Definition>(
  type: string,
  { action, prior, planned }: Pick<Change<T>, "action" | "prior" | "planned">,
): PlannedObject {
  return {
    address: "",
    type,
    actions: actions[action],
    ...(prior && { before: prior }),
    ...(planned && { after: planned }),
  };
}
