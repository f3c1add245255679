/** What the resources of one configured provider share. */
import type { Tenant } from "../tenant/tenant";
import type { Guard } from "./network-acl/guard";

export interface Client {
  readonly tenant: Tenant;
  readonly guard: Guard;
  /** Ids of objects that a create of this process took over: the old resource that goes must not take them along. */
  readonly takenOver: Set<string>;
  /** By organization, the members that a set of this process has just seen to: the old set that goes must not remove them. */
  readonly seenTo: Map<string, readonly string[]>;
  stop(): void;
}
