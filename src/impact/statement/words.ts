/** Words judged statements in plain English. The renderer makes untrusted text safe. */
import { apiOf, type Counterexample, type FactName, rowOf } from "../../access/access";
import { clipped, hidden, andWords, orWords } from "../phrases";
import type { PlannedAcl } from "../network-acl/acl";
import { shownWitness } from "../network-acl/witness";
import { titleOf } from "../network-acl/words";
import { isOpen, type Lockout } from "./lockout";
import type { JudgedExpectation } from "./statement";

/** `Broken: a request to sign-in …`: the verdict and the text. */
export const judgementWords = ({ verdict, text }: JudgedExpectation): string =>
  `${verdict[0]!.toUpperCase()}${verdict.slice(1)}: ${text.replace(/^A(?= request )/, "a")}`;

/** `ACL "Wall" with priority 90`; without a description, the address or id. */
export function aclWords(acl: PlannedAcl): string {
  const { description, address, id, priority, secret, unplaced } = acl;
  const name = description === "" ? (address ?? id ?? "without a name") : `"${clipped(description, 100)}"`;
  const number = secret.has("priority") ? hidden : String(priority);
  const place = Number.isNaN(priority) ? "a priority that is not known yet" : `priority ${number}`;
  return `ACL ${name} with ${place}${unplaced ? ", perhaps another tenant's" : ""}`;
}

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

/** `is allowed by ACL "Partners" with priority 10` */
export function endWords({ end, acl }: Counterexample<PlannedAcl>, secrets: ReadonlySet<string>, verb = "is"): string {
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
  const note = assumptions.length === 0 ? "" : ` This is not certain: ${andWords(assumptions)}.`;
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
export function lockoutWords(lockout: Lockout, when = "After this plan"): string {
  const { kind, called, by } = lockout;
  const titles = [
    ...by.slice(0, mostNamed).map(shortTitle),
    ...(by.length > mostNamed ? [`${by.length - mostNamed} more`] : []),
  ];
  const isHidden = lockout.isSecret === true || by.some(({ secret }) => secret.size > 0);
  const subject = isUnchanged(lockout) ? upperFirst(andWords(titles)) : `${when}, ${andWords(titles)}`;
  const does = `${subject} ${verbOf(lockout)}`;
  const why = isHidden ? "" : whyWords(lockout);
  if (kind === "protected request") return `${does} the protected request "${called}"${why}.`;
  if (kind === "token") return `${does} Terraform's request for a token${why}.`;
  const shares = isHidden ? "most requests" : andWords(lockout.shares ?? []);
  const where = called === undefined ? "" : ` for the protected request "${called}", whose other facts are not known`;
  return `${does} ${shares} from the Management API${where}.`;
}

/** Why the ACL matches, or why it is not known whether it does. */
function whyWords({ by, because, unless = [] }: Lockout): string {
  const others = unless.filter((acl) => !by.includes(acl)).map(shortTitle);
  const open = "known only after the apply";
  if (by.some(isOpen)) return `. ${by.length === 1 ? "Its" : "Their"} values are ${open}`;
  const words = because ? `: ${because}` : "";
  return others.length === 0 ? words : `${words}, unless ${orWords(others)} allows it: its values are ${open}`;
}

const mostNamed = 5;

const shortTitle = (acl: PlannedAcl) => titleOf({ ...acl, description: clipped(acl.description) });

const upperFirst = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

/** Whether the same network ACLs blocked the requests before. */
export const isUnchanged = ({ already, byOther }: Lockout): boolean => already && !byOther;

function verbOf(lockout: Lockout): string {
  const { certainty, outcome, by } = lockout;
  const verb = outcome === "redirected" ? "redirect" : "block";
  if (certainty === "possible") return `may ${verb}`;
  return isUnchanged(lockout) ? `${verb}${by.length === 1 ? "s" : ""}` : `would ${verb}`;
}
