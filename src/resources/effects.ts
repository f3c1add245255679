/** Words what a plan changes. Terraform hides unchanged attributes, and so what the change means. */
import type { Code } from "../impact/finding";
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";
import type { PlanNotes } from "./provider-block/definition";

/** The effect of a change on one object. */
export interface Effect {
  /** `Network ACL "Office" (acl_…)`. */
  readonly title: string;
  /** `blocks 65,536 fewer IPv4 addresses, scope authentication, priority 10`. */
  readonly words: string;
  /** The findings that docs/guides/findings.md explains. */
  readonly codes?: readonly Code[];
  /** A small edit may allow or block many requests. */
  readonly dangerous: boolean;
}

/** The message lists the first ones. */
const most = 50;

/** Reports the effects of a plan in one warning: Terraform shows only the first of several with the same summary. */
export async function tellEffect(effect: Effect, { client, plan, report }: ReviewContext<Client>): Promise<void> {
  const level = client?.planNotes ?? "off";
  // The plan before the apply has reported it.
  if (!isShown(effect, level) || plan.phase !== "plan") return;
  const { found } = await plan.gathered("effects", () => effect);
  const shown = found.toSorted((a, b) => Number(b.dangerous) - Number(a.dangerous));
  const [first] = shown;
  if (!first) return;
  const dangerous = shown.filter((each) => each.dangerous).length;
  const others = [
    ...(dangerous > 1 ? [`${dangerous - 1} more that ${dangerous === 2 ? "is" : "are"} dangerous`] : []),
    ...(shown.length > Math.max(dangerous, 1) ? [`${shown.length - Math.max(dangerous, 1)} other changes`] : []),
  ];
  const lines = shown.slice(0, most).map((each) => `- ${each.title} ${each.words}${codesOf(each)}`);
  const rest = shown.length > most ? `\n- and ${shown.length - most} more` : "";
  report({
    severity: "warning",
    summary: `${first.title} ${first.words}${others.length > 0 ? `; and ${others.join(", ")}` : ""}`,
    detail:
      `${shown.length > 1 ? `${lines.join("\n")}${rest}\n\n` : ""}Run \`npx tenantform review\` to see which requests change their outcome. ` +
      'Set `plan_notes` in the provider block to choose which changes are shown: "all", "dangerous" or "off".' +
      (shown.length > 1 ? "" : codesOf(first)),
  });
}

const codesOf = ({ codes = [] }: Effect) => codes.map((code) => ` [${code}]`).join("");

function isShown({ dangerous }: Effect, level: PlanNotes): boolean {
  return level === "all" || (level === "dangerous" && dangerous);
}
