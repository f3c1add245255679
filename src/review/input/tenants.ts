/** Groups plans by tenant, and reviews each tenant. */
import { masked } from "../../formats/text/masked";
import type { NamedPlan } from "./input";
import type { Plan } from "./plan";
import type { ReviewOptions } from "./options";
import { asPresent } from "./present";
import { reviewPart, reviewPlans, type Review } from "../judge/review";
import { groupedBySite, hasObjects, sharesOf, unclearWords, type Share } from "./share";
import { areOne, commonSite, tenantNameOf, variablesOf, type Site } from "./site";

export interface Tenant {
  /** The name of its review. */
  readonly name: string;
  readonly site: Site;
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
  const groups = groupedBySite(shares, ({ site }) => site);
  return groups.map((own) => {
    const [{ name, site }, ...others] = own;
    const together = groups.length === 1 ? "all plans together" : `all plans of ${calledBy(own[0])}`;
    return {
      name: others.length === 0 ? name : together,
      site: commonSite([site, ...others.map((other) => other.site)]),
      plans: plansOf(own, shares),
    };
  });
}

function plansOf(own: readonly NamedShare[], all: readonly NamedShare[]): Plan[] {
  const unplanned = [...new Set(own.flatMap(({ of }) => of.unplanned ?? []))];
  return own.map((share, index) => {
    const { name, plan, configs } = share;
    const unclear = all.filter((other) => own.some((one) => mayBeOne(one, other)));
    const reasons = unclear.length > 0 ? [unclearWords([...new Set(unclear.map((other) => other.name))])] : [];
    return {
      ...plan,
      ...(reasons.length > 0 && { uncertainties: [...(plan.uncertainties ?? []), ...reasons] }),
      ...(all.length > 1 && { name }),
      ...(configs.length > 0 && { provider_configs: configs }),
      ...(index === 0 && unplanned.length > 0 && { unplanned }),
    };
  });
}

/** Whether the provider blocks of two plans do not say whether they name one tenant. A share says it about the blocks of its own plan. */
const mayBeOne = (one: NamedShare, other: NamedShare) =>
  one.of !== other.of && areOne(one.site, other.site) === undefined && hasObjects(one.plan) && hasObjects(other.plan);

/** A host that comes from a variable may be secret. */
function calledBy({ site, name }: NamedShare): string {
  if (site.kind === "host" && !site.variable?.isSecret) return masked(site.host + site.path);
  return site.kind === "environment" ? variablesOf(site.prefix) : `the tenant of ${name}`;
}

export interface TenantReview {
  /** All plans of the tenant: one plan may block a request that another plan allowed before. */
  readonly whole: Review;
  /** Each plan, if there are several. */
  readonly parts: readonly Review[];
}

export function reviewTenant({ name, site, plans: given }: Tenant, options: ReviewOptions): TenantReview {
  const { protect = [], expect = [] } = options;
  const plans = given.map((plan) => asPresent(plan, options.remote));
  const tenant = tenantNameOf(site, options.remote?.from);
  const whole = {
    ...reviewPlans(name, plans, {
      ...options,
      protect: ofTenant(protect, site),
      expect: ofTenant(expect, site),
    }),
    tenant,
  };
  const parts = plans.length > 1 ? plans.map((plan) => ({ ...reviewPart(whole, plan), tenant })) : [];
  return { whole, parts };
}

/** The parts of the base branch that are about the tenant. A change that renames its tenant must not escape them. */
function ofTenant<Part extends { readonly site?: Site }>(all: readonly Part[], site: Site): readonly Part[] {
  const own = all.filter((part) => !part.site || areOne(part.site, site) !== false);
  return own.length > 0 ? own : all;
}
