/** The connection and the settings that the resources of one provider configuration share. */
import type { Tenant } from "../tenant/tenant";
import type { Engine } from "./engine";
import type { Expectations } from "./expectations/expectations";
import type { Guard } from "./network-acl/guard";
import type { PlanWarnings } from "./provider-block/definition";

export interface Client extends Engine {
  readonly tenant: Tenant;
  readonly guard: Guard;
  readonly expectations: Expectations;
  /** The client that requests Terraform's tokens (`id` undefined: `access_token` is set), and how its lock-out is treated. */
  readonly ownClient: { readonly id: string | undefined; readonly strength: "error" | "warn" | "off" };
  /** The address of the tenant, the same for all its spellings. */
  readonly site: string;
  readonly planWarnings: PlanWarnings;
  /** Milliseconds since the UNIX epoch. */
  now(): number;
  /** True for the first caller, unless the configuration confirms features in Early Access. */
  sayEarlyAccess(): boolean;
  stop(): void;
}
