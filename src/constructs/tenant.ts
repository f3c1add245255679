/** Tells which resources of a stack belong to the same tenant. */
import { TerraformProvider, Token, type TerraformResource, type TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { TenantProvider } from "./bindings/provider";

/** Also of another copy of this package, whose classes are others. */
export const isTenantProvider = (construct: IConstruct): construct is TenantProvider =>
  TerraformProvider.isTerraformProvider(construct) && construct.terraformResourceType === TenantProvider.tfResourceType;

/** By the host that the provider configuration names as a literal. Without a literal, each alias may be another tenant. */
export function tenantsIn(stack: TerraformStack): (resource: Pick<TerraformResource, "provider">) => string {
  const providers = stack.node.findAll().filter(isTenantProvider);
  return ({ provider }) => {
    const own = providers.find((one) => one === provider || (!provider && one.alias === undefined));
    const written = own?.endpointInput ?? own?.domainInput;
    if (written === undefined || Token.isUnresolved(written)) return `alias ${provider?.alias ?? ""}`;
    return `host ${written.replace(/^https:\/\/|\/+$/gi, "").toLowerCase()}`;
  };
}
