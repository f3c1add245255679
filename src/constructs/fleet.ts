/** One stack for each tenant of a fleet. */
import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { rootOf } from "../resources/provider-block/root";
import { addCheck } from "./checks";
import { exposed } from "./exposure";
import { sharedBackends } from "./fleet-backend";
import { demandTenants, prefixOf } from "./fleet-tenant";
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
