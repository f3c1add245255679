/** Collects the changes of a plan, and reports their effects in one warning. */
import type { ReviewContext } from "../sdk/resource";
import type { ChangeNote } from "./change-note";
import type { Client } from "./client";

const topic = "effects";

/** Adds a change to the effects of the plan before other checks wait. */
export function attachEffect(note: ChangeNote, { plan }: Pick<ReviewContext<Client>, "plan">): void {
  plan.attach(topic, note);
}

/** Reports the effects of a plan in one warning: Terraform shows only the first of several with the same summary. */
export async function tellEffect(note: ChangeNote, { client, plan, report }: ReviewContext<Client>): Promise<void> {
  const level = client?.planWarnings ?? "off";
  // The plan before the apply has reported it.
  if (level === "off" || plan.phase !== "plan") return;
  plan.attach(topic, note);
  if (level === "dangerous" && !note.dangerous && !note.mayBeGrave) return;
  // Pulumi applies a change while it plans the next one, and the write must not wait for the warning.
  const { found } = await plan.gathered(topic, () => (plan.phase === "plan" ? note : undefined));
  const all = plan.attached(topic) as readonly ChangeNote[];
  const gathered = all.filter((one) => found.includes(one));
  if (gathered.length === 0) return;
  const { planWarning } = await import("./plan-warning.js");
  const isNew = (line: string) => plan.isFirst(`effect ${line}`);
  const warning = planWarning({ all, gathered, level, acls: client?.guard.acls(), isNew });
  if (warning) report({ severity: "warning", ...warning });
}
