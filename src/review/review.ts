/** Reviews one plan, or several plans of one tenant. */
import { analyseAcls, type AclAnalysis } from "../impact/network-acl/analysis";
import { aclFindings } from "../impact/network-acl/changes";
import { actionFindings } from "../impact/objects/actions";
import { driftFindings } from "../impact/objects/drift";
import type { PlannedAcl } from "../impact/network-acl/acl";
import { aclsOf } from "./acls";
import { incompleteBy } from "./expectations/incomplete";
import type { ExpectationFile } from "./expectations/file";
import { reviewExpectations, type ReviewedExpectation } from "./expectations/judged";
import { expectationEffects } from "../impact/expectation/effects";
import { endsIn } from "../impact/expiry/ends";
import { expiryFindings } from "../impact/expiry/findings";
import { duplicateFindings, duplicatesIn } from "../impact/objects/duplicates";
import { finding, levels, type Finding } from "../impact/finding";
import { keyFindings } from "../impact/network-acl/keys";
import { lockoutFindings } from "../impact/lockout/findings";
import { guardFindings } from "../impact/lockout/guard-findings";
import { knownValue, providerBlocks } from "./expression";
import { planGuards } from "./guard";
import { ownHosts, terraformOf } from "./terraform-requests";
import { driftOf, objectsOf } from "./objects";
import type { MemberChange } from "../impact/organization-member-set/changes";
import { judgeMembers } from "../impact/organization-member-set/findings";
import type { Plan } from "./plan";
import { promotedIn, promotionEffects, promotionFindings, type PromotionGate } from "../impact/promotion/promotion";
import type { TrafficReport } from "./replay/report";
import type { BaseGuard } from "./protect";
import { limitChanges, type LimitChange } from "../impact/rate-limit-policy/changes";
import { limitFindings } from "../impact/rate-limit-policy/findings";
import { evaluateProbes, type Probe, type ProbeOutcome } from "./probe";
import { ruleChanges, type RuleChange } from "../impact/network-acl/rule-changes";
import { lockoutEffects } from "../impact/lockout/effects";
import { acts, type PlannedObject } from "../impact/model";
import { aclEffects } from "../impact/network-acl/effects";
import { logEffects } from "../impact/network-acl/log-effects";
import type { Effect } from "../impact/verdict/effect";
import { memberEffects } from "../impact/organization-member-set/effects";
import { limitEffects } from "../impact/rate-limit-policy/effects";
import { verdictOf, type Verdict } from "../impact/verdict/verdict";
import { kindOf } from "../kinds/kinds";
import { networkAcl } from "../kinds/network-acl";
import { networkAclKey } from "../kinds/network-acl-key";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import { scopesOf } from "./scopes";
import type { TenantName } from "./tenant-name";
import { transientsOf } from "./transient";
import { meaningOf, type Meaning } from "../impact/meaning/meaning";
import { unreadIn, unreadWords } from "./unread";
import { placeOf, placesOf, type Places } from "./places/lookup";
import { blindWords, families, remoteIn, type Family, type RemoteState } from "./remote";

export interface Review {
  readonly name: string;
  /** Left out: the review is about a plan. */
  readonly title?: string;
  /** Left out: the review is a comparison. */
  readonly tenant?: TenantName;
  /** A reservation, in sentences. */
  readonly note?: string;
  /** How the effect differs from that of most tenants, in sentences. */
  readonly differences?: readonly string[];
  /** The provider configurations that the review covers, if the plan is for several tenants. */
  readonly configs?: readonly string[];
  /** Other changes of the tenant may exist, so nothing is proven. */
  readonly isUncertain: boolean;
  /** The plan covers everything that it manages. */
  readonly complete: boolean;
  /** Kinds of objects whose unmanaged objects are not known. */
  readonly unseen: readonly Family[];
  readonly verdict: Verdict;
  /** Where the configurations declare their objects: see `placeOf`. */
  readonly places: Places;
  /** The highest level first. */
  readonly findings: readonly Finding[];
  readonly acls: AclAnalysis;
  readonly rules: readonly RuleChange[];
  readonly policies: readonly LimitChange[];
  readonly members: readonly MemberChange[];
  readonly expectations: readonly ReviewedExpectation[];
  readonly scopes: readonly string[];
  readonly probes: readonly ProbeOutcome[];
  /** The replay of a log, if the review has one. */
  readonly traffic?: TrafficReport;
  /** Left out: the review covers one of several plans. */
  readonly meaning?: Meaning;
  /** All ACLs, also inactive ones. Probes run against them. */
  readonly versions: { readonly before: readonly PlannedAcl[]; readonly after: readonly PlannedAcl[] };
}

export interface ReviewOptions {
  /** Code -> why it is not counted. */
  readonly ignored?: ReadonlyMap<string, string>;
  readonly probes?: readonly Probe[];
  /** The guards of the base branch. */
  readonly protect?: readonly BaseGuard[];
  /** Expectations of files, in addition to those of the plans. */
  readonly expect?: readonly ExpectationFile[];
  /** Remote state that the tenant itself returned. */
  readonly remote?: RemoteState | undefined;
  /** The replay of the tenant's log against the plans. */
  readonly traffic?: TrafficReport | undefined;
  readonly promotion?: PromotionGate;
  /** Milliseconds since the UNIX epoch. Ends of objects are compared with this time. Default: now. */
  readonly now?: number;
}

export function reviewPlans(name: string, plans: readonly Plan[], options: ReviewOptions = {}): Review {
  const { ignored = new Map<string, string>(), probes = [], protect = [] } = options;
  const remote = remoteIn(plans, options.remote);
  const versions = aclsOf(plans, remote.network_acls);
  const { before, after } = versions;
  const uncertainties = plans.flatMap((plan) =>
    (plan.uncertainties ?? []).map((text) => aboutPlan(finding("TF-TENANT-UNKNOWN", text), plan)),
  );
  if (options.remote?.uncertainty !== undefined)
    uncertainties.push(finding("TF-TENANT-UNKNOWN", options.remote.uncertainty));
  const unplanned = plans.flatMap((plan) =>
    (plan.unplanned ?? []).map((stack) => aboutPlan(finding("TF-STACK-UNPLANNED", unplannedWords(stack)), plan)),
  );
  const objects = plans.flatMap((plan) => objectsOf(plan));
  const { now = Date.now() } = options;
  const ends = endsIn(objects, now);
  const duplicates = duplicatesIn(objects);
  const cut = plans.filter((plan) => !isComplete(plan));
  const isUncertain = [uncertainties, unplanned, cut].some(({ length }) => length > 0) || duplicates.size > 0;
  const hosts = ownHosts(plans, [...before, ...after]);
  const acls = analyseAcls(versions, isUncertain, hosts);
  const limited = objects.filter(({ type }) => kindOf(type) === rateLimitPolicy);
  const policies = limitChanges(limited, remote.rate_limit_policies, duplicates);
  const members = judgeMembers(objects, remote.organization_members, remote);
  const guards = plans.map(planGuards);
  const base = protect.flatMap(({ requests }) => requests);
  const lockouts = lockoutFindings(
    versions,
    {
      own: guards.flatMap((one) => one.guards.flatMap(({ requests }) => requests)),
      base,
    },
    terraformOf(plans),
    guards.some(({ changesAcls }) => changesAcls),
  );
  const unread = [...cut.map((plan) => aboutPlan(finding("TF-INCOMPLETE", incompleteWords(plan)), plan)), ...unplanned];
  const unsure = [...unread, ...uncertainties, ...duplicateFindings(duplicates)];
  const incomplete = incompleteBy(plans, unsure);
  const expectations = reviewExpectations(plans, options.expect ?? [], { versions, objects, remote, incomplete });
  const keys = objects.filter(({ type }) => kindOf(type) === networkAclKey);
  const found = [
    ...duplicateFindings(duplicates),
    ...lockouts,
    ...expectations.findings,
    ...guardFindings(guards, protect),
    ...aclFindings(acls, versions, hosts),
    ...keyFindings(keys, versions),
    ...limitFindings(policies),
    ...promotionFindings(promotedIn(versions, policies), options.traffic?.promotions, options.promotion),
    ...(duplicates.size > 0 ? [] : transientsOf(plans, { versions, objects, guards, base, secrets: acls.secrets })),
    ...expiryFindings(ends, now),
    ...[...members.losses, ...members.possibleLosses].map((one) => one.finding),
    ...members.kept,
    ...plans.flatMap((plan) => {
      const own = objectsOf(plan);
      return [...actionFindings(own, meansEarlyAccess(plan)), ...driftFindings(driftOf(plan), own)];
    }),
    ...unread,
    ...uncertainties,
  ];
  const findings = found.map((one) => withReason(one, ignored)).toSorted(byLevel);
  const unseen = families.filter((family) => remote[family] === undefined);
  const places = placesOf(plans);
  const effects = [
    ...lockoutEffects(findings, acls),
    ...aclEffects(acls),
    ...logEffects(acls),
    ...limitEffects(policies),
    ...promotionEffects(options.traffic?.promotions ?? [], options.promotion),
    ...memberEffects(members),
    ...expectationEffects(expectations.judged),
  ];
  return {
    name,
    ...(plans.length === 1 && configsOf(plans[0]!)),
    isUncertain,
    complete: cut.length === 0,
    unseen,
    places,
    verdict: verdictOf({
      effects: effects.map((effect) => placed(effect, places)),
      findings,
      gaps: findings.filter(isGap),
      unread: unreadWords(plans),
      unseen: unseenWords(unseen, objects, acls),
    }),
    findings,
    acls,
    rules: ruleChanges(versions),
    policies,
    members: members.changes,
    expectations: expectations.judged,
    scopes: scopesOf(plans),
    probes: evaluateProbes(probes, before, after, acls.secrets),
    ...(options.traffic && { traffic: options.traffic }),
    meaning: meaningOf({
      versions,
      limits: policies,
      members: members.changes,
      keys,
      ends,
      reasons: [...(incomplete === undefined ? [] : [`the whole tenant, because ${incomplete}`]), ...unreadIn(plans)],
      unseen,
    }),
    versions: { before, after },
  };
}

/** Reviews one of several plans as if the other plans were applied first. */
export function reviewPart(whole: Review, plan: Plan, { probes = [] }: ReviewOptions = {}): Review {
  const isOwn = (one: { readonly plan?: string }) => one.plan === plan.name;
  const { before, after } = whole.versions;
  const were = [...before.filter(isOwn), ...after.filter((acl) => !isOwn(acl))];
  const acls = analyseAcls({ before: were, after }, whole.isUncertain, whole.acls.ownHosts);
  const findings = whole.findings.filter(isOwn);
  const others = whole.verdict.effects.filter(({ kind, cause }) => judgedTogether.has(kind) && cause.some(isOwn));
  const effects = [...others, ...aclEffects(acls), ...logEffects(acls)];
  const unseen = unseenWords(whole.unseen, objectsOf(plan), acls);
  return {
    name: plan.name ?? whole.name,
    ...configsOf(plan),
    isUncertain: whole.isUncertain,
    complete: isComplete(plan),
    unseen: whole.unseen,
    places: whole.places,
    verdict: verdictOf({
      effects: effects.map((effect) => placed(effect, whole.places)),
      findings,
      gaps: findings.filter(isGap),
      unread: unreadWords([plan]),
      unseen,
    }),
    findings,
    acls,
    rules: whole.rules.filter(({ acl }) => isOwn(acl)),
    policies: whole.policies.filter(isOwn),
    members: whole.members.filter(isOwn),
    expectations: whole.expectations.filter(({ expectation }) => isOwn(expectation)),
    scopes: scopesOf([plan]),
    probes: evaluateProbes(probes, were, after, acls.secrets),
    versions: { before: were, after },
  };
}

/** Kinds of effects that are judged over all plans. */
const judgedTogether: ReadonlySet<Effect["kind"]> = new Set(["limit", "members", "lockout", "expectation"]);

const placed = (effect: Effect, places: Places): Effect => ({
  ...effect,
  cause: effect.cause.map((one) => ({ ...one, ...placeOf({ places }, one.address, one.plan) })),
});

const gapCodes: ReadonlySet<string> = new Set(["TF-INCOMPLETE", "TF-STACK-UNPLANNED", "TF-TENANT-UNKNOWN"]);

/** Whether the finding is about something that the review could not read. */
const isGap = ({ code }: Finding) => gapCodes.has(code);

/** Names the unmanaged objects that the review did not read although they may matter for the changes of the plans. */
function unseenWords(
  unseen: readonly Family[],
  objects: readonly PlannedObject[],
  { changed }: AclAnalysis,
): string | undefined {
  const touched = new Set<string | undefined>(objects.filter(acts).map(({ type }) => kindOf(type)?.family));
  const matters = (family: Family) => (family === networkAcl.family ? changed.size > 0 : touched.has(family));
  const relevant = unseen.filter(matters);
  return relevant.length === 0 ? undefined : blindWords(relevant);
}

function incompleteWords({ errored }: Plan): string {
  const [why, remedy] =
    errored === true
      ? ["planning ended with an error", "Correct the error, and plan again."]
      : ["it was made with -target, or defers changes", "Plan again without -target."];
  return `The plan is incomplete: ${why}. The review does not know what else will change, so nothing is proven. ${remedy}`;
}

/** Whether every provider block of the plan has `early_access = true`. */
function meansEarlyAccess(plan: Plan): boolean {
  const blocks = providerBlocks(plan, ["tenant"]);
  const isMeant = (block: (typeof blocks)[number]) =>
    knownValue(block.expressions?.["early_access"], plan, block)?.value === true;
  return blocks.length > 0 && blocks.every(isMeant);
}

const unplannedWords = (stack: string) =>
  `Stack ${stack} has no plan, so this review did not look at it, and nothing is proven. Plan every stack that ` +
  "belongs to the tenant (cdktf diff), and review again.";

/** Whether the plan covers everything that it manages. A plan with -refresh-only is complete although it has no changes. */
function isComplete(plan: Plan): boolean {
  if ((plan.errored ?? false) !== false) return false;
  return plan.complete === undefined ? !objectsOf(plan).some(({ leftOut }) => leftOut) : plan.complete === true;
}

const configsOf = ({ provider_configs: configs }: Plan) => configs && { configs };

function aboutPlan(one: Finding, { name }: Plan): Finding {
  return name === undefined ? one : { ...one, plan: name };
}

function withReason(one: Finding, ignored: ReadonlyMap<string, string>): Finding {
  const reason = ignored.get(one.code);
  return reason === undefined ? one : { ...one, ignored: reason };
}

function byLevel(a: Finding, b: Finding): number {
  const rank = ({ level, ignored }: Finding) => (ignored === undefined ? levels.indexOf(level) : -1);
  return rank(b) - rank(a);
}
