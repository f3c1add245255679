/** The facts of lock-outs and their words, and why a write is refused. */
import { shortTitle } from "../network-acl/words";
import { isOpen } from "../network-acl/acl";
import type { Lockout } from "./lockout";
import { lockoutWords as factsInWords } from "../words/statement";
import type { LockoutFacts } from "./facts";
import type { JudgedExpectation } from "./statement";
import type { Assumption } from "../words/assumption";
import { judgementWords } from "../words/reason";

/** A sentence. `when`: the moment of a lock-out that was not so before. */
export const lockoutWords = (lockout: Lockout, when?: string): string =>
  factsInWords(lockoutFacts(lockout), lockout.certainty === "possible", when);

const mostOfName = 48;

export function lockoutFacts(lockout: Lockout): LockoutFacts {
  const { kind, called, outcome, by, because, unless = [], shares = [], already } = lockout;
  const isHidden = lockout.isSecret === true || by.some(({ secret }) => secret.size > 0);
  return {
    kind: "lockout",
    request: kind,
    ...(called !== undefined && { called }),
    outcome,
    by: by.map((acl) => shortTitle(acl, mostOfName)),
    unless: unless.filter((acl) => !by.includes(acl)).map((acl) => shortTitle(acl, mostOfName)),
    ...(because !== undefined && !isHidden && { because }),
    ...(by.some(isOpen) && { isOpen: true as const }),
    ...(isHidden && { isHidden: true as const }),
    shares: isHidden ? [] : shares,
    ...(already && { was: lockout.byOther ? ("blocked by another ACL" as const) : ("blocked" as const) }),
  };
}

/** On what a possible lock-out depends. A sensitive value is not shown. */
export function assumptionsOf({ by, unless, because, ...facts }: LockoutFacts): readonly Assumption[] {
  const open = facts.isOpen ? by : unless;
  if (open.length > 0) return [{ is: "open ACLs", acls: open }];
  return facts.isHidden ? [] : (because ?? []);
}

/* The refusals of the provider. */

/** The write that is refused. `replace`: the delete of an object that Terraform creates again. */
export type Operation = "create" | "update" | "replace" | "delete";

export const allow = "add an ACL that allows the request and is evaluated first";

/** Why a write is refused that locks out at this moment of the apply, although the whole plan may be harmless. */
export function lockoutStepWords(lockout: Lockout, operation: Operation): string {
  return [
    lockoutWords(lockout, "After this step of the apply"),
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
