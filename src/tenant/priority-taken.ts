/** What becomes of access control lists that do not get to their priority. */
import { Conflict } from "./conflict";
import type { TenantErrorDetails } from "./error";
import type { NetworkAcl } from "./network-acl";
import type { AclAtPriority } from "./priority-board";

export type Wanted = Pick<NetworkAcl, "description" | "priority">;

/** Another list stands at the wanted priority, and nothing in this process was about to move it. */
export class PriorityTaken extends Conflict<AclAtPriority> {
  constructor(
    { description, priority }: Wanted,
    holder: AclAtPriority,
    identical: boolean,
    details: TenantErrorDetails,
    /** The list as it is now on the service, where it was given another priority in the meantime. */
    readonly standing?: NetworkAcl,
  ) {
    const who = holder.description === undefined ? holder.id : `"${holder.description}" (${holder.id})`;
    const now = standing ? `; "${description}" stands at priority ${standing.priority} for now` : "";
    const words = `Priority ${priority}, wanted for "${description}", is held by ${who}${now}.`;
    super(words, holder, identical, details, "priority_taken");
  }
}

/** The list was written at another priority on its way and stands there, as what came next has failed: the cause. */
export class SteppedAside extends Error {
  constructor(
    readonly standing: NetworkAcl,
    options: { readonly cause: unknown },
  ) {
    super(`"${standing.description}" stands at priority ${standing.priority} for now`, options);
  }
}
