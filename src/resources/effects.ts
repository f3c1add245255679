/** What a plan changes, in words: Terraform hides what of an object stays as it is, and with it what the change means. */
import type { Code } from "../impact/finding";
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";
import type { PlanNotes } from "./provider/definition";

/** What a change does to one object. */
export interface Effect {
  /** `Network ACL "Office" (acl_…)`. */
  readonly title: string;
  /** `blocks 65,536 addresses less, scope authentication, priority 10`. */
  readonly words: string;
  /** The findings that docs/guides/findings.md explains. */
  readonly codes?: readonly Code[];
  /** Something is let through that was kept out, or the other way round, by few letters. */
  readonly dangerous: boolean;
}

/** Of more changes the first are told. */
const most = 50;

/** Tells the effects of a plan in one warning: of several with one summary Terraform shows but the first. */
export async function tellEffect(effect: Effect, { client, plan, report }: ReviewContext<Client>): Promise<void> {
  const level = client?.planNotes ?? "off";
  // An apply that goes on has been planned.
  if (!isTold(effect, level) || plan.phase !== "plan") return;
  const told = (await plan.gathered("effects", effect)).toSorted((a, b) => Number(b.dangerous) - Number(a.dangerous));
  const [first] = told;
  if (!first) return;
  const dangerous = told.filter((each) => each.dangerous).length;
  const others = [
    ...(dangerous > 1 ? [`${dangerous - 1} more that ${dangerous === 2 ? "is" : "are"} dangerous`] : []),
    ...(told.length > Math.max(dangerous, 1) ? [`${told.length - Math.max(dangerous, 1)} other changes`] : []),
  ];
  const lines = told
    .slice(0, most)
    .map(({ title, words, codes = [] }) => `- ${title} ${words}${codes.map((code) => ` [${code}]`).join("")}`);
  const rest = told.length > most ? `\n- and ${told.length - most} more` : "";
  report({
    severity: "warning",
    summary: `${first.title} ${first.words}${others.length > 0 ? `; and ${others.join(", ")}` : ""}`,
    detail:
      `${told.length > 1 ? `${lines.join("\n")}${rest}\n\n` : ""}\`npx tenantform review\` says for which requests the outcome is ` +
      'another. `plan_notes` in the provider\'s configuration chooses which changes are told: "all", "dangerous" or "off".',
  });
}

function isTold({ dangerous }: Effect, level: PlanNotes): boolean {
  return level === "all" || (level === "dangerous" && dangerous);
}

/** `4 members more`, `2 countries less`; nothing for none. */
export function amount(
  count: number | bigint,
  [one, many]: readonly [string, string],
  than: "more" | "less",
): string[] {
  if (count === 0 || count === 0n) return [];
  const bits = BigInt(count).toString(2).length - 1;
  const number = bits > 40 ? `about 2^${bits}` : count.toLocaleString("en-US");
  return [`${number} ${count === 1 || count === 1n ? one : many} ${than}`];
}
