/** What the resources of one configured provider share. */
import type { Tenant } from "../tenant/tenant";
import type { Host } from "./engine";
import type { Guard } from "./network-acl/guard";
import type { PlanNotes } from "./provider-block/definition";

/** Other processes of the same run. */
export interface Neighbours {
  /** Whether another process works for the tenant, or did so while this one was there. */
  areThere(): boolean;
  leave(): void;
}

export interface Client extends Host {
  readonly tenant: Tenant;
  readonly guard: Guard;
  /** Names the tenant, in the form that all spellings of its address share. */
  readonly site: string;
  /** Other processes of the run that work for the tenant. */
  readonly neighbours?: Neighbours;
  readonly planNotes: PlanNotes;
  /** True for the first who asks, where features in Early Access are not meant: something is to be said of them. */
  sayEarlyAccess(): boolean;
  stop(): void;
}
