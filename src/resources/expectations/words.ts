/** Words the judgements of expectations in plans and applies. */
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

export function summaryOf({ expectation, verdict, already }: JudgedExpectation): { summary: string } {
  const name = JSON.stringify(expectation.name);
  if (verdict === "undecided") return { summary: `Expectation ${name} is undecided` };
  return already ? { summary: `Expectation ${name} was broken before` } : { summary: `Expectation ${name} is broken` };
}

const meant = 'If this is meant, change or remove the expectation, or set its `severity` to "warning".';
const codes = { broken: "TF-EXPECTATION-BROKEN", undecided: "TF-EXPECTATION-UNDECIDED", held: "" };

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
  const { verdict, text, remedy } = judged;
  const start = reaction === "undecided" ? `This cannot be decided before the apply: ${text}` : text;
  return [start, remedy, closings[reaction], `[${codes[verdict]}]`].filter((part) => part !== undefined).join(" ");
}

/** The detail of the error for a write that breaks an expectation at that moment of the apply. */
export function detailOfStep({ expectation, text, remedy }: JudgedExpectation, operation: Operation): string {
  const parts = [
    `After this step of the apply, the expectation ${JSON.stringify(expectation.name)} would be broken: ${text}`,
    remedy,
    "The provider did not send this write, so the state is still true.",
    waysOut[operation],
    `[${codes.broken}]`,
  ];
  return parts.filter((part) => part !== undefined).join(" ");
}

const again =
  "If another change of this plan prevents this, apply again: that change is then done. If this is meant, change the expectation.";
const waysOut: Record<Operation, string> = {
  create: again,
  update: again,
  replace:
    "Terraform deletes this object before it creates the new one. Write `lifecycle { create_before_destroy = true }`, or change the " +
    "object in place.",
  delete: again,
};
