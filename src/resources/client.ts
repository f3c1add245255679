/** What the resources of one configured provider share. */
import type { Tenant } from "../tenant/tenant";
import type { Guard } from "./network-acl/guard";
import type { PlanNotes } from "./provider/definition";

export interface Client {
  readonly tenant: Tenant;
  readonly guard: Guard;
  readonly planNotes: PlanNotes;
  /** Whether an object that is there already, the same in everything, becomes that of a new one. */
  readonly mayTakeOver: boolean;
  /** Whether something is to be said of features in Early Access: where they are not meant, and not said already. */
  earlyAccess(): boolean;
  stop(): void;
}
