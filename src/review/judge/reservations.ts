/** Finds the parts of a tenant that a review could not read. If there are any, the review proves nothing. */
import { shellWord } from "../../formats/text/printable";
import { isRefusal } from "../../judge/codes/codes";
import { gapEffect, type Effect } from "../../judge/impact/effect";
import { duplicateEffects, type Duplicates } from "../../judge/impact/objects/duplicates";
import { objectsOf } from "../input/objects";
import type { Plan, RunError } from "../input/plan";
import { clipped, counted } from "../../judge/impact/phrases";
import { refusedWords, type RemoteState } from "../input/remote";

export interface Reservations {
  /** Plans that are incomplete, stacks without a plan, and families that the tenant does not offer. */
  readonly unread: readonly Effect[];
  /** Plans and remote states that may belong to another tenant. */
  readonly uncertainties: readonly Effect[];
  /** Objects that several resources manage. */
  readonly duplicates: readonly Effect[];
  /** Other changes of the tenant may exist, so nothing is proven. */
  readonly isUncertain: boolean;
}

export function reservationsOf(
  plans: readonly Plan[],
  remote: RemoteState | undefined,
  duplicates: Duplicates,
): Reservations {
  const cut = plans.filter((plan) => !isComplete(plan));
  const unread = [
    ...cut.map(incompleteEffect),
    ...(remote?.refused ?? []).map((one) => gapEffect("TNF-INCOMPLETE", "refused", refusedWords(one))),
    ...plans.flatMap((plan) =>
      (plan.unplanned ?? []).map((stack) =>
        aboutPlan(gapEffect("TNF-STACK-UNPLANNED", "unplanned", unplannedWords(stack)), plan),
      ),
    ),
  ];
  const uncertain = (text: string) => gapEffect("TNF-TENANT-UNKNOWN", "tenant", text);
  const uncertainties = [
    ...plans.flatMap((plan) => (plan.uncertainties ?? []).map((text) => aboutPlan(uncertain(text), plan))),
    ...(remote?.uncertainty === undefined ? [] : [uncertain(remote.uncertainty)]),
  ];
  const all = { unread, uncertainties, duplicates: duplicateEffects(duplicates) };
  return { ...all, isUncertain: Object.values(all).some(({ length }) => length > 0) };
}

/** Whether the plan covers everything that it manages. A plan with -refresh-only is complete although it has no changes. */
export function isComplete(plan: Plan): boolean {
  if ((plan.errored ?? false) !== false) return false;
  return plan.complete === undefined ? !objectsOf(plan).some(({ leftOut }) => leftOut) : plan.complete === true;
}

function incompleteEffect(plan: Plan): Effect {
  const found =
    plan.errored === true
      ? gapEffect("TNF-PLAN-FAILED", "failed", failedWords(plan.errors), plan.errors?.[0]?.code)
      : gapEffect("TNF-INCOMPLETE", "incomplete", incompleteWords);
  return aboutPlan(found, plan);
}

/** The first error, and how many follow. */
function failedWords([first, ...others]: readonly RunError[] = []): string {
  if (!first)
    return (
      "The plan failed, so nothing can be applied, and other changes are not known. To see its error here, give the output of " +
      "`terraform plan` with --plan-output FILE."
    );
  const at = first.address === undefined ? "" : `, at ${clipped(first.address, 100)}`;
  const rest = others.length > 0 ? ` ${counted(others.length, "more error")} below.` : "";
  const what = first.code !== undefined && isRefusal(first.code) ? "Refused" : "The plan failed";
  return `${what}: ${clipped(first.summary.replace(/\.$/, ""), 300)}${at}.${rest} Not applied; other changes are not known.`;
}

const incompleteWords =
  "The plan is incomplete: it was made with -target, or defers changes. Other changes are not known, so nothing is proven. Plan " +
  "again without -target.";

const unplannedWords = (stack: string) =>
  `Stack ${stack} has no plan, so this review did not look at it, and nothing is proven. Plan it (cdktf diff ${shellWord(stack)}), ` +
  "and review again.";

function aboutPlan(one: Effect, { name }: Plan): Effect {
  return name === undefined ? one : { ...one, subject: { ...one.subject, plan: name } };
}
