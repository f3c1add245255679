/** The facts of lock-outs, and their words. */
import { shortTitle } from "../network-acl/words";
import { andWords } from "../../../formats/text/lists";
import { isOpen } from "../network-acl/acl";
import type { Lockout } from "./lockout";
import { lockoutWords as factsInWords } from "../words/statement";
import type { LockoutFacts } from "./facts";

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
export function assumptionsOf({ by, unless, because, ...facts }: LockoutFacts): string[] {
  const open = facts.isOpen ? by : unless;
  if (open.length > 0) return [`the values of ${andWords(open)} are known only after the apply`];
  return because === undefined || facts.isHidden ? [] : [because];
}
