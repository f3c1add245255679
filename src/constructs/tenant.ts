/** Tells which resources of a stack belong to the same tenant. */
import { Token, type TerraformResource, type TerraformStack } from "cdktf";
import { TenantProvider } from "./bindings/provider";

/** By the host that the provider configuration names as a literal. Without a literal, each alias may be another tenant. */
export function tenantsIn(stack: TerraformStack): (resource: Pick<TerraformResource, "provider">) => string {
  const providers = stack.node.findAll().filter((construct) => construct instanceof TenantProvider);
  return ({ provider }) => {
    const own = providers.find((one) => one === provider || (!provider && one.alias === undefined));
    const written = own?.endpointInput ?? own?.domainInput;
    if (written === undefined || Token.isUnresolved(written)) return `alias ${provider?.alias ?? ""}`;
    return `host ${written.replace(/^https:\/\/|\/+$/gi, "").toLowerCase()}`;
  };
}
