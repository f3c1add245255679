/** The provider block in CDK programs, which also brings the provider itself. */
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
import { block } from "../resources/provider-block/definition";
import { TenantProvider as Generated, type TenantProviderConfig } from "./bindings/provider";
import { addCheck } from "./checks";
import { customSynthesis } from "./cdk-library";
import { source } from "../install/product";
import { isSource, ship, type Requirement } from "../install/shipment";
import { checkAtSynth, given } from "./validation";

const definition = { name: "tenant_provider", config: block };

/**
 * Which tenant, and with which credentials; what is left out comes from the environment at deployment. Synth puts the
 * provider itself into the stack's directory, so that neither a registry nor any configuration is needed.
 * @example
 * new TenantProvider(stack, "tenant"); // TENANT_DOMAIN, TENANT_CLIENT_ID and TENANT_CLIENT_SECRET from the environment
 * @example
 * new TenantProvider(stack, "guarded", {
 *   domain: "acme.eu.auth0.com",
 *   protectedRequests: [{ name: "our CI", ip: "203.0.113.7", country: "DE" }],
 * });
 */
export class TenantProvider extends Generated {
  constructor(scope: Construct, id: string, config: TenantProviderConfig = {}) {
    super(scope, id, given(definition, id, config));
    checkAtSynth(this, definition, config);
    addCheck(this, () => {
      warnOfStrays(this);
      return twinsOf(this);
    });
    Object.defineProperty(this, customSynthesis, {
      value: { onSynthesize: (session: ISynthesisSession) => shipOnce(this, session) },
    });
  }
}

/** Terraform tells configurations of a provider apart by their aliases. Said by the second and all later ones. */
function twinsOf(provider: TenantProvider): string[] {
  const alias = provider.alias ?? "";
  if (provider.alias !== undefined && !/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(alias)) {
    return [`\`alias\` is ${JSON.stringify(alias)}: give a name of letters, digits, hyphens and underscores.`];
  }
  const [first] = TerraformStack.of(provider)
    .node.findAll()
    .filter((other) => other instanceof TenantProvider && (other.alias ?? "") === alias);
  if (first === undefined || first === provider) return [];
  const both =
    provider.alias === undefined ? "both have no `alias`" : `both have the \`alias\` ${JSON.stringify(alias)}`;
  return [
    `${first.node.path} and ${provider.node.path} ${both}: give each but one an alias of its own, and name that ` +
      "TenantProvider in the `provider` of what belongs to its tenant.",
  ];
}

const warned = new WeakSet<TerraformStack>();

/** Resources that name none of the provider configurations, of which each has an alias, have one of their own. */
function warnOfStrays(provider: TenantProvider): void {
  const stack = TerraformStack.of(provider);
  if (warned.has(stack)) return;
  const all = stack.node.findAll();
  if (all.some((other) => other instanceof TenantProvider && other.alias === undefined)) return;
  const isStray = (one: IConstruct) =>
    (TerraformResource.isTerraformResource(one) || TerraformDataSource.isTerraformDataSource(one)) &&
    one.terraformResourceType.startsWith("tenant_") &&
    one.provider === undefined;
  const strays = all.filter(isStray);
  if (strays.length === 0) return;
  warned.add(stack);
  Annotations.of(strays[0]!).addWarning(
    `${strays.map(({ node }) => node.path).join(", ")}: no \`provider\` is given, and each TenantProvider of the stack has an ` +
      "`alias`. So the environment alone says which tenant is meant: give `provider`, or leave the alias of one out.",
  );
}

/** A stack with several provider configurations carries the provider once. */
function shipOnce(provider: TenantProvider, session: ISynthesisSession): void {
  const stack = TerraformStack.of(provider);
  const isOurs = (candidate: unknown) => candidate instanceof TenantProvider && TerraformStack.of(candidate) === stack;
  if (stack.node.findAll().find(isOurs) !== provider) return;
  const { workingDirectory } = session.manifest.forStack(stack);
  const others = Object.values(requiredBy(stack)).filter((requirement) => requirement.source !== source);
  for (const other of others) {
    if (other.source === undefined || isSource(other.source)) continue;
    Annotations.of(provider).addError(
      `The stack requires a provider from ${JSON.stringify(other.source)}, which is no address of one: write NAMESPACE/TYPE, ` +
        "such as hashicorp/random, or HOST/NAMESPACE/TYPE.",
    );
  }
  for (const open of ship(path.join(session.outdir, workingDirectory), others)) {
    Annotations.of(provider).addWarning(
      `The stack does not say which version of the provider ${open} it wants. cdktf would look for all providers of the ` +
        "stack in the registry to lock them, and not find this one: require an exact version of it, or set " +
        "CDKTF_SKIP_PROVIDER_LOCK=true for the first deployment.",
    );
  }
}

/** What the stack's file will say, without making all of it. */
function requiredBy(stack: TerraformStack): Record<string, Requirement> {
  const providers = stack.node.findAll().filter(TerraformProvider.isTerraformProvider);
  const required: Record<string, Requirement> = {};
  for (const said of [...providers.map((provider) => provider.toTerraform()), stack["rawOverrides"]]) {
    const entries = Object.entries<Requirement>(said.terraform?.required_providers ?? {});
    for (const [name, requirement] of entries) required[name] = { ...required[name], ...requirement };
  }
  return required;
}
