/** One stack for each tenant of a fleet. */
import { TerraformStack, Token } from "cdktf";
import type { Construct } from "constructs";
import { isObject } from "../cty/value";
import { hostOf, isDomain, pathOf, rootOf } from "../resources/provider-block/root";
import { show } from "../sdk/check";
import { addCheck } from "./checks";
import { exposed } from "./exposure";
import { sharedBackends } from "./fleet-backend";
import { described } from "./described";
import { takeWritten } from "./plain";
import { block } from "../resources/provider-block/definition";
import { isTenantProvider } from "./tenant";
import { TenantProvider, type TenantProviderConfig } from "./tenant-provider";

/** A tenant of a fleet. Extend it with the values in which your tenants differ. */
export interface FleetTenant {
  /**
   * Name of the stack: 1 to 40 letters, digits, and single hyphens or underscores between them. It begins with a letter. The tenant
   * `acme-eu` has its credentials in `ACME_EU_TENANT_CLIENT_ID` and so on.
   */
  readonly name: string;
  /** Domain of the tenant, such as `acme.eu.auth0.com`. Without an `endpoint`, the stack can reach no other tenant. */
  readonly domain: string;
  /** Root URL that replaces `https://<domain>`, such as that of an embedded tenant. The stack can then reach only this host. */
  readonly endpoint?: string;
}

/** Settings of a provider, without those that the fleet gives it. */
export type FleetProviderConfig = Omit<
  TenantProviderConfig,
  "alias" | "allowedDomains" | "domain" | "endpoint" | "environmentPrefix"
>;

/** The tenants of a fleet, and what each of them has. */
export interface FleetConfig<Tenant extends FleetTenant> {
  /** The tenants. Two of them must not have the same name, domain or endpoint. */
  readonly tenants: readonly Tenant[];
  /** Settings of the tenant's provider, such as `protectedRequest`. Credentials must be Terraform variables. */
  readonly provider?: (tenant: Tenant, stack: TerraformStack) => FleetProviderConfig;
  /** Declares the backend and the objects of one tenant. */
  readonly declare: (stack: TerraformStack, tenant: Tenant) => void;
}

/**
 * Declares one stack for each tenant, with a provider that can reach only this tenant. Credentials come from environment variables
 * with the tenant's name as prefix, such as `ACME_TENANT_CLIENT_ID`. Returns the stacks by the name of their tenant.
 * @throws Error if a name, domain or endpoint is invalid, or belongs to two tenants
 * @example
 * interface Customer extends FleetTenant {
 *   readonly office: string;
 * }
 * const customers: Customer[] = [
 *   { name: "acme", domain: "acme.eu.auth0.com", office: "203.0.113.0/24" },
 *   { name: "globex", domain: "globex.us.auth0.com", office: "198.51.100.0/24" },
 * ];
 * fleet(app, {
 *   tenants: customers,
 *   declare(own, { office }) {
 *     new NetworkAcl(own, "office", {
 *       description: "Only the office reaches the Management API",
 *       rule: { action: Action.block(), notMatch: Match.addresses(office), scope: "management" },
 *     });
 *   },
 * });
 */
export function fleet<Tenant extends FleetTenant>(
  scope: Construct,
  { tenants, provider, declare }: FleetConfig<Tenant>,
): ReadonlyMap<string, TerraformStack> {
  demandTenants(scope, tenants);
  const stacks = new Map<string, TerraformStack>();
  for (const tenant of tenants) {
    const stack = new TerraformStack(scope, tenant.name);
    stacks.set(tenant.name, stack);
    const own = new TenantProvider(stack, "tenant", {
      ...provider?.(tenant, stack),
      ...locationOf(tenant),
      environmentPrefix: prefixOf(tenant.name),
    });
    addCheck(own, () => [...secretsOf(own), ...othersThan(own)]);
    declare(stack, tenant);
  }
  const [first] = stacks.values();
  if (first) addCheck(first, () => sharedBackends([...stacks.values()]));
  return stacks;
}

function locationOf({ domain, endpoint }: FleetTenant): TenantProviderConfig {
  if (endpoint === undefined) return { domain, allowedDomains: [domain] };
  return { endpoint, allowedDomains: [rootOf({ endpoint })!.host] };
}

/** Other stacks only warn about these, but the credentials of a fleet give access to every tenant. */
function secretsOf(provider: TenantProvider): string[] {
  const written = takeWritten(provider);
  return written === undefined ? [] : exposed(provider, written, described(block).attributes);
}

function othersThan(provider: TenantProvider): string[] {
  const stack = TerraformStack.of(provider);
  const others = stack.node.findAll().filter((one) => isTenantProvider(one) && one !== provider);
  return others.map(
    ({ node }) =>
      `${node.path} is another TenantProvider, but a stack of a fleet is for one tenant. Remove it: the fleet creates the provider. ` +
      "Give its settings as `provider`.",
  );
}

/* Refuses tenants that could be confused with each other, in one error with all problems. */

/** `acme-eu` becomes `ACME_EU`. */
const prefixOf = (name: string): string => name.toUpperCase().replaceAll("-", "_");

/** A name of a schema in PostgreSQL has at most 63 characters, so this leaves room for a word before it. */
const longest = 40;

function demandTenants(scope: Construct, tenants: unknown): void {
  const complaints = complaintsOf(scope, tenants);
  if (complaints.length === 0) return;
  throw new Error(`The fleet cannot be declared:\n  ${complaints.join("\n  ")}`);
}

function complaintsOf(scope: Construct, tenants: unknown): string[] {
  if (!Array.isArray(tenants)) {
    return [`\`tenants\` is ${show(tenants)}: give a list of objects with name and domain.`];
  }
  const prefixes = new Map<string, Earlier>();
  const hosts = new Map<string, Earlier>();
  return tenants.flatMap((tenant: unknown, index) => {
    const place = `tenants[${index}]`;
    if (!isObject(tenant)) return [`\`${place}\` is ${show(tenant)}: give an object with name and domain.`];
    const { name, domain, endpoint } = tenant as Partial<Record<string, unknown>>;
    return [
      ...complaintsOfName(scope, `${place}.name`, name, prefixes),
      ...complaintsOfDomain(`${place}.domain`, domain),
      ...complaintsOfEndpoint(`${place}.endpoint`, endpoint),
      ...complaintsOfHost(place, { domain, endpoint }, hosts),
    ];
  });
}

/** The first tenant with a value that must be unique. */
interface Earlier {
  readonly place: string;
  readonly value: unknown;
}

function complaintsOfName(scope: Construct, place: string, name: unknown, prefixes: Map<string, Earlier>): string[] {
  const isName = typeof name === "string" && /^[a-z](?:[a-z\d]|[-_](?=[a-z\d]))*$/i.test(name);
  if (!isName || name.length > longest) {
    return [
      `\`${place}\` is ${show(name)}: give 1 to ${longest} letters and digits, beginning with a letter. Single hyphens and underscores may ` +
        "separate them. The name is that of a folder and of environment variables.",
    ];
  }
  const earlier = prefixes.get(prefixOf(name));
  prefixes.set(prefixOf(name), earlier ?? { place, value: name });
  if (earlier?.value === name) {
    return [`\`${place}\` is ${show(name)}, like \`${earlier.place}\`: give each tenant a name of its own.`];
  }
  if (earlier) {
    return [
      `\`${place}\` is ${show(name)}, and \`${earlier.place}\` is ${show(earlier.value)}: both would read ` +
        `${prefixOf(name)}_TENANT_CLIENT_ID and so on. Give one of them another name.`,
    ];
  }
  if (scope.node.tryFindChild(name)) {
    return [
      `\`${place}\` is ${show(name)}, and the app already has ${show(name)}: give the tenant or the stack another name.`,
    ];
  }
  return [];
}

function complaintsOfDomain(place: string, domain: unknown): string[] {
  if (typeof domain === "string" && isDomain(domain)) return [];
  const found = Token.isUnresolved(domain) ? "not known at synth" : show(domain);
  return [
    `\`${place}\` is ${found}: give the bare host name as text, such as acme.eu.auth0.com. Otherwise the stack could reach another tenant.`,
  ];
}

function complaintsOfEndpoint(place: string, endpoint: unknown): string[] {
  if (endpoint === undefined || rootIn({ endpoint })) return [];
  // The URL may contain a password.
  return [
    `\`${place}\` is not a URL that is known at synth: give text such as http://127.0.0.1:4010, or leave it out.`,
  ];
}

function complaintsOfHost(
  place: string,
  { domain, endpoint }: { readonly domain: unknown; readonly endpoint: unknown },
  hosts: Map<string, Earlier>,
): string[] {
  const root = endpoint === undefined ? rootIn({ domain }) : rootIn({ endpoint });
  if (!root) return [];
  const name = endpoint === undefined ? "domain" : "endpoint";
  const site = hostOf(root) + pathOf(root);
  const earlier = hosts.get(site);
  hosts.set(site, earlier ?? { place: `${place}.${name}`, value: site });
  if (!earlier) return [];
  return [
    `\`${place}.${name}\` is the tenant ${show(site)}, like \`${earlier.place}\`: two states cannot manage one tenant. Remove one of the two, or ` +
      "correct it.",
  ];
}

function rootIn({ domain, endpoint }: { readonly domain?: unknown; readonly endpoint?: unknown }): URL | undefined {
  const text = endpoint ?? domain;
  if (typeof text !== "string" || text === "" || Token.isUnresolved(text)) return undefined;
  if (endpoint === undefined && !isDomain(text)) return undefined;
  return endpoint === undefined ? rootOf({ domain: text }) : rootOf({ endpoint: text });
}
