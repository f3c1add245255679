/** Places of which the tenant has each once, held by objects that Terraform does not manage: refused while it is still a plan. */
import { attributePath } from "../cty/path";
import type { ReviewContext } from "../sdk/resource";

export interface Place {
  /** How people call the objects: `network ACL`. */
  readonly kind: string;
  /** The attribute whose value is the place. */
  readonly key: string;
  readonly value: string | number;
}

export interface Asking {
  /** The one that wants the place: `a new ACL ("Office")`. */
  readonly title: string;
  /** Its id, or that of the one that it takes the place of. */
  readonly id?: unknown;
}

export interface Holder {
  readonly id: string;
  /** What people know it by. */
  readonly called: string;
  /** Whether it is what is wanted in everything, so that a new object takes it over. */
  readonly same: boolean;
  /** What brings it under management. */
  readonly importCommand: string;
}

type Review = Pick<ReviewContext<unknown>, "plan" | "report">;

/** Reports a holder that stays. One that is itself managed may move away or go, which its own review sees to. */
export async function reportTaken(place: Place, asking: Asking, holder: Holder, context: Review): Promise<void> {
  const { plan, report } = context;
  const { kind, key, value } = place;
  const { id, called, same, importCommand } = holder;
  if (id === asking.id) return;
  const isTaken = () => (plan.phase !== "apply" && !plan.knows({ id }) ? `\`${key}\` is ${value}` : undefined);
  if (same && asking.id === undefined) {
    if (!isTaken()) return;
    report({
      severity: "warning",
      summary: `A ${kind} will be taken over`,
      detail:
        `The tenant has ${kind} ${id} (${called}) already, the same in everything as ${asking.title}: it will be managed from ` +
        "here on, and not made a second time.",
    });
    return;
  }
  const problem = () =>
    isTaken() &&
    `\`${key}\` is ${JSON.stringify(value)} for ${asking.title}: that of ${kind} ${id} (${called}), which this configuration does not ` +
      `manage. To manage it: ${importCommand}`;
  const taken = await plan.unresolved(`taken ${kind}`, problem);
  if (taken.length === 0) return;
  const alone = taken.length === 1;
  report({
    severity: "error",
    summary: alone ? `The ${key} is taken` : `${taken.length} objects want a ${key} that is taken`,
    detail: `${alone ? taken[0]! : taken.map((each) => `- ${each}`).join("\n")}\n\nGive ${alone ? "one of the two" : "them"} another ${key}, or import what is there. Nothing was changed.`,
    path: attributePath(key),
  });
}
