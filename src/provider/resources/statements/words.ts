/** Titles and remedies of effects on statements, and why a write is refused. */
import type { Titled } from "../../../judge/codes/codes";
import type { Effect } from "../../../judge/impact/effect";
import type { LockoutFacts } from "../../../judge/impact/statement/facts";
import type { JudgedExpectation } from "../../../judge/impact/statement/statement";
import { judgementWords } from "../../../judge/impact/words/reason";
import { blockerWords, lockoutWords } from "../../../judge/impact/words/statement";
import { permitted } from "./statements";

/** Whether the effect is one while a replaced object is missing. No other change of the plan can prevent it. */
export const isOfReplacement = (facts: Effect["facts"]): boolean =>
  (facts.kind === "lockout" || facts.kind === "statement") && facts.replaced !== undefined;

/** The title of an effect on a statement. Terraform shows only the first of several warnings with one title, so each title has a name. */
export function titleOfStatement({ code, facts, certainty, already }: Effect): Titled | undefined {
  if (isOfReplacement(facts)) {
    return [facts.kind === "lockout" ? "TNF-REPLACEMENT-LOCKOUT" : "TNF-PLANNED-STEP-BREAKS-EXPECTATION"];
  }
  if (facts.kind === "statement") {
    return [already ? "TNF-EXPECTATION-BROKEN-BEFORE" : code, JSON.stringify(facts.name)];
  }
  if (facts.kind === "own limit") return ["TNF-PLAN-LOCKOUT", `The limit of "${facts.selector}" may block`, ""];
  if (facts.kind !== "lockout") return undefined;
  const isSure = facts.request !== "breadth" && certainty === "certain";
  const does = blockerWords(facts, isSure ? undefined : "may");
  const end = already ? " already" : "";
  if (facts.request !== "protected request") return ["TNF-PLAN-LOCKOUT", does, end];
  return ["TNF-PROTECTED-REQUEST", does, `"${facts.called}"${end}`];
}

/** What to do, and why a plan is not refused that the statement refuses otherwise. */
export function remedyOf({ facts, refuses, certainty, already }: Effect): string[] {
  if (facts.kind === "own limit") return refuses ? [permitted] : [];
  if (facts.kind === "statement") {
    if (refuses) return ['If this is meant, change or remove the expectation, or set its `severity` to "warning".'];
    if (already) return ["The plan makes it no worse."];
    if (facts.is === "broken" && refuses === undefined)
      return ["A part of the expectation is not known yet, so the apply decides whether to refuse it."];
    if (facts.is === "broken") return ['The `severity` of the expectation is "warning", so this plan is not refused.'];
    return ["The provider does not refuse this plan. Before each write, it checks again what the plan does not show."];
  }
  if (facts.kind !== "lockout") return [];
  if (already) return [letIn];
  const isCertain = certainty === "certain";
  return [
    lockoutRemedyOf(facts),
    ...(isCertain && refuses !== false ? [permitted] : []),
    ...(isCertain && refuses === undefined ? ["A part of the guard is not known yet, so the apply decides."] : []),
    ...(isCertain && refuses === false ? ['`lockout_guard` is "warn", so this plan is not refused.'] : []),
  ];
}

const allow = "add an ACL that allows the request and is evaluated first";
const letIn = `Narrow the rule, or ${allow}.`;

function lockoutRemedyOf({ request, called, replaced }: LockoutFacts): string {
  if (replaced) {
    return (
      "The provider makes such changes in place. To replace the ACL all the same, write `lifecycle { create_before_destroy = true }` and " +
      "give the new ACL another priority, or first apply another ACL that allows the request."
    );
  }
  if (request === "protected request") return letIn;
  if (request === "token") {
    return (
      "Terraform can then undo this plan only with `access_token`. Add an ACL that allows the machines that run Terraform and is " +
      "evaluated first, or set `access_token`."
    );
  }
  const name =
    called === undefined
      ? "name the machines that run Terraform in `protected_request` blocks, with their `ip`: plans are then judged by these requests"
      : "add more facts of that machine to the protected request: those that the rules look at";
  return `Narrow the rule, or ${name}.`;
}

/** The write that is refused. `replace`: the delete of an object that Terraform creates again. */
export type Operation = "create" | "update" | "replace" | "delete";

/** Why a write is refused that locks out at this moment of the apply, although the whole plan may be harmless. */
export function lockoutStepWords(facts: LockoutFacts, isPossible: boolean, operation: Operation): string {
  return [
    lockoutWords(facts, isPossible, "After this step of the apply"),
    "The provider waited for other changes of this apply, but none came that prevents this. It did not send this write, so the state " +
      "is still true.",
    operation === "replace"
      ? first("ACL")
      : `If another change of this plan prevents this, ${lockoutRemedies[operation]}`,
    `If none does, narrow the rule, or ${allow}.`,
    "[TNF-ACL-LOCKOUT]",
  ].join(" ");
}

const again = "apply again: that change is then done.";
const lockoutRemedies = {
  create: `${again} To need one apply only, add the ACL that allows the request to \`depends_on\` of this resource.`,
  update: `${again} If this happens again, first apply a plan that gives that ACL a lower priority number, and then the rest.`,
  delete: `${again} If the resource only has another name, write \`moved\`. If it is only tainted, run \`terraform untaint\`.`,
};

const first = (noun: string) =>
  `Terraform deletes this ${noun} before it creates the new one. Write \`lifecycle { create_before_destroy = true }\`${
    noun === "ACL"
      ? " and give the new ACL another priority. If the resource only has another name, write `moved`."
      : ""
  }`;

/** Why a write is refused that breaks an expectation at this moment of the apply. */
export function expectationStepWords(judged: JudgedExpectation, operation: Operation): string {
  return [
    `After this step of the apply, the expectation ${JSON.stringify(judged.expectation.name)} would be broken: ${judgementWords(judged)}`,
    "The provider did not send this write, so the state is still true.",
    waysOut[operation],
    "[TNF-EXPECTATION-BROKEN]",
  ].join(" ");
}

const orAgain = `If another change of this plan prevents this, ${again} If this is meant, change the expectation.`;
const waysOut: Record<Operation, string> = {
  create: orAgain,
  update: orAgain,
  replace: `${first("object")}, or change the object in place.`,
  delete: `${orAgain} If the object is only tainted, run \`terraform untaint\`.`,
};
