/** Keys of HTTP message signatures in CDK programs. */
import { networkAclKey, networkAclKeyRead } from "../provider/resources/network-acl-key/definition";
import { DataTenantNetworkAclKey as PresentNetworkAclKey } from "./bindings/data-tenant-network-acl-key";
import { DataTenantNetworkAclKeys as PresentNetworkAclKeys } from "./bindings/data-tenant-network-acl-keys";
import { NetworkAclKey as Generated } from "./bindings/network-acl-key";
import { checked, noArguments } from "./validation";

/**
 * A key of HTTP message signatures, which lets rules of network ACLs recognize signed requests. Early Access. With
 * `namePrefix` and `createBeforeDestroy`, a new secret creates a new key first. Terraform destroys the old key when no rule
 * names it.
 * @example
 * const secret = new TerraformVariable(stack, "edge_key", { type: "string", sensitive: true });
 * secret.addOverride("ephemeral", true);
 * const key = new NetworkAclKey(stack, "edge", {
 *   namePrefix: "edge-",
 *   valueWo: secret.stringValue,
 *   lifecycle: { createBeforeDestroy: true },
 * });
 * new NetworkAcl(stack, "unsigned", {
 *   description: "Client registration only by signed requests",
 *   rule: { action: Action.block(), notMatch: Match.signedBy(key.id), scope: "dynamic_client_registration" },
 * });
 */
export class NetworkAclKey extends checked(Generated, networkAclKey) {}

/**
 * A key of HTTP message signatures, by its id or name. Unmanaged keys are included. Early Access.
 * @example
 * const edge = new DataTenantNetworkAclKey(stack, "edge", { name: "edge-2026" });
 * Match.signedBy(edge.id);
 */
export class DataTenantNetworkAclKey extends checked(PresentNetworkAclKey, networkAclKeyRead) {}

/** The keys of HTTP message signatures of the tenant, including unmanaged ones. Early Access. */
export class DataTenantNetworkAclKeys extends checked(PresentNetworkAclKeys, noArguments) {}
