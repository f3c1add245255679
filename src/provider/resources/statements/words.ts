/** Words what the provider says about judged statements: in a plan, before a write, and about a replacement. */
import { attributePath } from "../../../formats/cty/path";
import type { Titled } from "../../../judge/codes/codes";
import { ofExpectation, ofLockout } from "../../../judge/impact/refusals";
import type { Lockout } from "../../../judge/impact/statement/lockout";
import { factsOf } from "../../../judge/impact/statement/protected-request";
import type { JudgedExpectation } from "../../../judge/impact/statement/statement";
import { isUnchanged, lockoutFacts, lockoutWords } from "../../../judge/impact/statement/words";
import { judgementWords } from "../../../judge/impact/words/reason";
import { blockerWords } from "../../../judge/impact/words/statement";
import { DiagnosticError } from "../../sdk/diagnostic";
import { permitted } from "./statements";

/** The write that is refused. `replace`: the delete of an object that Terraform creates again. */
export type Operation = "create" | "update" | "replace" | "delete";

/** How the provider reacts to a judgement. */
export type Reaction = "error" | "warning" | "already" | "undecided" | "unproven";

/** `isOpen`: the apply knows values that the plan does not know. */
export function reactionTo(judged: JudgedExpectation, isOpen: boolean): Reaction {
  const { expectation, verdict, already } = judged;
  if (verdict === "undecided" && isOpen) return "undecided";
  if (already) return "already";
  if (verdict === "undecided") return "unproven";
  if (expectation.severity === "warning") return "warning";
  return ofExpectation(judged)!.refuses ? "error" : "undecided";
}

export function titleOfJudged({ expectation, verdict, already }: JudgedExpectation): Titled {
  const name = JSON.stringify(expectation.name);
  if (verdict === "undecided") return ["TNF-EXPECTATION-UNDECIDED", name];
  return [already ? "TNF-EXPECTATION-BROKEN-BEFORE" : "TNF-EXPECTATION-BROKEN", name];
}

const meant = 'If this is meant, change or remove the expectation, or set its `severity` to "warning".';
const closings: Record<Reaction, string> = {
  error: `${meant} Nothing was changed.`,
  warning: 'The `severity` of the expectation is "warning", so this plan is not refused.',
  already: "It was broken before this plan, and the plan makes it no worse.",
  undecided: "The apply checks it before it writes.",
  unproven: "The provider does not refuse this plan, because it cannot prove that the expectation is broken.",
};

export function detailOf(judged: JudgedExpectation, reaction: Reaction): string {
  const text = judgementWords(judged);
  const start = reaction === "undecided" ? `This cannot be decided before the apply: ${text}` : text;
  return `${start} ${closings[reaction]} [${ofExpectation(judged)!.code}]`;
}

/** Names the ACL and whom it locks out. */
export function titleOfLockout(lockout: Lockout): Titled {
  const { kind, certainty, already, called = "", request } = lockout;
  const isSure = kind !== "breadth" && certainty === "certain";
  const does = blockerWords(lockoutFacts(lockout), isSure ? undefined : "may");
  const end = already ? " already" : "";
  if (kind !== "protected request") return ["TNF-PLAN-LOCKOUT", does, end];
  const { ip } = request ? factsOf(request) : {};
  const place = typeof ip !== "string" || called.includes(ip) ? "" : ` (${ip})`;
  return ["TNF-PROTECTED-REQUEST", does, `"${called}"${place}${end}`];
}

/** Why a plan with a lock-out that is refused otherwise is not refused. */
const reasons = {
  warn: '`lockout_guard` is "warn", so this plan is not refused.',
  open: "Part of a `protected_request` or `lockout_guard` is not known yet, so the apply decides.",
  error: "",
};

export type LockoutReaction = keyof typeof reasons;

export function lockoutDetailOf(lockout: Lockout, reaction: LockoutReaction): string {
  const { code, refuses } = ofLockout(lockout);
  const reason = refuses ? reasons[reaction] : "";
  const way = refuses && reaction !== "warn" ? permitted : "";
  const [words, remedy] = [lockoutWords(lockout), remedyOf(lockout)];
  const parts = [...(lockout.already ? [words, remedy] : [remedy, way, words, reason]), `[${code}]`];
  return parts.filter((part) => part !== "").join(" ");
}

const allow = "add an ACL that allows the request and is evaluated first";
const letIn = `Narrow the rule, or ${allow}.`;

function remedyOf(lockout: Lockout): string {
  const { kind, already, called } = lockout;
  if (already) {
    const isSame = isUnchanged(lockout);
    return `${isSame ? "This plan does not change that." : "Another network ACL blocked it before the change."} ${letIn}`;
  }
  if (kind === "protected request") return letIn;
  if (kind === "token") {
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

/** The error for a write that locks out at this moment of the apply, although the whole plan may be harmless. */
export function lockoutRefusalOf(lockout: Lockout, operation: Operation): DiagnosticError {
  const detail = [
    lockoutWords(lockout, "After this step of the apply"),
    "The provider waited for other changes of this apply, but none came that prevents this. It did not send this write, so the state " +
      "is still true.",
    operation === "replace"
      ? first("ACL")
      : `If another change of this plan prevents this, ${lockoutRemedies[operation]}`,
    `If none does, narrow the rule, or ${allow}.`,
    "[TNF-ACL-LOCKOUT]",
  ].join(" ");
  return new DiagnosticError("TNF-STEP-LOCKOUT", detail, operation === "delete" ? [] : attributePath("rule"));
}

const again = "apply again: that change is then done.";
const lockoutRemedies = {
  create: `${again} To need one apply only, add the ACL that allows the request to \`depends_on\` of this resource.`,
  update: `${again} If this happens again, first apply a plan that gives that ACL a lower priority number, and then the rest.`,
  delete: `${again} If this ACL is only renamed in the configuration, write \`moved\`. If it is only tainted, run \`terraform untaint\`.`,
};

const first = (noun: string) =>
  `Terraform deletes this ${noun} before it creates the new one. Write \`lifecycle { create_before_destroy = true }\`${
    noun === "ACL"
      ? " and give the new ACL another priority. If the resource only has another name, write `moved`."
      : ""
  }`;

const brokenWords = (judged: JudgedExpectation) =>
  `${JSON.stringify(judged.expectation.name)} would be broken: ${judgementWords(judged)}`;

/** The detail of the error for a write that breaks an expectation at that moment of the apply. */
export function detailOfStep(judged: JudgedExpectation, operation: Operation): string {
  return [
    `After this step of the apply, the expectation ${brokenWords(judged)}`,
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

/** `noun`: the kind of the replaced object. */
const same = (noun: "ACL" | "policy") =>
  `Terraform deletes the old ${noun} before it creates the new one, which needs the same ${keys[noun]}. Leave out \`-replace\` or ` +
  "`replace_triggered_by`: the provider makes such changes in place.";

const keys = { ACL: "priority", policy: "selector" };

export interface Refusal {
  readonly code: Titled;
  readonly detail: string;
}

/** The error for a plan that replaces an object which the apply cannot delete. */
export function replacementDetailOf(judged: JudgedExpectation, noun: "ACL" | "policy"): Refusal {
  const start = `When Terraform deletes the replaced ${noun}, the expectation ${brokenWords(judged)}`;
  const detail = `${start} ${same(noun)} Nothing was changed. [TNF-EXPECTATION-BROKEN]`;
  return { code: "TNF-PLANNED-STEP-BREAKS-EXPECTATION", detail };
}

/** The error for a plan that replaces an ACL which the apply cannot delete. */
export function replacementRefusalOf(lockout: Lockout): Refusal {
  const detail =
    `${lockoutWords(lockout, "When Terraform deletes the replaced ACL")} ${same("ACL")} To replace it all the same, write ` +
    "`lifecycle { create_before_destroy = true }` and give the new ACL another priority, or first apply another ACL that allows the " +
    "request. [TNF-ACL-LOCKOUT]";
  return { code: "TNF-REPLACEMENT-LOCKOUT", detail };
}
