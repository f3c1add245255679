/** Words the judgements of expectations in plans and applies. */
import type { Titled } from "../../codes/codes";
import type { JudgedExpectation } from "../../impact/expectation/judged";
import type { Operation } from "../network-acl/guard-words";

/** How the provider reacts to a judgement. */
export type Reaction = "error" | "later" | "warning" | "already" | "undecided" | "unproven";

interface Situation {
  /** Whether no later change of the plan can prevent it. */
  readonly isComplete: boolean;
  /** Whether the apply knows values that the plan does not know. */
  readonly isOpen: boolean;
}

export function reactionTo({ expectation, verdict, already }: JudgedExpectation, situation: Situation): Reaction {
  const { isComplete, isOpen } = situation;
  if (verdict === "undecided" && isOpen) return "undecided";
  if (already) return "already";
  if (verdict === "undecided") return "unproven";
  if (expectation.severity === "warning") return "warning";
  return isComplete && expectation.severity === "error" ? "error" : "later";
}

export function titleOfJudged({ expectation, verdict, already }: JudgedExpectation): Titled {
  const name = JSON.stringify(expectation.name);
  if (verdict === "undecided") return ["TNF-EXPECTATION-UNDECIDED", name];
  return [already ? "TNF-EXPECTATION-BROKEN-BEFORE" : "TNF-EXPECTATION-BROKEN", name];
}

const meant = 'If this is meant, change or remove the expectation, or set its `severity` to "warning".';
const codes = { broken: "TNF-EXPECTATION-BROKEN", undecided: "TNF-EXPECTATION-UNDECIDED", held: "" };

const closings: Record<Reaction, string> = {
  error: `${meant} Nothing was changed.`,
  later:
    "Another change of this plan may still prevent this, so the apply decides: it refuses the write if no other change does.",
  warning: 'The `severity` of the expectation is "warning", so this plan is not refused.',
  already: "It was broken before this plan, and the plan makes it no worse.",
  undecided: "The apply checks it before it writes.",
  unproven: "So the provider cannot prove that it holds, and does not refuse this plan.",
};

export function detailOf(judged: JudgedExpectation, reaction: Reaction): string {
  const { verdict, text } = judged;
  const start = reaction === "undecided" ? `This cannot be decided before the apply: ${text}` : text;
  return `${start} ${closings[reaction]} [${codes[verdict]}]`;
}

/** The detail of the error for a write that breaks an expectation at that moment of the apply. */
export function detailOfStep({ expectation, text }: JudgedExpectation, operation: Operation, isOpen: boolean): string {
  return [
    `After this step of the apply, the expectation ${JSON.stringify(expectation.name)} would be broken: ${text}`,
    "The provider did not send this write, so the state is still true.",
    isOpen ? openWords : waysOut[operation],
    `[${codes.broken}]`,
  ].join(" ");
}

/**
 * The detail of the error for a plan that replaces an object which the apply cannot delete. `noun`: the kind of the object. `isOpen`:
 * the new values are not known yet.
 */
export function replacementDetailOf({ expectation, text }: JudgedExpectation, noun: string, isOpen: boolean): string {
  const start = `When Terraform deletes the replaced ${noun}, the expectation ${JSON.stringify(expectation.name)} would be broken: ${text} `;
  if (isOpen && expectation.always !== true) return `${start}${openWords} Nothing was changed. [${codes.broken}]`;
  return (
    start +
    `Terraform deletes the old ${noun} before it creates the new one, and both need the same ${keys[noun]}. So the apply would refuse ` +
    "to delete it. Leave out `-replace` or `replace_triggered_by`: the provider makes such changes in " +
    `place. To replace the ${noun} all the same, set \`always\` of the expectation to false for this apply. Nothing was changed. ` +
    `[${codes.broken}]`
  );
}

/** The detail of the error for a plan whose members cannot be changed in any order. */
export function memberOrderDetailOf({ expectation, text }: JudgedExpectation): string {
  return (
    `While the apply changes the members, the expectation ${JSON.stringify(expectation.name)} would be broken: ${text} ` +
    "It would be broken if the apply added members first, and also if it removed members first. Change fewer members in each apply, or set " +
    `\`always\` of the expectation to false for this apply. Nothing was changed. [${codes.broken}]`
  );
}

/** Why nobody can judge a replacement as one change. */
const openWords =
  "Terraform deletes this object before it creates the new one, whose values are known only after another resource is applied. First " +
  "apply that resource alone with `-target`. If the new object can come first, write `lifecycle { create_before_destroy = true }`.";

const keys: Record<string, string> = { ACL: "priority", policy: "callers" };

const again =
  "If another change of this plan prevents this, apply again: that change is then done. If this is meant, change the expectation.";
const waysOut: Record<Operation, string> = {
  create: again,
  update: again,
  replace:
    "Terraform deletes this object before it creates the new one. Write `lifecycle { create_before_destroy = true }`, or change the " +
    "object in place.",
  delete: `${again} If the object is only tainted, run \`terraform untaint\`.`,
};
