/**
 * Tells what the changes of a plan do to people, in one warning, because Terraform shows only the first of several with one summary. The
 * judges of src/impact decide and word it, as in a review. A process sees the changes one by one, so the warning waits for all of them.
 */
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";
import type { ToldChange } from "./plan-effects";

export type { ToldChange };

const topic = "effects";

/** Adds a change to the effects of the plan before other checks wait. */
export function attachEffect(change: ToldChange, { plan }: Pick<ReviewContext<Client>, "plan">): void {
  plan.attach(topic, change);
}

export async function tellEffect(change: ToldChange, { client, plan, report }: ReviewContext<Client>): Promise<void> {
  const level = client?.planWarnings ?? "off";
  // The plan before the apply has reported it.
  if (level === "off" || plan.phase !== "plan") return;
  plan.attach(topic, change);
  if (level === "dangerous" && !change.mayMatter) return;
  // Pulumi applies a change while it plans the next one, and the write must not wait for the warning.
  const { found } = await plan.gathered(topic, () => (plan.phase === "plan" ? change : undefined));
  if (found.length === 0) return;
  const { planWarning } = await import("./plan-effects.js");
  const isNew = (line: string) => plan.isFirst(`effect ${line}`);
  const all = plan.attached(topic) as readonly ToldChange[];
  const warning = planWarning({ all, level, acls: client?.guard.acls(), isNew });
  if (warning) report({ severity: "warning", ...warning });
}
