/** Splits a plan by the tenants that its provider configurations name. */
import { providerOf } from "./expression";
import { priorResources, type ConfigModule, type Plan } from "./input/plan";
import { areOneHere, siteOf, type Site } from "./site";

export interface Share {
  /** The provider configurations: `tenant`, `tenant.eu`, `module.edge:tenant.us`. */
  readonly configs: readonly string[];
  /** One for each configuration: they name one tenant, or the plan does not show which one. */
  readonly sites: readonly [Site, ...Site[]];
  /** The part of the plan that belongs, or may belong, to this tenant. */
  readonly plan: Plan;
}

interface Config {
  readonly key: string;
  /** `tenant` or `auth0`. */
  readonly provider: string;
  readonly site: Site;
}

/** Configurations that certainly name one tenant. */
type Group = readonly [Config, ...Config[]];

interface Named {
  readonly address: string;
  readonly type: string;
  readonly mode?: string;
}

const providers = ["tenant", "auth0"];
/** Without a provider block, the environment names the tenant. */
const noBlock: Site = { kind: "environment", prefix: "" };

/** Returns a share for each tenant with objects in the plan. */
export function sharesOf(plan: Plan): Share[] {
  const homes = homesIn(plan);
  const groups = groupsOf(configsOf(plan, homes));
  const [first] = groups;
  if (!first) return [{ configs: [], sites: [noBlock], plan }];
  if (groups.length === 1 && first[0].site.kind !== "several") return [{ configs: [], sites: sitesOf(first), plan }];
  const homeOf = (named: Named): Group | undefined => {
    const key = homes.get(bare(named.address));
    const own = groups.filter((group) => group.some((config) => config.key === key));
    const may = own.length > 0 ? own : candidates(named, groups);
    return may.length === 1 ? may[0] : undefined;
  };
  const objects = managedIn(plan);
  const used = groups.filter((group) => objects.some((object) => homeOf(object) === group));
  if (objects.length === 0) return [{ configs: [], sites: [{ kind: "unknown" }], plan }];
  // If no object has a known tenant, one review contains all objects.
  if (used.length === 0) {
    const unplaced = new Set(objects.map(({ address }) => address));
    const configs = groups.flat().map(({ key }) => key);
    return [
      { configs, sites: [{ kind: "unknown" }], plan: { ...plan, unplaced, uncertainties: [lostWords(objects)] } },
    ];
  }
  const lost = objects.filter((object) => homeOf(object) === undefined);
  return used.map((group) => {
    const sites = sitesOf(group);
    const may = lost.filter((object) => {
      const own = candidates(object, groups);
      return own.includes(group) || !own.some((one) => used.includes(one));
    });
    const mayBe = new Set(may.map(({ address }) => address));
    const isOpen = sites[0].kind === "several";
    const others = used.filter((other) => other !== group && areOneHere(sites[0], other[0].site) === undefined);
    // If a data source may have read another tenant, its objects count for no tenant.
    const isHere = (named: Named) =>
      mayBe.has(named.address) || (homeOf(named) === group && !(isOpen && named.mode === "data"));
    return {
      configs: group.map(({ key }) => key),
      sites,
      plan: {
        ...shareOf(plan, group, isHere),
        unplaced: isOpen ? new Set(objects.filter(isHere).map(({ address }) => address)) : mayBe,
        uncertainties: [
          ...(may.length > 0 ? [lostWords(may)] : []),
          ...(isOpen ? [severalWords(group)] : []),
          ...(others.length > 0 ? [unclearWords(group, others)] : []),
        ],
      },
    };
  });
}

const sitesOf = ([first, ...rest]: Group): Share["sites"] => [first.site, ...rest.map(({ site }) => site)];

/** Whether the plan has objects of a tenant. */
export function hasObjects(plan: Plan): boolean {
  return managedIn(plan).length > 0;
}

/** Address without indexes -> the key of the provider configuration, for all resources of the configuration. */
export function homesIn({ configuration }: Plan): Map<string, string> {
  const homes = new Map<string, string>();
  const within = ({ resources = [], module_calls: calls = {} }: ConfigModule, prefix: string) => {
    for (const { address, provider_config_key: key } of resources)
      if (key !== undefined) homes.set(prefix + address, key);
    for (const [name, { module = {} }] of Object.entries(calls)) within(module, `${prefix}module.${name}.`);
  };
  within(configuration?.root_module ?? {}, "");
  return homes;
}

/** The provider configurations that no resource uses, if a resource uses another one. No plan checks what they state. */
export function idleIn(plan: Plan): ReadonlySet<string> {
  const managed = [...homesIn(plan)].filter(
    ([address]) => isOurs(typeIn(address)) && !/(?:^|\.)data\.[^.]+\.[^.]+$/.test(address),
  );
  // In older plans, a configuration that a module inherits has a key of its own.
  const used = new Set(managed.flatMap(([, key]) => [key, key.split(":").at(-1)!]));
  const written = Object.entries(plan.configuration?.provider_config ?? {});
  const own = written.filter(([, config]) => providers.includes(providerOf(config))).map(([key]) => key);
  return new Set(used.size === 0 ? [] : own.filter((key) => !used.has(key)));
}

export const bare = (address: string) => address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "");

const isOurs = (type: string) => providers.some((name) => type.startsWith(`${name}_`));

const typeIn = (address: string) => /(?:^|\.)(\w+)\.[^.]+$/.exec(address)?.[1] ?? "";

function configsOf(plan: Plan, homes: ReadonlyMap<string, string>): Config[] {
  const written = Object.entries(plan.configuration?.provider_config ?? {});
  const ours = written.filter(([, config]) => providers.includes(providerOf(config)));
  const named = [...homes].flatMap(([address, key]) => (isOurs(typeIn(address)) ? key : []));
  const keys = new Set(written.map(([key]) => key));
  // In older plans, a configuration that a module inherits has a key of its own.
  const implied = [...new Set(named)].filter((key) => !keys.has(key));
  return [
    ...ours.map(([key, config]) => ({ key, provider: providerOf(config), site: siteOf(config, plan, key) })),
    ...implied.map((key): Config => {
      const provider = key.split(":").at(-1)!.split(".")[0]!;
      return { key, provider, site: key === provider ? noBlock : { kind: "unknown" } };
    }),
  ];
}

function groupsOf(configs: readonly Config[]): Group[] {
  const groups: [Config, ...Config[]][] = [];
  for (const config of configs) {
    const same = groups.find(([first]) => areOneHere(first.site, config.site));
    if (same) same.push(config);
    else groups.push([config]);
  }
  return groups;
}

/** The groups that may have an object that the configuration does not contain. */
function candidates({ type }: Named, groups: readonly Group[]): Group[] {
  const own = groups.filter((group) => group.some(({ provider }) => type.startsWith(`${provider}_`)));
  return own.length > 0 ? own : [...groups];
}

function managedIn(plan: Plan): Named[] {
  const moved = new Set(plan.resource_changes.map(({ previous_address: previous }) => previous));
  const states = priorResources(plan).filter(({ address }) => !moved.has(address));
  const all = [...plan.resource_changes, ...states].filter(
    ({ type, mode = "managed" }) => mode === "managed" && isOurs(type),
  );
  return [...new Map(all.map((object) => [object.address, object])).values()];
}

function shareOf(plan: Plan, group: Group, isHere: (named: Named) => boolean): Plan {
  const { configuration, prior_state: prior } = plan;
  const keys = new Set(group.map(({ key }) => key));
  const written = Object.entries(configuration?.provider_config ?? {});
  return {
    ...plan,
    resource_changes: plan.resource_changes.filter(isHere),
    resource_drift: plan.resource_drift.filter(isHere),
    ...(prior && { prior_state: { values: { root_module: { resources: priorResources(plan).filter(isHere) } } } }),
    configuration: { ...configuration, provider_config: Object.fromEntries(written.filter(([key]) => keys.has(key))) },
  };
}

function lostWords(lost: readonly Named[]): string {
  const [names, isOne] = [lost.slice(0, 5).map(({ address }) => address), lost.length === 1];
  const rest = lost.length > names.length ? ` and ${lost.length - names.length} more` : "";
  return (
    `The plan does not show the tenant of ${names.join(", ")}${rest}, because the configuration no longer contains ` +
    `${isOne ? "it. It" : "them. They"} may belong to this tenant, so nothing is proven.`
  );
}

const called = (group: Group) => group.map(({ key }) => key).join(", ");

function severalWords(group: Group): string {
  return (
    `${called(group)} has several provider configurations, one for each key. The plan does not show the key of each object, so each ` +
    "object may belong to another tenant, and nothing is proven."
  );
}

function unclearWords(group: Group, others: readonly Group[]): string {
  return (
    `The plan does not show whether ${called(group)} names the same tenant as ${others.map(called).join(" or ")}. They are reviewed as ` +
    "separate tenants, and nothing is proven. To fix this, set the `domain` or `endpoint` of each configuration to a constant, or review " +
    "the plan next to its configuration, with a `domain` that is only a variable."
  );
}
