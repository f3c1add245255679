/** What the resources of one configured provider share. */
import type { Tenant } from "../tenant/tenant";
import type { Host } from "./host";
import type { Guard } from "./network-acl/guard";
import type { PlanNotes } from "./provider/definition";

export interface Client extends Host {
  readonly tenant: Tenant;
  readonly guard: Guard;
  readonly planNotes: PlanNotes;
  /** Whether something is to be said of features in Early Access: where they are not meant, and not said already. */
  earlyAccess(): boolean;
  stop(): void;
}
