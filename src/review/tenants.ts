/** Groups plans by tenant, and reviews each tenant. */
import { masked } from "../text/masked";
import { identitiesIn } from "./identity";
import type { NamedPlan } from "./input/input";
import type { Plan } from "./input/plan";
import type { ReviewOptions } from "./options";
import { asPresent } from "./present";
import { reviewPart, reviewPlans, type Review } from "./review";
import { hasObjects, sharesOf, type Share } from "./share";
import { areOne, type Site } from "./site";
import { tenantNameOf, variablesOf } from "./tenant-name";

export interface Tenant {
  /** The name of its review. */
  readonly name: string;
  /** The sites that the provider configurations name. */
  readonly sites: readonly Site[];
  readonly plans: readonly Plan[];
}

interface NamedShare extends Share {
  readonly name: string;
  /** The plan that contains the share. */
  readonly of: NamedPlan;
}

/** Plans belong to one tenant if their provider blocks say so. Otherwise, each has a review of its own. */
export function tenantsIn(named: readonly NamedPlan[]): Tenant[] {
  const shares = named.flatMap((of): NamedShare[] => {
    const own = sharesOf(of.plan);
    const nameOf = ({ configs }: Share) => (own.length > 1 ? `${of.name} (${configs.join(", ")})` : of.name);
    return own.map((share) => ({ ...share, name: nameOf(share), of }));
  });
  const groups = withUncertainties(together(shares));
  return groups.map((own) => ({
    name:
      own.length === 1
        ? own[0]!.name
        : groups.length === 1
          ? "all plans together"
          : `all plans of ${calledBy(own[0]!)}`,
    sites: own.flatMap(({ sites }) => sites),
    plans: plansOf(own, shares.length > 1),
  }));
}

function plansOf(own: readonly NamedShare[], areNamed: boolean): Plan[] {
  const unplanned = [...new Set(own.flatMap(({ of }) => of.unplanned ?? []))];
  return own.map(({ name, plan, configs }, index) => ({
    ...plan,
    ...(areNamed && { name }),
    ...(configs.length > 0 && { provider_configs: configs }),
    ...(index === 0 && unplanned.length > 0 && { unplanned }),
  }));
}

function together(shares: readonly NamedShare[]): NamedShare[][] {
  const groups: NamedShare[][] = [];
  for (const share of shares) {
    const group = groups.find(([first]) => areOne(first!.sites[0], share.sites[0]));
    if (group) group.push(share);
    else groups.push([share]);
  }
  return groups;
}

/** Adds a reason for uncertainty to groups that may be one tenant. A plan gives the reason for its own configurations. */
function withUncertainties(groups: readonly NamedShare[][]): NamedShare[][] {
  const ids = new Map(groups.map((own) => [own, new Set(own.flatMap(({ plan }) => [...identitiesIn(plan)]))]));
  const mayBeOne = (one: NamedShare, other: NamedShare) =>
    one.of !== other.of &&
    areOne(one.sites[0], other.sites[0]) === undefined &&
    hasObjects(one.plan) &&
    hasObjects(other.plan);
  return groups.map((own) => {
    const others = groups.filter((other) => other !== own);
    const unclear = others.filter((other) => own.some((one) => other.some((another) => mayBeOne(one, another))));
    const common = others.filter((other) => [...ids.get(own)!].some((id) => ids.get(other)!.has(id)));
    return own.map((share) => {
      const reasons = [
        ...(unclear.length > 0 ? [unclearWords(unclear.flat())] : []),
        ...(common.length > 0 ? [commonWords(common.flat())] : []),
      ];
      return reasons.length === 0 ? share : withReasons(share, reasons);
    });
  });
}

const withReasons = (share: NamedShare, reasons: readonly string[]): NamedShare => ({
  ...share,
  plan: { ...share.plan, uncertainties: [...(share.plan.uncertainties ?? []), ...reasons] },
});

function commonWords(others: readonly NamedShare[]): string {
  return (
    `An object has the same id as one of ${namesOf(others)}, and the service gives no id twice, so both may be one tenant. They are ` +
    "reviewed as separate tenants, and nothing is proven. Name the tenant in the same way everywhere."
  );
}

function unclearWords(others: readonly NamedShare[]): string {
  return (
    `The plans do not say whether this is the same tenant as that of ${namesOf(others)}, so nothing is proven. Name the \`domain\` or ` +
    "`endpoint` of every provider configuration as a constant, in the same way everywhere."
  );
}

const namesOf = (shares: readonly NamedShare[]) => [...new Set(shares.map(({ name }) => name))].join(" and ");

/** A host that comes from a variable may be secret. */
function calledBy({ sites: [site], name }: NamedShare): string {
  if (site.kind === "host" && !site.variable?.isSecret) return masked(site.host + site.path);
  return site.kind === "environment" ? variablesOf(site.prefix) : `the tenant of ${name}`;
}

export interface TenantReview {
  /** All plans of the tenant: one plan may block a request that another plan allowed before. */
  readonly whole: Review;
  /** Each plan, if there are several. */
  readonly parts: readonly Review[];
}

export function reviewTenant({ name, sites, plans: given }: Tenant, options: ReviewOptions): TenantReview {
  const { protect = [], expect = [] } = options;
  const plans = given.map((plan) => asPresent(plan, options.remote));
  const tenant = tenantNameOf(sites, options.remote?.from);
  const whole = {
    ...reviewPlans(name, plans, {
      ...options,
      protect: ofTenant(protect, sites),
      expect: ofTenant(expect, sites),
    }),
    tenant,
  };
  const parts = plans.length > 1 ? plans.map((plan) => ({ ...reviewPart(whole, plan, options), tenant })) : [];
  return { whole, parts };
}

/** The parts of the base branch that are about the tenant. A change that renames its tenant must not escape them. */
function ofTenant<Part extends { readonly site?: Site }>(
  all: readonly Part[],
  sites: readonly Site[],
): readonly Part[] {
  const own = all.filter((part) => !part.site || sites.some((site) => areOne(part.site!, site) !== false));
  return own.length > 0 ? own : all;
}
