/**
 * Groups plans by the tenants that their provider blocks name. Blocks that certainly name one tenant are one tenant, with their parts of all
 * plans. Nothing else is joined: a block that does not say its tenant has a part and a review of its own, and nothing about it is proven,
 * because it may be the tenant of another one.
 */
import { maskedUrl } from "../../formats/text/masked";
import type { TenantDoubt } from "../../judge/impact/effect";
import { bare } from "../../judge/impact/model";
import { providerBlocks } from "./blocks";
import { providerOf } from "./expression";
import type { NamedPlan } from "./input";
import { isManaged, isOurs } from "./objects";
import { declaredIn, priorResources, type Plan } from "./plan";
import { planInput, type PlanInput, type PlanPart } from "./plan-input";
import { areOne, commonAddress, tenantAddressOf, variablesOf, type TenantAddress } from "./tenant-address";

export interface Tenant {
  /** The name of its review. */
  readonly name: string;
  readonly tenantAddress: TenantAddress;
  readonly plans: readonly PlanInput[];
}

interface TenantPart extends PlanPart {
  /** The provider configurations: `tenant`, `tenant.eu`, `module.edge:tenant.us`. */
  readonly configs: readonly string[];
  readonly tenantAddress: TenantAddress;
}

/** `of`: the plan that contains the part. */
type NamedPart = TenantPart & { readonly name: string; readonly of: NamedPlan };

/** Plans belong to one tenant if their provider blocks say so. Otherwise, each has a review of its own. */
export function tenantsIn(named: readonly NamedPlan[]): Tenant[] {
  const parts = named.flatMap((of): NamedPart[] => {
    const own = partsOf(of.plan);
    const nameOf = ({ configs }: TenantPart) => (own.length > 1 ? `${of.name} (${configs.join(", ")})` : of.name);
    return own.map((part) => ({ ...part, name: nameOf(part), of }));
  });
  const groups = groupedByTenant(parts, ({ tenantAddress }) => tenantAddress);
  return groups.map((own) => {
    const [{ name, tenantAddress }, ...others] = own;
    const together = groups.length === 1 ? "all plans together" : `all plans of ${calledBy(own[0])}`;
    return {
      name: others.length === 0 ? name : together,
      tenantAddress: commonAddress([tenantAddress, ...others.map((other) => other.tenantAddress)]),
      plans: plansOf(own, parts),
    };
  });
}

function plansOf(own: readonly NamedPart[], all: readonly NamedPart[]): PlanInput[] {
  const unplanned = [...new Set(own.flatMap(({ of }) => of.unplanned ?? []))];
  const unclear = all.filter((other) => own.some((one) => mayBeOne(one, other)));
  const reasons = unclear.length > 0 ? [perhapsOf(unclear.map((other) => other.name))] : [];
  return own.map((part, index) => {
    const { name, configs, uncertainties = [] } = part;
    return planInput({ ...part, uncertainties: [...uncertainties, ...reasons] }, name, {
      ...(own.length > 1 && { name }),
      ...(configs.length > 0 && { configs }),
      ...(index === 0 && { unplanned }),
    });
  });
}

/** Whether the provider blocks of two plans do not say whether they name one tenant. A part says it about the blocks of its own plan. */
const mayBeOne = (one: NamedPart, other: NamedPart) =>
  one.of !== other.of &&
  areOne(one.tenantAddress, other.tenantAddress) === undefined &&
  [one, other].every(({ plan }) => managedIn(plan).length > 0);

/** A host that comes from a variable may be secret. */
function calledBy({ tenantAddress, name }: NamedPart): string {
  if (tenantAddress.kind === "host" && !tenantAddress.variable?.isSecret)
    return maskedUrl(tenantAddress.host + tenantAddress.path);
  return tenantAddress.kind === "environment" ? variablesOf(tenantAddress) : `the tenant of ${name}`;
}

interface Config {
  readonly key: string;
  /** `tenant` or `auth0`. */
  readonly provider: string;
  readonly tenantAddress: TenantAddress;
}

/** Configurations that certainly name one tenant. */
type Group = readonly [Config, ...Config[]];

interface Named {
  readonly address: string;
  readonly type: string;
  readonly mode?: string;
}

/** Returns a part for each tenant with objects in the plan. */
function partsOf(plan: Plan): TenantPart[] {
  const homes = homesIn(plan);
  const whole = { plan, homes, idle: idleIn(plan, homes), configs: [] };
  const groups: readonly Group[] = groupedByTenant(configsOf(plan, homes), ({ tenantAddress }) => tenantAddress);
  const [only, ...others] = groups;
  // Without a provider block, the environment names the tenant.
  if (!only) {
    const managed = managedIn(plan);
    let isAuth0 = managed.length > 0;
    for (const { type } of managed) isAuth0 &&= type.startsWith("auth0_");
    return [{ ...whole, tenantAddress: { kind: "environment", prefix: "", isAuth0 } }];
  }
  if (others.length === 0 && only[0].tenantAddress.kind !== "several")
    return [{ ...whole, tenantAddress: addressOfGroup(only) }];
  const objects = managedIn(plan);
  if (objects.length === 0) return [{ ...whole, tenantAddress: { kind: "unknown" } }];
  const mayHave = (named: Named) => candidates(named, homes, groups);
  const homeOf = (named: Named) => {
    const [own, ...rest] = mayHave(named);
    return rest.length > 0 || own?.[0].tenantAddress.kind === "several" ? undefined : own;
  };
  const lost = objects.filter((object) => homeOf(object) === undefined);
  const used = groups.filter((group) => objects.some((object) => homeOf(object) === group));
  // A tenant to which only objects without a block may belong may have nothing in the plan.
  const open = groups.filter(
    (group) =>
      !used.includes(group) &&
      group[0].tenantAddress.kind !== "several" &&
      lost.some((object) => mayHave(object).includes(group)),
  );
  // If no object has a known tenant, one part has all of them.
  const [first, ...rest] = groups.flat();
  const parts: readonly Group[] = used.length > 0 ? [...used, ...open] : [[first!, ...rest]];
  return parts.map((group) => {
    const configs = group.map(({ key }) => key);
    const tenantAddress: TenantAddress = used.includes(group) ? addressOfGroup(group) : { kind: "unknown" };
    const own = lost.filter((one) => mayHave(one).includes(group) || !mayHave(one).some((of) => parts.includes(of)));
    const addresses = new Set(own.map(({ address }) => address));
    const unclear = used.filter(
      (other) => other !== group && areOne(addressOfGroup(group), addressOfGroup(other)) === undefined,
    );
    const part = partOf(plan, configs, (named) => addresses.has(named.address) || homeOf(named) === group);
    const uncertainties = [
      ...(own.length > 0 ? [{ is: "not shown of" as const, addresses: own.map(({ address }) => address) }] : []),
      ...(unclear.length > 0 ? [perhapsOf(unclear.map(called))] : []),
    ];
    return { ...whole, plan: part, configs, tenantAddress, unplaced: addresses, uncertainties };
  });
}

function groupedByTenant<One>(all: readonly One[], addressOfOne: (one: One) => TenantAddress): [One, ...One[]][] {
  const groups: [One, ...One[]][] = [];
  for (const one of all) {
    const same = groups.find(([first]) => areOne(addressOfOne(first), addressOfOne(one)));
    if (same) same.push(one);
    else groups.push([one]);
  }
  return groups;
}

const addressOfGroup = ([first, ...rest]: Group): TenantAddress =>
  commonAddress([first.tenantAddress, ...rest.map(({ tenantAddress }) => tenantAddress)]);
const called = (group: Group) => group.map(({ key }) => key).join(", ");

const perhapsOf = (names: readonly string[]): TenantDoubt => ({ is: "perhaps that of", others: [...new Set(names)] });

/** Address without indexes -> the key of the provider configuration, for all resources of the configuration. */
const homesIn = (plan: Plan): ReadonlyMap<string, string> =>
  new Map(
    [...declaredIn(plan)].flatMap(([address, { provider_config_key: key }]) =>
      key === undefined ? [] : [[address, key] as const],
    ),
  );

/** The provider configurations that no resource uses, if a resource uses another one. No plan checks what they state. */
function idleIn(plan: Plan, homes: ReadonlyMap<string, string>): ReadonlySet<string> {
  const managed = [...homes].filter(
    ([address]) => isOurs(typeIn(address)) && !/(?:^|\.)data\.[^.]+\.[^.]+$/.test(address),
  );
  // In older plans, a configuration that a module inherits has a key of its own.
  const used = new Set(managed.flatMap(([, key]) => [key, key.split(":").at(-1)!]));
  const own = providerBlocks(plan).map(({ key }) => key);
  return new Set(used.size === 0 ? [] : own.filter((key) => !used.has(key)));
}

const typeIn = (address: string) => /(?:^|\.)(\w+)\.[^.]+$/.exec(address)?.[1] ?? "";

function configsOf(plan: Plan, homes: ReadonlyMap<string, string>): Config[] {
  const named = [...homes].flatMap(([address, key]) => (isOurs(typeIn(address)) ? key : []));
  const keys = new Set(Object.keys(plan.configuration?.provider_config ?? {}));
  // In older plans, a configuration that a module inherits has a key of its own.
  const implied = [...new Set(named)].filter((key) => !keys.has(key));
  return [
    ...providerBlocks(plan).map((config) => ({
      key: config.key,
      provider: providerOf(config),
      tenantAddress: tenantAddressOf(config, plan, config.key),
    })),
    ...implied.map((key): Config => {
      const provider = key.split(":").at(-1)!.split(".")[0]!;
      return {
        key,
        provider,
        tenantAddress:
          key === provider ? { kind: "environment", prefix: "", isAuth0: provider === "auth0" } : { kind: "unknown" },
      };
    }),
  ];
}

/** The groups that may have an object. The plan does not show the home of one that the configuration no longer contains. */
function candidates({ address, type }: Named, homes: ReadonlyMap<string, string>, groups: readonly Group[]): Group[] {
  const key = homes.get(bare(address));
  const own = groups.filter((group) => group.some((config) => config.key === key));
  const like = groups.filter((group) => group.some(({ provider }) => type.startsWith(`${provider}_`)));
  return own.length > 0 ? own : like.length > 0 ? like : [...groups];
}

function managedIn(plan: Plan): Named[] {
  const moved = new Set(plan.resource_changes.map(({ previous_address: previous }) => previous));
  const deferred = plan.deferred_changes?.flatMap(({ resource_change: one }) => one ?? []) ?? [];
  const states = priorResources(plan).filter(({ address }) => !moved.has(address));
  return [
    ...new Map(
      [...plan.resource_changes, ...deferred, ...states].filter(isManaged).map((one) => [one.address, one]),
    ).values(),
  ];
}

function partOf(plan: Plan, configs: readonly string[], isHere: (named: Named) => boolean): Plan {
  const { configuration, prior_state: prior } = plan;
  const written = Object.entries(configuration?.provider_config ?? {});
  return {
    ...plan,
    resource_changes: plan.resource_changes.filter(isHere),
    resource_drift: plan.resource_drift.filter(isHere),
    ...(plan.deferred_changes && {
      deferred_changes: plan.deferred_changes.filter(
        ({ resource_change: one }) => !one || !isManaged(one) || isHere(one),
      ),
    }),
    ...(prior && { prior_state: { values: { root_module: { resources: priorResources(plan).filter(isHere) } } } }),
    configuration: {
      ...configuration,
      provider_config: Object.fromEntries(written.filter(([key]) => configs.includes(key))),
    },
  };
}
