/** The provider block in CDK programs, which also ships the provider. */
import {
  Annotations,
  TerraformDataSource,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
  type ISynthesisSession,
} from "cdktf";
import type { Construct, IConstruct } from "constructs";
import path from "node:path";
import { block } from "../provider/resources/provider-block/definition";
import { endpointFrom, isAllowed } from "../provider/resources/provider-block/location";
import type { Rule } from "../provider/sdk/attribute";
import { DiagnosticError } from "../provider/sdk/diagnostic";
import {
  TenantProvider as Generated,
  type TenantProviderConfig as GeneratedConfig,
  type TenantProviderExpectation,
} from "./bindings/provider";
import { addCheck } from "./checks";
import { customSynthesis } from "./cdk-library";
import { source } from "../commands/install/product";
import { isSource, ship, type Requirement } from "../commands/install/shipment";
import { placeOf } from "./origin";
import { isTenantProvider } from "./tenant";
import { checkAtSynth, given } from "./validation";
import { warn } from "./warn";

/** Refuses a tenant that the block alone names and the provider would refuse. Whatever the environment adds is not known at synth. */
const location: Rule = (written, report) => {
  const {
    domain,
    endpoint,
    allowed_domains: allowed,
  } = written as { readonly [name in "domain" | "endpoint" | "allowed_domains"]?: string };
  if ([domain, endpoint].includes("") || (domain === undefined && endpoint === undefined)) return;
  try {
    isAllowed(endpointFrom({ sources: [{ domain, endpoint }], variable: (option) => option }), allowed);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    report(error.detail, error.path);
  }
};

const definition = { name: "tenant_provider", config: block, rules: [location] };

export interface TenantProviderConfig extends Omit<GeneratedConfig, "expectation"> {
  /**
   * Statements about your tenant that every plan checks. Synth checks them as far as this stack alone can break them.
   * @example
   * expectations: [expectation("sanctions").that({ scopes: "authentication", countries: ["KP", "IR"] }).isBlocked()]
   */
  readonly expectations?: readonly TenantProviderExpectation[];
  /**
   * Whether synth copies the provider into the directory of the stack. With false, Terraform must find it elsewhere, such as in a mirror.
   * Default: true.
   */
  readonly ship?: boolean;
}

/**
 * Names the tenant and the credentials. Missing values come from the environment at deployment. Synth copies the provider into the
 * directory of the stack, so you need no registry and no configuration.
 * @example
 * new TenantProvider(stack, "tenant"); // TENANT_DOMAIN, TENANT_CLIENT_ID and TENANT_CLIENT_SECRET from the environment
 * @example
 * new TenantProvider(stack, "guarded", {
 *   domain: "acme.eu.auth0.com",
 *   protectedRequest: [{ name: "our CI", ip: "203.0.113.7", country: "DE" }],
 * });
 */
export class TenantProvider extends Generated {
  constructor(scope: Construct, id: string, config: TenantProviderConfig = {}) {
    const { ship: isShipped = true, ...rest } = { ...config };
    const written = inTerraform(rest);
    super(scope, id, given(definition, id, written));
    checkAtSynth(this, definition, written);
    addCheck(this, () => {
      warnOfStrays(this);
      return duplicatesOf(this);
    });
    if (!isShipped) return;
    Object.defineProperty(this, customSynthesis, {
      value: { onSynthesize: (session: ISynthesisSession) => shipOnce(this, session) },
    });
  }
}

/** The block has the name `expectation` in Terraform. */
function inTerraform(config: TenantProviderConfig): GeneratedConfig {
  if (config?.expectations === undefined) return config;
  const { expectations, ...rest } = config;
  return { ...rest, expectation: Array.isArray(expectations) ? [...expectations] : expectations } as GeneratedConfig;
}

/** Reports a provider configuration with the alias of an earlier one. */
function duplicatesOf(provider: TenantProvider): string[] {
  const alias = provider.alias ?? "";
  if (provider.alias !== undefined && !/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(alias)) {
    return [`\`alias\` is ${JSON.stringify(alias)}: give a name of letters, digits, hyphens and underscores.`];
  }
  const [first] = TerraformStack.of(provider)
    .node.findAll()
    .filter((other) => isTenantProvider(other) && (other.alias ?? "") === alias);
  if (first === undefined || first === provider) return [];
  const both =
    provider.alias === undefined ? "both have no `alias`" : `both have the \`alias\` ${JSON.stringify(alias)}`;
  return [
    `${placeOf(first)} and ${placeOf(provider)} ${both}. Give all except one an alias of their own, and set ` +
      "`provider` of each resource to the TenantProvider of its tenant.",
  ];
}

/** If every provider configuration has an alias, Terraform gives resources without `provider` an empty configuration. */
function warnOfStrays(provider: TenantProvider): void {
  const all = TerraformStack.of(provider).node.findAll();
  if (all.some((other) => isTenantProvider(other) && other.alias === undefined)) return;
  const isStray = (one: IConstruct) =>
    (TerraformResource.isTerraformResource(one) || TerraformDataSource.isTerraformDataSource(one)) &&
    one.terraformResourceType.startsWith("tenant_") &&
    one.provider === undefined;
  const strays = all.filter(isStray);
  if (strays.length === 0) return;
  warn(
    strays[0]!,
    `${strays.map(placeOf).join(", ")}: no \`provider\` is given, and each TenantProvider of the stack has an ` +
      "`alias`, so only the environment names the tenant. Give `provider`, or remove the alias of one TenantProvider.",
  );
}

/** A stack with several provider configurations carries the provider once. */
function shipOnce(provider: TenantProvider, session: ISynthesisSession): void {
  const stack = TerraformStack.of(provider);
  const isOurs = (candidate: IConstruct) =>
    isTenantProvider(candidate) && TerraformStack.of(candidate) === stack && Reflect.has(candidate, customSynthesis);
  if (stack.node.findAll().find(isOurs) !== provider) return;
  const { workingDirectory } = session.manifest.forStack(stack);
  const others = Object.values(requiredBy(stack)).filter((requirement) => requirement.source !== source);
  for (const other of others) {
    if (other.source === undefined || isSource(other.source)) continue;
    Annotations.of(provider).addError(
      `The stack requires a provider from ${JSON.stringify(other.source)}, which is not a provider address: write NAMESPACE/TYPE, ` +
        "such as hashicorp/random, or HOST/NAMESPACE/TYPE.",
    );
  }
  for (const open of ship(path.join(session.outdir, workingDirectory), others)) {
    warn(
      provider,
      `The stack requires no exact version of the provider ${open}, so cdktf would search the registry for all providers of the stack, and ` +
        "not find tenantform/tenant. Require an exact version, or set CDKTF_SKIP_PROVIDER_LOCK=true for the first deployment.",
    );
  }
}

/** The required providers in the file of the stack. */
function requiredBy(stack: TerraformStack): Record<string, Requirement> {
  const providers = stack.node.findAll().filter(TerraformProvider.isTerraformProvider);
  const required: Record<string, Requirement> = {};
  for (const part of [...providers.map((provider) => provider.toTerraform()), stack["rawOverrides"]]) {
    const entries = Object.entries<Requirement>(part.terraform?.required_providers ?? {});
    for (const [name, requirement] of entries) required[name] = { ...required[name], ...requirement };
  }
  return required;
}
