/** Groups plans by tenant, and reviews each tenant. */
import { masked } from "../text/masked";
import { identitiesIn } from "./identity";
import type { NamedPlan } from "./input";
import type { Plan } from "./plan";
import type { ReviewOptions } from "./options";
import { reviewPart, reviewPlans, type Review } from "./review";
import { hasObjects, sharesOf, type Share } from "./share";
import { areOne, haveOneHost, isWholeName, type Site } from "./site";
import { tenantNameOf } from "./tenant-name";

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

export function tenantsIn(named: readonly NamedPlan[]): Tenant[] {
  const shares = named.flatMap((of): NamedShare[] => {
    const own = sharesOf(of.plan);
    const nameOf = ({ configs }: Share) => (own.length > 1 ? `${of.name} (${configs.join(", ")})` : of.name);
    return own.map((share) => ({ ...share, name: nameOf(share), of }));
  });
  const roots = new Set(shares.flatMap(({ site }) => (site.kind === "host" ? site.host + site.path : [])));
  // Plans that do not name a tenant count as plans of the only tenant that others name.
  const isOne = shares.length === named.length && roots.size < 2;
  const groups = isOne ? [supposed(shares)] : withUncertainties(joined(together(shares)));
  return groups.map((own) => ({
    name: own.length === 1 ? own[0]!.name : isOne ? "all plans together" : `all plans of ${calledBy(own)}`,
    sites: own.map(({ site }) => site),
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

/** Configurations that one plan keeps apart stay apart. */
function together(shares: readonly NamedShare[]): NamedShare[][] {
  const groups: NamedShare[][] = [];
  for (const share of shares) {
    const group = groups.find((own) => isSame(own[0]!.site, share.site) && own.every(({ of }) => of !== share.of));
    if (group) group.push(share);
    else groups.push([share]);
  }
  return groups;
}

/** Plans that count as plans of one tenant, although they do not name it in the same way. */
function supposed(shares: readonly NamedShare[]): NamedShare[] {
  // Terraform writes a configuration into every plan.
  const own = shares.filter(({ plan }) => plan.configuration !== undefined && hasObjects(plan));
  const [first, ...rest] = own;
  if (!first || rest.every(({ site }) => isSame(first.site, site))) return [...shares];
  return shares.map((share) => (own.includes(share) ? withUncertainty(share, supposedWords(own)) : share));
}

function isSame(one: Site, other: Site): boolean {
  if (one.kind === "host" && other.kind === "host") return one.host === other.host && one.path === other.path;
  return one.kind === "environment" && other.kind === "environment";
}

/** Joins groups that share an object: the service gives no id twice, so both hosts are most likely domains of one tenant. */
function joined(groups: readonly NamedShare[][]): NamedShare[][] {
  let found: { readonly shares: readonly NamedShare[]; readonly ids: ReadonlySet<string> }[] = [];
  for (const shares of groups) {
    const ids = new Set(shares.flatMap(({ plan }) => [...identitiesIn(plan)]));
    const same = found.filter((other) => [...ids].some((id) => other.ids.has(id)));
    const common = [...ids].filter((id) => same.some((other) => other.ids.has(id)));
    const all = [...same.flatMap((other) => other.shares), ...shares];
    found = [
      ...found.filter((other) => !same.includes(other)),
      {
        shares: same.length === 0 ? all : all.map((share) => withUncertainty(share, commonWords(all, common.length))),
        ids: new Set([...same.flatMap((other) => [...other.ids]), ...ids]),
      },
    ];
  }
  return found.map(({ shares }) => [...shares]);
}

/** Adds a reason for uncertainty to groups of different plans that may name one tenant. Groups of one plan have it already. */
function withUncertainties(groups: readonly NamedShare[][]): NamedShare[][] {
  const mayBeOne = (one: NamedShare, other: NamedShare) =>
    one.of !== other.of && areOne(one.site, other.site) === undefined && hasObjects(one.plan) && hasObjects(other.plan);
  return groups.map((own) => {
    const rivals = groups.filter((other) => {
      return other !== own && own.some((one) => other.some((another) => mayBeOne(one, another)));
    });
    return rivals.length === 0 ? own : own.map((share) => withUncertainty(share, rivalWords(rivals.flat())));
  });
}

const withUncertainty = (share: NamedShare, words: string): NamedShare => ({
  ...share,
  plan: { ...share.plan, uncertainties: [...(share.plan.uncertainties ?? []), words] },
});

function commonWords(shares: readonly NamedShare[], count: number): string {
  return (
    `${namesOf(shares)} name different tenants, but have ${count === 1 ? "an object" : `${count} objects`} with the same id, and the service ` +
    "gives no id twice. They are reviewed as one tenant, and nothing is proven. Name the tenant in the same way everywhere."
  );
}

function supposedWords(shares: readonly NamedShare[]): string {
  return (
    `The plans do not say whether ${namesOf(shares)} are about the same tenant. They are reviewed as one tenant, and nothing is proven. ` +
    "Name the `domain` or `endpoint` of every provider configuration as a constant, in the same way everywhere."
  );
}

function rivalWords(rivals: readonly NamedShare[]): string {
  return (
    `The plans do not say whether this is the same tenant as that of ${namesOf(rivals)}, so nothing is proven. Name the \`domain\` or ` +
    "`endpoint` of every provider configuration as a constant, in the same way everywhere."
  );
}

const namesOf = (shares: readonly NamedShare[]) => [...new Set(shares.map(({ name }) => name))].join(" and ");

/** A host that comes from a variable may be secret, or only part of the name. */
function calledBy(own: readonly NamedShare[]): string {
  const names = own.map(({ site, configs, name }) => {
    if (site.kind === "host" && isWholeName(site) && !site.variable?.isSecret) return masked(site.host + site.path);
    return site.kind === "environment" ? "the environment's tenant" : configs.join(", ") || `the tenant of ${name}`;
  });
  return [...new Set(own.every(({ site }) => haveOneHost(site, own[0]!.site)) ? names.slice(0, 1) : names)].join(
    " and ",
  );
}

export interface TenantReview {
  /** All plans of the tenant: one plan may block a request that another plan allowed before. */
  readonly whole: Review;
  /** Each plan, if there are several. */
  readonly parts: readonly Review[];
}

export function reviewTenant({ name, sites, plans }: Tenant, options: ReviewOptions): TenantReview {
  const { protect = [], expect = [] } = options;
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
