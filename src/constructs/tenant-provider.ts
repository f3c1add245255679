/** The provider block in CDK programs, which also ships the provider. */
import { TerraformProvider, TerraformStack, type ISynthesisSession } from "cdktf";
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
import { addCheck, customSynthesis, warn, writtenOf } from "./checks";
import { source } from "../commands/install/product";
import { ship, type Requirement } from "../commands/install/shipment";
import { placeOf } from "./origin";
import { isTenantProvider } from "./tenant";
import { checkAtSynth, given } from "./validation";

/** Refuses a tenant that the block alone names and the provider would refuse. Whatever the environment adds is not known at synth. */
const location: Rule = (written, report) => {
  const {
    domain,
    endpoint,
    allowed_domains: allowed,
  } = written as { readonly [name in "domain" | "endpoint" | "allowed_domains"]?: string };
  if ([domain, endpoint].includes("") || (domain === undefined && endpoint === undefined)) return;
  try {
    const named = (option: string) => `\`${option}\``;
    isAllowed(endpointFrom({ sources: [{ domain, endpoint }], variable: (option) => option, named }), allowed);
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
    super(scope, id, inTerraform(given(definition, config)));
    checkAtSynth(this, definition, config);
    addCheck(this, () => problemsOfAlias(this));
    if (config?.ship === false) return;
    Object.defineProperty(this, customSynthesis, {
      value: { onSynthesize: (session: ISynthesisSession) => shipOnce(this, session) },
    });
  }
}

/** Terraform refuses a second block of an alias, and an alias that is no name, without the line of the program. */
function problemsOfAlias(provider: TenantProvider): string[] {
  const all = TerraformStack.of(provider).node.findAll().filter(isTenantProvider);
  const aliasOf = (one: TenantProvider) => writtenOf(one)?.["alias"];
  const own = aliasOf(provider);
  if (own !== undefined && !/^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(own as string)) {
    return [`\`alias\` is ${JSON.stringify(own)}: give a name of letters, digits, - and _ that begins with a letter.`];
  }
  const first = all.find((one) => aliasOf(one) === own)!;
  if (first === provider) return [];
  const words = own === undefined ? "is missing, also" : `is ${JSON.stringify(own)}, also`;
  return [
    `\`alias\` ${words} in ${placeOf(first)}: give each provider its own alias, and set \`provider\` on each resource.`,
  ];
}

/** The block has the name `expectation` in Terraform. */
function inTerraform({ expectations, ...rest }: TenantProviderConfig): GeneratedConfig {
  return expectations === undefined ? rest : { ...rest, expectation: expectations as TenantProviderExpectation[] };
}

/** A stack with several provider configurations carries the provider once. */
function shipOnce(provider: TenantProvider, session: ISynthesisSession): void {
  const stack = TerraformStack.of(provider);
  const isOurs = (candidate: IConstruct) =>
    isTenantProvider(candidate) && TerraformStack.of(candidate) === stack && Reflect.has(candidate, customSynthesis);
  if (stack.node.findAll().find(isOurs) !== provider) return;
  const { workingDirectory } = session.manifest.forStack(stack);
  const others = Object.values(requiredBy(stack)).filter((requirement) => requirement.source !== source);
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
