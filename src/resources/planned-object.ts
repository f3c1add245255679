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
