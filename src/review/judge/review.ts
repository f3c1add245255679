/** Reviews one plan, or several plans of one tenant. */
import { type Code, type Effect, inOrder, isFailure, isOnPeople, levels } from "../../judge/impact/effect";
import { acts, type PlannedObject } from "../../judge/impact/model";
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import { type AclAnalysis, analyseAcls } from "../../judge/impact/network-acl/analysis";
import { aclEffects, logEffects } from "../../judge/impact/network-acl/effects";
import type { MemberChange } from "../../judge/impact/organization-member-set/changes";
import { type Verdict, verdictOf } from "../../judge/impact/verdict";
import { kindOf, kindRead, scopeOf } from "../../judge/kinds/kinds";
import { networkAcl } from "../../judge/kinds/network-acl";
import type { ReviewedExpectation } from "./expectations";
import { effectsOf, judgeInput, type Judgement, type ReviewOptions } from "./judgement";
import type { ListedChange } from "../input/changes";
import type { RunError } from "../input/plan";
import { isComplete, type PlanInput, readably } from "../input/plan-input";
import type { Family } from "../input/remote";
import type { ReviewInput } from "../input/review-input";
import { placeOf, type Places } from "../input/root";
import { areOne, type TenantAddress, type TenantName } from "../input/tenant-address";
import type { TrafficReport } from "../traffic/replay";
import { scopesFor } from "../../judge/impact/objects/actions";
import { changesOf as attributesOf } from "../../judge/impact/auth0/changes";
import { objectChange } from "../../judge/impact/auth0/match";
import type { Touched } from "../../judge/impact/objects/facts";

export interface Review {
  readonly name: string;
  /** Left out: the review is about a plan. */
  readonly title?: string;
  readonly tenant: TenantName;
  /** How the effect differs from that of most tenants, in sentences. */
  readonly differences?: readonly string[];
  /** The provider configurations that the review covers, if the plan is for several tenants. */
  readonly configs?: readonly string[];
  /** Other changes of the tenant may exist, so the review is incomplete. */
  readonly isUncertain: boolean;
  /** The plan covers everything that it manages. */
  readonly complete: boolean;
  /** Kinds of objects whose unmanaged objects are not known. */
  readonly unseen: readonly Family[];
  /** Those of which the plan changes an object, so the others may matter. */
  readonly blind: readonly Family[];
  readonly verdict: Verdict;
  /** Where the configurations declare their objects: see `placeOf`. */
  readonly places: Places;
  /** Everything that the plans do and that the review cannot prove, the worst first. */
  readonly effects: readonly Effect[];
  readonly acls: AclAnalysis;
  readonly policies: Judgement["policies"];
  readonly members: readonly MemberChange[];
  readonly expectations: readonly ReviewedExpectation[];
  readonly scopes: readonly string[];
  /** The replay of a log, if the review has one. */
  readonly traffic?: TrafficReport;
  readonly changes: () => readonly ListedChange[];
  /** The errors of the run of `terraform plan`. */
  readonly errors: readonly RunError[];
  /** All ACLs, also inactive ones. */
  readonly versions: { readonly before: readonly PlannedAcl[]; readonly after: readonly PlannedAcl[] };
}

export interface TenantReview {
  /** All plans of the tenant: one plan may block a request that another plan allowed before. */
  readonly whole: Review;
  /** Each plan, if there are several. */
  readonly parts: readonly Review[];
}

/** `called`: the plans in messages. Throws a UserError if a value has a form that no plan has. */
export function reviewTenant(input: ReviewInput, options: ReviewOptions = {}, called = input.name): TenantReview {
  return readably(called, () => {
    const whole = reviewAll(input, options);
    const { plans } = input;
    return { whole, parts: plans.length > 1 ? plans.map((plan) => reviewPart(whole, plan)) : [] };
  });
}

function reviewAll(input: ReviewInput, options: ReviewOptions): Review {
  const { name, tenant, tenantAddress, plans, objects, versions, unseen } = input;
  const { protect = [], expect = [], traffic } = options;
  const own = { ...options, protect: ofTenant(protect, tenantAddress), expect: ofTenant(expect, tenantAddress) };
  const judged = judgeInput(input, own);
  const { isUncertain, acls, policies, members, expectations } = judged;
  const places = new Map(plans.map((plan) => [plan.name, plan.places]));
  const effects = effectsOf(input, judged, own).map((one) => placed(one, places));
  return {
    name,
    tenant,
    isUncertain,
    unseen,
    places,
    acls,
    policies,
    versions,
    members: members.changes,
    expectations: expectations.judged,
    ...(traffic && { traffic }),
    ...shownOf(plans, effects, blindIn(unseen, objects, acls, effects)),
  };
}

/** The parts of the base branch that are about the tenant. A change that renames its tenant must not escape them. */
function ofTenant<Part extends { readonly tenantAddress?: TenantAddress }>(
  all: readonly Part[],
  tenantAddress: TenantAddress,
): readonly Part[] {
  const own = all.filter((part) => !part.tenantAddress || areOne(part.tenantAddress, tenantAddress) !== false);
  return own.length > 0 ? own : all;
}

/** Reviews one of several plans as if the other plans were applied first. */
function reviewPart(whole: Review, plan: PlanInput): Review {
  const isOwn = (one: { readonly plan?: string }) => one.plan === plan.name;
  const { tenant, isUncertain, unseen, places } = whole;
  const { before, after } = whole.versions;
  const were = [...before.filter(isOwn), ...after.filter((acl) => !isOwn(acl))];
  const acls = analyseAcls({ before: were, after }, isUncertain, whole.acls.ownHosts);
  const others = whole.effects.filter((one) => !isOnRequests(one) && (isOwn(one.subject) || one.cause.some(isOwn)));
  const outcomes = [...aclEffects(acls, whole.traffic?.replay.log), ...logEffects(acls)].map((one) =>
    placed(one, places),
  );
  const effects = inOrder([...others, ...outcomes]);
  return {
    name: plan.name ?? whole.name,
    tenant,
    isUncertain,
    unseen,
    places,
    acls,
    policies: whole.policies.filter(isOwn),
    members: whole.members.filter(isOwn),
    expectations: whole.expectations.filter(({ expectation }) => isOwn(expectation)),
    versions: { before: were, after },
    ...shownOf([plan], effects, blindIn(unseen, plan.objects, acls, effects)),
  };
}

/** What a review shows of the plans themselves, and of their effects. */
function shownOf(plans: readonly PlanInput[], effects: readonly Effect[], blind: readonly Family[]) {
  const { configs } = plans.length === 1 ? plans[0]! : {};
  return {
    ...(configs && { configs }),
    complete: plans.every(isComplete),
    blind,
    effects,
    verdict: verdictOf(effects, {
      unseen: blind.length > 0 ? "The review did not read the objects outside the plan." : undefined,
      touched: () => touchedIn(plans),
    }),
    scopes: scopesOf(plans),
    changes: () => plans.flatMap(({ changes }) => changes()).toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    // Several plans of one run have the same errors.
    errors: [...new Set(plans.flatMap(({ errors }) => errors))],
  };
}

const onRequests: ReadonlySet<Code> = new Set([
  "TNF-ACL-WIDENED",
  "TNF-ACL-OPENED",
  "TNF-ACL-TIGHTENED",
  "TNF-ACL-REDIRECT",
  "TNF-ACL-RECORDED",
  "TNF-ACL-UNRECORDED",
]);

/** Whether the effect is the changed outcome of requests, which depends on the other plans. */
const isOnRequests = (one: Effect) => isOnPeople(one) && onRequests.has(one.code);

const placed = (effect: Effect, places: Places): Effect =>
  effect.cause.length === 0
    ? effect
    : { ...effect, cause: effect.cause.map((one) => ({ ...one, ...placeOf({ places }, one.address, one.plan) })) };

/** The unmanaged objects that the review did not read although they may matter. The changes of a plan that failed are not known. */
function blindIn(
  unseen: readonly Family[],
  objects: readonly PlannedObject[],
  { changed }: AclAnalysis,
  effects: readonly Effect[],
): Family[] {
  if (effects.some(isFailure)) return [];
  const touched = new Set<string | undefined>(objects.filter(acts).map(({ type }) => kindOf(type)?.family));
  return unseen.filter((family) => (family === networkAcl.family ? changed.size > 0 : touched.has(family)));
}

/** The scopes that a token needs to read and apply plans. */
function scopesOf(plans: readonly PlanInput[]): string[] {
  const read = plans.flatMap(({ types }) => [...types]).flatMap((type) => kindOf(type) ?? kindRead(type) ?? []);
  const written = plans.flatMap(({ objects }) => objects.map((object) => scopesFor(object)));
  const scopes = [
    ...read.map((kind) => scopeOf("read", kind)),
    ...written.flatMap(({ certain, possible }) => [...certain, ...possible]),
  ];
  return [...new Set(scopes)].toSorted();
}

/** The objects of Auth0 that plans change: what "nothing changes for people" stands on. */
function touchedIn(plans: readonly PlanInput[]): Touched[] {
  return plans
    .flatMap(({ all }) => all)
    .flatMap((object) => {
      const change = changeOf(object);
      if (change === undefined) return [];
      // Auth0 computes the other ones.
      const known = attributesOf(object).filter(({ kind }) => kind !== "unknown");
      return { address: object.address, change, paths: [...new Set(known.map(({ label }) => label))] };
    });
}

const verbs = { create: "created", destroy: "destroyed", replace: "replaced" } as const;

function changeOf(object: PlannedObject): Touched["change"] | undefined {
  const change = objectChange(object);
  if (object.isImported && change !== "replace") return "imported";
  if (change !== undefined) return verbs[change];
  return acts(object) ? "changed" : undefined;
}

const rankOf = ({ whole }: TenantReview) => ["none", ...levels].indexOf(whole.verdict.level);

/** Sorts the tenant with the worst effect first. */
export const worstTenantFirst = (a: TenantReview, b: TenantReview): number => rankOf(b) - rankOf(a);
