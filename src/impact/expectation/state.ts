/** The state of a tenant, as far as expectations concern it. */
import type { Marks, Values } from "../model";
import type { PlannedAcl } from "../network-acl/acl";

/** Everything that expectations speak of. Left out: it was not read, so expectations about it are undecided. */
export interface TenantState {
  /** All ACLs of the tenant, unmanaged ones included. */
  readonly acls?: readonly PlannedAcl[];
  /** Rate limit policies, with symbols for unknown values. `address`, `plan` and `id` tell which object they are. */
  readonly policies?: readonly StatedObject[];
  /** Member sets; each has `organization_id` and `members`. */
  readonly members?: readonly StatedObject[];
  /** Why the tenant may have further objects, in words. Nothing is held then. */
  readonly incomplete?: string;
}

export interface StatedObject {
  readonly address?: string;
  readonly plan?: string;
  readonly id?: string;
  readonly values: Values;
  /** The sensitive values. */
  readonly sensitive?: Marks;
}

export interface States {
  readonly before?: TenantState;
  readonly after: TenantState;
}
