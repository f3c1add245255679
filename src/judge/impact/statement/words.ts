/** Words judged statements in plain English. The renderer makes untrusted text safe. */
import { apiOf, type Counterexample, type FactName, rowOf } from "../../access/access";
import { hidden, andWords, orWords } from "../phrases";
import type { PlannedAcl } from "../network-acl/acl";
import { shownWitness } from "../network-acl/witness";
import { aclWords, shortTitle } from "../network-acl/words";
import { isOpen, type Lockout } from "./lockout";
import { lockoutWords as factsInWords } from "../words/statement";
import type { LockoutFacts } from "./facts";

const apiWords = {
  authentication: "sign-in",
  management: "the Management API",
  dynamic_client_registration: "client registration",
} as const;

/** `A request to sign-in from 198.51.100.9, country KP,`: the subject of a sentence. */
export function requestWordsOf(
  { request }: Pick<Counterexample<PlannedAcl>, "request">,
  secrets: ReadonlySet<string>,
): string {
  const { path, ip, connecting_ip, managed, ...rest } = shownWitness(request, secrets);
  const through = connecting_ip === ip ? "" : ` through ${connecting_ip}`;
  const others = Object.entries(rest).flatMap(([name, value]) =>
    value === null ? [] : [`${nounOf(name as FactName)} ${String(value)}`],
  );
  const all = [...others, ...managed.map((name) => `on the list ${name}`)];
  const facts = all.map((fact) => `, ${fact}`).join("");
  return `A request to ${apiWords[apiOf(path)]} from ${ip}${through}${facts === "" ? "" : `${facts},`}`;
}

const nounOf = (name: FactName) => (name === "signature_key" ? "signed with key" : rowOf(name).noun);

/** `is allowed by ACL "Partners" (priority 10)` */
function endWords({ end, acl }: Counterexample<PlannedAcl>, secrets: ReadonlySet<string>, verb = "is"): string {
  const uri = end.redirect_uri;
  const to =
    end.outcome !== "redirected" || uri === undefined ? "" : ` to ${secrets.has("redirect_uri") ? hidden : uri}`;
  return `${verb} ${end.outcome}${to}${acl ? ` by ${aclWords(acl)}` : ", because no ACL matches"}`;
}

const shoulds: Readonly<Record<string, string>> = {
  blocked: "blocked",
  reached: "allowed",
  redirected: "redirected",
  logged: "logged",
};

export const outcomeWords = (outcomes: readonly string[]): string =>
  orWords(outcomes.map((outcome) => shoulds[outcome] ?? outcome));

/** `assumptions`: why it may be another outcome. */
export function brokenWords(
  counterexample: Counterexample<PlannedAcl>,
  outcomes: readonly string[],
  assumptions: readonly string[],
  secrets: ReadonlySet<string>,
): string {
  const note = assumptions.length === 0 ? "" : ` Not certain: ${andWords(assumptions)}.`;
  const end = endWords(counterexample, secrets);
  return `${requestWordsOf(counterexample, secrets)} ${end}. It should be ${outcomeWords(outcomes)}.${note}`;
}

export function undecidedWords(
  counterexample: Counterexample<PlannedAcl>,
  outcomes: readonly string[],
  assumptions: readonly string[],
  secrets: ReadonlySet<string>,
): string {
  const when = assumptions.length === 0 ? "" : ` if ${andWords(assumptions)}`;
  const end = endWords(counterexample, secrets, "may be");
  return `${requestWordsOf(counterexample, secrets)} ${end}${when}. It should be ${outcomeWords(outcomes)}.`;
}

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
    ...(already && { was: isUnchanged(lockout) ? ("blocked" as const) : ("blocked by another ACL" as const) }),
  };
}

/** Whether the same network ACLs blocked the requests before. */
export const isUnchanged = ({ already, byOther }: Lockout): boolean => already && !byOther;
