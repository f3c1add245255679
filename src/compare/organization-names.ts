/** Learns the names of organizations from a plan: each tenant gives an organization another id. */
import type { Values } from "../impact/model";
import { priorResources, type ConfigModule, type Plan } from "../review/plan";
import { bare } from "../review/share";

/** The resource and the data source of the Go provider. */
export const organizationType = "auth0_organization";

export interface OrganizationNames {
  readonly byId: ReadonlyMap<string, string>;
  /** Address of a member set without its indexes -> the name of the organization that its expression refers to. */
  readonly bySet: ReadonlyMap<string, string>;
}

export function organizationNames(plans: readonly Plan[]): OrganizationNames {
  const [byId, bySet] = [new Map<string, string>(), new Map<string, string>()];
  for (const plan of plans) {
    const byAddress = new Map<string, string | undefined>();
    for (const { address, values } of organizationsIn(plan)) {
      const [id, name] = [textIn(values, "id"), textIn(values, "name")];
      if (id !== undefined && name !== undefined) byId.set(id, name);
      // A reference does not tell which one of several instances it means.
      const key = bare(address);
      byAddress.set(key, byAddress.has(key) && byAddress.get(key) !== name ? undefined : name);
    }
    for (const [set, organization] of referencesIn(plan.configuration?.root_module, "")) {
      const name = byAddress.get(organization);
      if (name !== undefined) bySet.set(set, name);
    }
  }
  return { byId, bySet };
}

interface Found {
  readonly address: string;
  readonly values: Values;
}

/** The later ones replace the earlier ones. */
function organizationsIn(plan: Plan): Found[] {
  const isOrganization = ({ type }: { readonly type: string }) => type === organizationType;
  return [
    ...configuredIn(plan.configuration?.root_module, ""),
    ...priorResources(plan).filter(isOrganization),
    ...plan.resource_changes
      .filter((one) => isOrganization(one) && one.change.after !== null)
      .map(({ address, change }) => ({ address, values: { ...change.before, ...withoutNull(change.after!) } })),
  ];
}

const withoutNull = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

function configuredIn(module: ConfigModule | undefined, prefix: string): Found[] {
  const own = (module?.resources ?? []).filter(({ address }) => typeIn(address) === organizationType);
  return [
    ...own.map(({ address, expressions }) => {
      const name = isValues(expressions) && isValues(expressions["name"]) ? expressions["name"]["constant_value"] : "";
      return { address: prefix + address, values: { name } };
    }),
    ...calls(module).flatMap(([name, below]) => configuredIn(below, `${prefix}module.${name}.`)),
  ];
}

const typeIn = (address: string) => address.replace(/^data\./, "").split(".")[0];

/** Address of a resource -> address of the organization that its `organization_id` is. */
function referencesIn(module: ConfigModule | undefined, prefix: string): [string, string][] {
  return [
    ...(module?.resources ?? []).flatMap(({ address, expressions }): [string, string][] => {
      const id = isValues(expressions) ? expressions["organization_id"] : undefined;
      const references = isValues(id) && Array.isArray(id["references"]) ? (id["references"] as unknown[]) : [];
      const [reference] = references.filter(
        (one) => typeof one === "string" && /^(?:data\.)?[\w-]+\.[\w-]+\.id$/.test(one),
      );
      const isOnly = references.every((one) => one === reference || `${String(one)}.id` === reference);
      return typeof reference === "string" && isOnly ? [[prefix + address, prefix + reference.slice(0, -3)]] : [];
    }),
    ...calls(module).flatMap(([name, below]) => referencesIn(below, `${prefix}module.${name}.`)),
  ];
}

const calls = (module: ConfigModule | undefined): [string, ConfigModule | undefined][] =>
  Object.entries(module?.module_calls ?? {}).map(([name, { module: below }]) => [name, below]);

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function textIn(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
