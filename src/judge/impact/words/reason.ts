/** Words why a statement holds, is broken or is undecided. The renderer makes untrusted text safe. */
import { apiOf, type FactName, rowOf } from "../../access/access";
import { andWords, counted, hidden, listed, orWords } from "../../../formats/text/lists";
import type { Witness } from "../network-acl/levels";
import type { MemberProblem, PolicySummary, Reason, UnshownPart } from "../statement/reason";
import { assumptionWords, doubtWords, policyName, type Assumption } from "./assumption";

interface Judged {
  readonly verdict: "held" | "broken" | "undecided";
  readonly reason: Reason;
  readonly assumptions: readonly Assumption[];
}

/** One or two sentences: a counterexample with its outcome and the object that decides it, or why it is undecided. */
export function judgementWords(judged: Judged): string {
  const { verdict, reason, assumptions } = judged;
  switch (reason.kind) {
    case "held":
      return "It holds after the change.";
    case "incomplete":
      return doubtWords(reason.because).trim();
    case "counterexample":
      return counterexampleWords(reason, judged);
    case "limit":
    case "members": {
      const words =
        reason.kind === "limit"
          ? limitWords(reason, verdict === "broken")
          : reason.problems.map(problemWords).join(" ");
      return words + doubtWords(assumptions);
    }
    case "nobody":
      return "It states nothing: no request has these attributes, or `except` has all of these requests.";
    case "unread":
      return unreadWords(reason);
    case "value":
      return reason.name === undefined
        ? "The plan does not show every value of this expectation."
        : `The plan does not show the value of ${reason.name}, so the expectation cannot be decided before the apply.`;
    case "sensitive":
      return `A value of this expectation is sensitive, so the ${reason.what} ${reason.what === "details" ? "are" : "is"} not shown.`;
    case "effort":
      return "The network ACLs overlap so much that the proof would take too long.";
    case "printed":
      return "`terraform plan` refuses the plan because of it.";
    case "unshown":
      return `${reason.parts.map(partWords).join(" ")} Write plain blocks with constants, or give \`--expect FILE\`.`;
    case "assumed": {
      const that = andWords(reason.that.map(assumptionWords));
      if (verdict === "undecided")
        return `It holds if ${that}. Plans show no expressions, and the configuration was not found.`;
      return `${judgementWords({ verdict, reason: reason.of, assumptions: reason.beside })} This assumes that ${that}.`;
    }
  }
}

export function partWords(part: UnshownPart): string {
  if (part.is === "dynamic") return `\`${part.block}\` is a dynamic block, which plans leave out.`;
  if (part.is === "unreadable")
    return `This version of Tenantform cannot read ${part.attribute === undefined ? "it" : `its \`${part.attribute}\``}.`;
  const { attribute, from } = part;
  return `The plan does not show \`${attribute}\`, which is ${from === undefined ? "not a constant" : `computed from ${from}`}.`;
}

type Of<Kind extends Reason["kind"]> = Extract<Reason, { readonly kind: Kind }>;

/** `A request to sign-in from 198.51.100.9 is allowed by ACL "Partners" (priority 10). It should be blocked.` */
function counterexampleWords(reason: Of<"counterexample">, { verdict, assumptions }: Judged): string {
  const { request, outcome, redirect_uri: uri, by, demanded } = reason;
  const to = uri === undefined ? "" : ` to ${uri}`;
  const end = `${verdict === "broken" ? "is" : "may be"} ${outcome}${to}${by === undefined ? ", because no ACL matches" : ` by ${by}`}`;
  return `${requestWords(request)} ${end}. It should be ${outcomeWords(demanded)}.${doubtWords(assumptions)}`;
}

const apiWords = {
  authentication: "sign-in",
  management: "the Management API",
  dynamic_client_registration: "client registration",
} as const;

/** `A request to sign-in from 198.51.100.9, country KP,`: the subject of a sentence. */
export function requestWords({ path, ip, connecting_ip: connecting, managed, ...rest }: Witness): string {
  const through = connecting === ip ? "" : ` through ${connecting}`;
  const others = Object.entries(rest).flatMap(([name, value]) =>
    value === null ? [] : [`${nounOf(name as FactName)} ${String(value)}`],
  );
  const all = [...others, ...managed.map((name) => `on the list ${name}`)];
  const facts = all.map((fact) => `, ${fact}`).join("");
  return `A request to ${apiWords[apiOf(path)]} from ${ip}${through}${facts === "" ? "" : `${facts},`}`;
}

const nounOf = (name: FactName) => (name === "signature_key" ? "signed with key" : rowOf(name).noun);

export const outcomeWords = (outcomes: readonly string[]): string =>
  orWords(outcomes.map((outcome) => (outcome === "reached" ? "allowed" : outcome)));

function limitWords({ callers, policy, at_least: least, at_most: most }: Of<"limit">, isSure: boolean): string {
  const is = policy
    ? `The ${policyWords(policy)}.`
    : isSure
      ? `No rate limit policy applies to ${callers}, so there is no limit.`
      : `It is not known whether a rate limit policy applies to ${callers}. If none does, there is no limit.`;
  const bounds = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  return `${is} The limit should be ${bounds.join(" and ")} ${(most ?? least) === 1 ? "request" : "requests"} per second.`;
}

function policyWords(policy: PolicySummary): string {
  const { action, rate, unknown, shared } = policy;
  const name = policyName(policy);
  if (action === "allow") return `${name} limits nothing, because its action is allow`;
  if (action === "log") return `${name} only logs requests, so it limits nothing`;
  if (unknown)
    return `${name} has ${unknown === "action" ? "an action" : "a limit"} that is known only after the apply`;
  const requests = typeof rate === "number" ? counted(rate, "request") : `${rate} requests`;
  return `${name} allows ${requests} per second${shared === undefined ? "" : ` ${shared}`}`;
}

const mostPolicies = 3;

/** What a statement that holds does not cover. */
export const uncoveredWords = (policies: readonly PolicySummary[]): string =>
  `It does not cover applications with another policy: ${andWords(
    listed(
      policies.map((one) => `the ${policyWords(one)}`),
      mostPolicies,
    ),
  )}.`;

const mostMembers = 3;

function problemWords(problem: MemberProblem): string {
  const { isSure, count } = problem;
  if ("ids" in problem) {
    const who = problem.ids === hidden ? hidden : andWords(listed(problem.ids, mostMembers));
    const are = problem.count > 1 ? "are" : "is";
    if (problem.is === "missing") return `${who} ${are} ${isSure ? "not" : "perhaps not"} in the organization.`;
    return isSure ? `${who} ${are} in the organization.` : `${who} may be in the organization.`;
  }
  const { is, bound } = problem;
  if (is === "many" && !isSure) return `The organization may have more than ${counted(bound, "member")}.`;
  const has = `${isSure ? "" : "perhaps only "}${count === hidden ? `${hidden} members` : counted(count, "member")}`;
  return `The organization has ${has}, and it should have at ${is === "few" ? "least" : "most"} ${bound}.`;
}

function unreadWords({ what, organization, isMissing }: Of<"unread">): string {
  if (isMissing) return `The tenant has no organization ${organization}.`;
  if (what !== "members") return `The ${what} of the tenant were not read.`;
  return organization === undefined
    ? "The members of organizations were not read."
    : `The members of the organization ${organization} were not read.`;
}
