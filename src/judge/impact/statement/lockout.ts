/** Judges whether a change of network ACLs locks out Terraform itself, or a protected request. */
import {
  blockedSharesOf,
  isAboutNobody,
  type BlockedShares,
  type Share,
  decide,
  type Verdict,
  mayBeAllowed,
  partsOf,
  requestOf,
  scopeCovers,
  unnamedFacts,
  whyEnds,
  type AccessRequest,
  type Acl,
  type Api,
  type Facts,
  type Statement,
} from "../../access/access";
import { hasUnknown } from "../../../formats/cty/value";
import { doubtsIn, isOpen, type PlannedAcl, type AclVersions } from "../network-acl/acl";
import { shortTitle } from "../network-acl/words";
import { distinctBy } from "../model";
import type { Assumption } from "../words/assumption";
import { apisOf, factsOf, protectedRequest, speaksForTerraform } from "./built-in";
import type { BlockedShare, LockoutFacts } from "./facts";
import type { BuiltIn, ProtectedRequest, TerraformStatement } from "./statement";

/** The facts that are known about Terraform's own requests. */
export interface Terraform {
  /** The host that its provider configuration names; left out: not known. */
  readonly hostname?: string | undefined;
  readonly userAgents: readonly string[];
  /** Whether it requests a token; false if `access_token` is set. */
  readonly asksToken: boolean;
  /** The client that requests it; left out: not known. */
  readonly client?: string | undefined;
}

/** A statement of the guard that does not hold after the change: certainly, or possibly. */
export interface Lockout {
  /** A protected request, the request for Terraform's token, or most of the Management API. */
  readonly kind: "protected request" | "token" | "breadth";
  /** Left out: Terraform's own requests from anywhere. */
  readonly request?: ProtectedRequest;
  /** Name of the protected request in messages. */
  readonly called?: string;
  readonly certainty: "certain" | "possible";
  /** It was so before the change. */
  readonly already: boolean;
  /** Left out: it was not so before the change, or the same ACL blocked the request then. */
  readonly byOther?: true;
  readonly outcome: "blocked" | "redirected";
  readonly by: readonly PlannedAcl[];
  /** Why the ACL matches, or what is not sure about it. */
  readonly because?: readonly Assumption[];
  /** ACLs that may allow the request, because their values are known only after the apply. */
  readonly unless?: readonly PlannedAcl[];
  /** A fact of the protected request is sensitive. */
  readonly isSecret?: true;
  /** For kind breadth. */
  readonly shares?: readonly BlockedShare[];
}

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

/** All lock-outs after the change, also those that were so before. */
export function lockoutsOf(stated: BuiltIn, change: AclVersions, terraform: Terraform): Lockout[] {
  const { statement } = stated;
  if (statement.kind === "own limit") return [];
  if (statement.kind === "requests") return blockedRequest(change, { ...stated, statement });
  return [...breadthLockouts(change, statement.requests, terraform), ...tokenLockout(change, terraform)];
}

/** A request may concern two APIs: only the worse result is reported, and of one ACL only the new one. */
function blockedRequest(change: AclVersions, request: ProtectedRequest): Lockout[] {
  const found = apisOf(request).flatMap((api): Lockout[] => {
    const own = { ...requestOf("/", factsOf(request)), api };
    const verdict = judge(change.after, own);
    if (verdict.denied === "no") return [];
    return [{ ...decided(verdict, judge(change.before, own), own), kind: "protected request", ...nameOf(request) }];
  });
  // Every ACL blocks all of no requests.
  if (found.length > 0 && !hasUnknown(request.statement) && isAboutNobody(request.statement as Statement)) return [];
  const certain = found.filter(({ certainty }) => certainty === "certain");
  const newFirst = (certain.length > 0 ? certain : found).toSorted((a, b) => Number(a.already) - Number(b.already));
  return distinctBy(newFirst, ({ by }) => by.map(({ key }) => key).join());
}

const nameOf = (request: ProtectedRequest) => ({
  request,
  called: request.name,
  ...(request.isSecret && { isSecret: true as const }),
});

interface Outcome extends Pick<Verdict<PlannedAcl>, "by" | "outcome" | "denied" | "endings"> {
  /** The ACLs that together block the request, if no single ACL does. */
  readonly together?: readonly PlannedAcl[];
}

/** ACLs that each block a part of the requests may together block all of them. */
function judge(acls: readonly PlannedAcl[], request: AccessRequest): Outcome {
  const verdict = decide(acls, request);
  if (verdict.denied !== "perhaps" || mayBeAllowed(acls, request)) return verdict;
  const { by, outcome, endings } = verdict;
  const together = endings.flatMap((ending) => (ending.outcome !== "allowed" && ending.by) || []);
  return { ...(by && { by }), outcome, denied: "yes", endings, together: [...new Set(together)] };
}

/** A request that was certainly blocked cannot get worse. A possible block by another ACL has other conditions. */
function decided(verdict: Outcome, before: Outcome, request: AccessRequest) {
  const { by, outcome, denied, endings, together } = verdict;
  const unless = endings.flatMap((one) => (one.outcome === "allowed" && one.by && isOpen(one.by) ? one.by : []));
  const isSame = before.by !== undefined && before.by.key === by?.key;
  const already = before.denied === "yes" || (before.denied === denied && isSame);
  return {
    certainty: denied === "yes" ? ("certain" as const) : ("possible" as const),
    already,
    ...(already && !isSame && { byOther: true as const }),
    outcome: outcome === "redirected" ? ("redirected" as const) : ("blocked" as const),
    by: together ?? (by ? [by] : []),
    ...(by && !together && { because: [{ is: "match", reasons: whyEnds(by, request) } as const] }),
    ...(unless.length > 0 && { unless }),
  };
}

/** Only if the token request is blocked from everywhere: many tenants limit sign-in to some places. */
function tokenLockout(change: AclVersions, terraform: Terraform): Lockout[] {
  for (const request of tokenRequests(terraform)) {
    if (ordinary(request).some((one) => isAllowed(change.after, one))) continue;
    const verdict = judge(change.after, request);
    if (verdict.denied === "yes")
      return [{ ...decided(verdict, judge(change.before, request), request), kind: "token" }];
  }
  return [];
}

/** Terraform's requests for a token, as far as they are known. */
function tokenRequests(terraform: Terraform): AccessRequest[] {
  const facts = terraform.asksToken ? ownFacts({ managed: [], signature_key: "" }, terraform) : [];
  return facts.map((own) => requestOf("/oauth/token", own));
}

/** Such requests from an address of each family. Most ACLs allow one of them, and the proof that all are blocked takes long. */
const ordinary = (request: AccessRequest): AccessRequest[] =>
  ["8.8.8.8", "2600::1"].map((ip) => ({ ...unnamedFacts("?", 4_294_967_294), ...request, ip, connecting_ip: ip }));

const isAllowed = (acls: readonly PlannedAcl[], request: AccessRequest) => decide(acls, request).denied === "no";

const anywhere = protectedRequest({ name: "" });

/** The protected requests that stand for Terraform's own; without any, Terraform may run anywhere. */
function standIns(requests: readonly ProtectedRequest[]): readonly ProtectedRequest[] {
  const speaking = requests.filter(speaksForTerraform);
  return speaking.length > 0 ? speaking : [anywhere];
}

/** Most of the Management API is blocked. */
function breadthLockouts(change: AclVersions, requests: readonly ProtectedRequest[], terraform: Terraform): Lockout[] {
  return standIns(requests).flatMap((request): Lockout[] => {
    const isNamed = request !== anywhere;
    const facts = factsOf(request);
    if (isNamed && isBlocked(change.after, facts)) return [];
    const found = ownFacts(facts, terraform).flatMap((own) => breadthLockout(change, own));
    const [worst] = found.toSorted((a, b) => rankOf(b) - rankOf(a));
    return worst ? [{ ...worst, ...(isNamed && nameOf(request)) }] : [];
  });
}

/**
 * Whether the ACLs alone block so much that Terraform may be locked out with the other ACLs: 1 % of the Management API, or an ordinary
 * request for a token.
 */
export function blocksMuch(
  acls: readonly PlannedAcl[],
  { requests }: TerraformStatement,
  terraform: Terraform,
): boolean {
  if (tokenRequests(terraform).some((one) => !ordinary(one).every((some) => isAllowed(acls, some)))) return true;
  if (!acls.some(mayDenyManagement)) return false;
  return standIns(requests)
    .flatMap((request) => ownFacts(factsOf(request), terraform))
    .some((facts) => {
      const { ipv4, ipv6 } = widthOf(acls, facts);
      return [ipv4, ipv6].some((share) => isOver(100n, share, "possible"));
    });
}

const widthOf = (acls: readonly PlannedAcl[], facts: Facts) =>
  blockedSharesOf(acls, { ...requestOf("/", facts), api: management });

type Measure = "certain" | "possible";

/** Whether the share is more than 1/`parts`. */
function isOver(parts: bigint, share: Share | undefined, measure: Measure): boolean {
  return share !== undefined && parts * share[measure] > share.all;
}

const management: Api = "management";

/** Then the lock-out of the protected request is reported already. */
function isBlocked(acls: readonly PlannedAcl[], facts: Facts): boolean {
  return judge(acls, { ...requestOf("/", facts), api: management }).denied === "yes";
}

/** Terraform's requests go to its own host, with its user agent. Behind some domains, the tenant does not see the user agent. */
function ownFacts(facts: Facts, { hostname, userAgents }: Terraform): Facts[] {
  const own = { ...facts, hostname: hostname ?? facts.hostname };
  const seen = userAgents.map((user_agent) => ({ ...own, user_agent }));
  if (typeof facts.user_agent === "string") return seen.length > 0 ? seen : [own];
  return [...seen, { ...own, user_agent: undefined }];
}

/** Whether the ACL can end the evaluation without allowing the request. An action that this version does not know counts. */
export const isDenial = (acl: Pick<Acl, "active" | "rule"> | undefined): boolean =>
  acl?.active === true && !partsOf(acl.rule.action)["allow"] && !partsOf(acl.rule.action)["log"];

/** Counting a share takes 8 ms of a process that runs for moments, and an apply of ten ACLs would count it twenty times. */
const mayDenyManagement = (acl: PlannedAcl) => isDenial(acl) && scopeCovers(acl.rule.scope, management) !== "no";

function breadthLockout({ before, after }: AclVersions, facts: Facts): Lockout[] {
  if (!after.some(mayDenyManagement)) return [];
  const is = widthOf(after, facts);
  for (const certainty of ["certain", "possible"] as const) {
    const wide = (["ipv4", "ipv6"] as const).filter((family) => isOver(2n, is[family], certainty));
    if (wide.length === 0) continue;
    const was = widthOf(before, facts);
    const already = wide.every((family) => isOver(2n, was[family], certainty));
    const { by } = is;
    const outcome =
      by.length > 0 && by.every(({ rule }) => partsOf(rule.action)["redirect"] === true) ? "redirected" : "blocked";
    const doubts = certainty === "possible" ? managementDoubts(after) : [];
    const because = doubts.length > 0 ? { because: doubts } : {};
    return [{ kind: "breadth", outcome, certainty, already, by, shares: sharesOf(is, certainty), ...because }];
  }
  return [];
}

/** What is not sure about the ACLs of the Management API. */
const managementDoubts = (acls: readonly PlannedAcl[]): Assumption[] =>
  acls
    .filter(({ active, rule }) => active && scopeCovers(rule.scope, management) !== "no")
    .flatMap((acl) => doubtsIn(acl, acls));

type Breadth = BlockedShares<PlannedAcl>;

function rankOf({ certainty, already }: Lockout): number {
  return { possible: 0, certain: 2 }[certainty] + (already ? 0 : 1);
}

function sharesOf({ ipv4, ipv6, byCountry }: Breadth, certainty: Measure): BlockedShare[] {
  return (["IPv4", "IPv6"] as const).flatMap((family) => {
    const share = family === "IPv4" ? ipv4 : ipv6;
    if (!share || !isOver(2n, share, certainty)) return [];
    const percent = percentOf(share[certainty], share.all);
    return [{ family, percent, ...(byCountry && { byCountry: true as const }) }];
  });
}

export const percentOf = (part: bigint, all: bigint): number => Number((part * 10_000n) / all) / 100;
