/** What the resources of one configured provider share. */
import type { Tenant } from "../tenant/tenant";
import type { Guard } from "./network-acl/guard";
import type { PlanNotes } from "./provider/definition";

export interface Client {
  readonly tenant: Tenant;
  readonly guard: Guard;
  readonly planNotes: PlanNotes;
  stop(): void;
}
