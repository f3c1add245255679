/** The parts of a tenant that a review could not read. If there are any, the review proves nothing. */
import { shellWord } from "../../formats/text/printable";
import { isRefusal } from "../../judge/codes/codes";
import { gapEffect, type Effect } from "../../judge/impact/effect";
import type { GapFacts } from "../../judge/impact/facts";
import { andWords, clipped, counted, listed } from "../../formats/text/lists";
import type { RunError } from "../input/plan";
import { isComplete, type PlanInput } from "../input/plan-input";
import { refusedWords } from "../input/remote";
import type { ReviewInput } from "../input/review-input";

export type GapEffect = Effect & { readonly facts: GapFacts };

const order: readonly GapFacts["gap"][] = ["failed", "incomplete", "refused", "unplanned", "tenant"];

/** What is not read of the plans, before what may belong to another tenant. */
export function gapsOf({ plans, asked: { refused = [], uncertainty } = {} }: Pick<ReviewInput, "plans" | "asked">) {
  const uncertain = (text: string) => gapEffect("TNF-TENANT-UNKNOWN", "tenant", text);
  const found = [
    ...plans.flatMap(gapsIn),
    ...refused.map((one) => gapEffect("TNF-INCOMPLETE", "refused", refusedWords(one))),
    ...(uncertainty === undefined ? [] : [uncertain(uncertainty)]),
  ] as GapEffect[];
  const place = ({ facts: { gap } }: GapEffect) => Math.max(1, order.indexOf(gap));
  return found.toSorted((one, other) => place(one) - place(other));
}

function gapsIn(plan: PlanInput): Effect[] {
  const { name, errors, hasFailed, unplanned, uncertainties } = plan;
  const failed = () => gapEffect("TNF-PLAN-FAILED", "failed", failedWords(errors), errors[0]?.code);
  const found = [
    ...(isComplete(plan)
      ? []
      : [hasFailed ? failed() : gapEffect("TNF-INCOMPLETE", "incomplete", incompleteWords(plan))]),
    ...unplanned.map((stack) => gapEffect("TNF-STACK-UNPLANNED", "unplanned", unplannedWords(stack))),
    ...uncertainties.map((text) => gapEffect("TNF-TENANT-UNKNOWN", "tenant", text)),
  ];
  return name === undefined ? found : found.map((one) => ({ ...one, subject: { ...one.subject, plan: name } }));
}

/** The first error, and how many follow. */
function failedWords([first, ...others]: readonly RunError[]): string {
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

const mostNamed = 5;

function incompleteWords({ deferred }: PlanInput): string {
  if (deferred.length === 0)
    return (
      "The plan is incomplete: it was made with -target, or defers changes. Other changes are not known, so nothing is proven. Plan " +
      "again without -target."
    );
  const names = deferred.map(({ address, deferred: reason }) => `${clipped(address, 100)} (${reason})`);
  return (
    `The plan is incomplete: Terraform defers the change of ${andWords(listed(names, mostNamed))} to a later plan, ` +
    "so nothing is proven. Review that plan too."
  );
}

const unplannedWords = (stack: string) =>
  `Stack ${stack} has no plan, so this review did not look at it, and nothing is proven. Plan it (cdktf diff ${shellWord(stack)}), ` +
  "and review again.";

const clauses: Readonly<Record<GapFacts["gap"], string>> = {
  failed: "planning ended with an error, which `terraform plan` shows",
  incomplete: "the plan is incomplete",
  refused: "the tenant refuses to list some of its objects",
  unplanned: "a stack has no plan",
  tenant: "the tenant is not known for certain",
};

/** Why the tenant may have other objects than those of the input, as a clause. Undefined: the input shows everything. */
export function incompleteBy(gaps: readonly GapEffect[], hasDuplicates: boolean, plans: readonly PlanInput[]) {
  const found = new Set([
    ...gaps.map(({ facts: { gap } }) => clauses[gap]),
    ...(hasDuplicates ? ["two resources manage the same object"] : []),
    ...plans.flatMap(({ incomplete }) => incomplete ?? []),
  ]);
  return found.size > 0 ? andWords(found) : undefined;
}
