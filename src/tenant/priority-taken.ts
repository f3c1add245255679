/** Errors of network ACLs that did not get their priority. */
import { Conflict } from "./conflict";
import type { TenantErrorDetails } from "./error";
import type { NetworkAcl, NetworkAclBody } from "./network-acl";
import type { AclAtPriority } from "./priority-board";

export type Wanted = Pick<NetworkAcl, "description" | "priority"> & Partial<NetworkAclBody>;

/** Another network ACL has the priority, and no change in this process moves it. */
export class PriorityTaken extends Conflict<AclAtPriority> {
  constructor(
    { description, priority }: Wanted,
    holder: AclAtPriority,
    identical: boolean,
    details: TenantErrorDetails,
    /** The ACL as it is now, if it got another priority meanwhile. */
    readonly standing?: NetworkAcl,
  ) {
    const other = holder.description === undefined ? holder.id : `"${holder.description}" (${holder.id})`;
    const now = standing ? ` "${description}" has priority ${standing.priority} for now.` : "";
    const words = `Network ACL ${other} already has priority ${priority}, which "${description}" needs.${now}`;
    super(words, holder, identical, details, "priority_taken");
  }
}

/** The ACL stepped aside to another priority, and the next write failed with the cause. */
export class SteppedAside extends Error {
  constructor(
    readonly standing: NetworkAcl,
    options: { readonly cause: unknown },
  ) {
    super(`"${standing.description}" has priority ${standing.priority} for now`, options);
  }
}
