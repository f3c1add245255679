/** What the resources of one configured provider share. */
import type { Tenant } from "../tenant/tenant";
import type { Host } from "./host";
import type { Guard } from "./network-acl/guard";
import type { PlanNotes } from "./provider/definition";

export interface Client extends Host {
  readonly tenant: Tenant;
  readonly guard: Guard;
  readonly planNotes: PlanNotes;
  /** True for the first who asks, where features in Early Access are not meant: something is to be said of them. */
  sayEarlyAccess(): boolean;
  stop(): void;
}
