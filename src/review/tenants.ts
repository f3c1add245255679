/** The tenants that plans are about, each with its share of every plan, and their reviews. */
import type { NamedPlan } from "./input";
import type { Plan } from "./plan";
import { reviewPart, reviewPlans, type Review, type ReviewOptions } from "./review";
import { sharesOf, type Share } from "./share";
import type { Site } from "./site";

export interface Tenant {
  /** What a review of it is called. */
  readonly name: string;
  readonly site: Site;
  readonly plans: readonly Plan[];
}

interface NamedShare extends Share {
  readonly name: string;
  /** The plan that it is a share of. */
  readonly of: NamedPlan;
}

export function tenantsIn(named: readonly NamedPlan[]): Tenant[] {
  const shares = named.flatMap((of): NamedShare[] => {
    const own = sharesOf(of.plan);
    const nameOf = ({ configs }: Share) => (own.length > 1 ? `${of.name} (${configs.join(", ")})` : of.name);
    return own.map((share) => ({ ...share, name: nameOf(share), of }));
  });
  const hosts = new Set(shares.flatMap(({ site }) => (site.kind === "host" ? site.host : [])));
  // Plans that do not say which are taken for those of the one that others name.
  const isOne = shares.length === named.length && hosts.size < 2;
  const groups = isOne ? [shares] : together(shares);
  return groups.map((own) => ({
    name: own.length === 1 ? own[0]!.name : isOne ? "all plans together" : `all plans of ${calledBy(own[0]!)}`,
    site: own[0]!.site,
    plans: own.map(({ name, plan, configs }) => ({
      ...plan,
      ...(shares.length > 1 && { name }),
      ...(configs.length > 0 && { provider_configs: configs }),
    })),
  }));
}

/** What one plan keeps apart stays apart. */
function together(shares: readonly NamedShare[]): NamedShare[][] {
  const groups: NamedShare[][] = [];
  for (const share of shares) {
    const group = groups.find((own) => isSame(own[0]!.site, share.site) && own.every(({ of }) => of !== share.of));
    if (group) group.push(share);
    else groups.push([share]);
  }
  return groups;
}

function isSame(one: Site, other: Site): boolean {
  if (one.kind === "host" && other.kind === "host") return one.host === other.host;
  return one.kind === "environment" && other.kind === "environment";
}

/** A host that comes from a variable may be secret. */
function calledBy({ site, configs, name }: NamedShare): string {
  if (site.kind === "host" && site.isConstant) return site.host;
  return site.kind === "environment" ? "the environment's tenant" : configs.join(", ") || `the tenant of ${name}`;
}

export interface TenantReview {
  /** What is true of the tenant: the plan that blocks may be another than the one that lets through before. */
  readonly whole: Review;
  /** What each of several plans does to it. */
  readonly parts: readonly Review[];
}

export function reviewTenant({ name, plans }: Tenant, options: ReviewOptions): TenantReview {
  const whole = reviewPlans(name, plans, options);
  return { whole, parts: plans.length > 1 ? plans.map((plan) => reviewPart(whole, plan, options)) : [] };
}
