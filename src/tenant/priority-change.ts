/** The changes of network ACLs that are under way, and what they share. */
import type { TenantError } from "./error";
import type { Log } from "./log";
import type { NetworkAcl, NetworkAclBody } from "./network-acl";
import type { Activity } from "./activity";
import type { AclAtPriority, PriorityBoard } from "./priority-board";
import type { Wanted } from "./priority-taken";
import type { WriteGuard } from "./write-guard";

/** The ACL before and after a write. undefined: it does not exist. */
export interface Write {
  readonly before: NetworkAclBody | undefined;
  readonly after: NetworkAclBody | undefined;
}

/** A change under way that frees the priority of an ACL. */
export interface Change {
  /** Missing until the ACL exists. */
  id?: string;
  /** Missing if the ACL is deleted. */
  readonly wanted?: Wanted;
  /** The priority that a write under way uses. */
  writing?: number;
  /** Left out: the write is not judged. */
  readonly guard?: WriteGuard | undefined;
  /** The ACL as the caller knows it. */
  readonly prior?: NetworkAclBody | undefined;
  /** The write under way. */
  sending?: Write | undefined;
  /** Whether the write waits because it would lock out. */
  isHeld?: boolean;
  /** Moves an ACL that is about to be deleted, so that its successor can be created first. */
  readonly detour?: Move | undefined;
  /** Whether it is written although the ACLs of the tenant cannot be read. */
  goesUnread?: boolean;
}

/** A change to another priority. */
export interface Move extends Change {
  readonly wanted: Wanted;
  /** Creates the ACL, or writes the whole ACL, with this priority. */
  write(priority: number): Promise<NetworkAcl>;
  isDuplicate?(holder: AclAtPriority): boolean;
  /** A free priority to which it moves first, so that another change can come. */
  aside?: number | undefined;
  /** The ACL as the last write left it. */
  written?: NetworkAcl;
  /** The last response that reported a conflict. */
  conflict?: TenantError;
  /** Whether the board was loaded since the last conflict. */
  boardIsFresh?: boolean;
  /** Whether its call ended before the ACL had the priority. */
  endedEarly?: boolean;
}

/** Times in milliseconds. They decide when a change stops waiting for calls that have not begun, never what it does then. */
export interface PriorityTimeouts {
  /** After this time an ACL steps aside for changes that wait for it. Default 1 000. */
  readonly stepAside?: number;
  /** After this time a call ends before its ACL has the priority, if Terraform may need its slot. Default 2 000. */
  readonly slot?: number;
  /** After this time nothing more is expected. Default 10 000. */
  readonly giveUp?: number;
}

/** The state that all moves of a process share. */
export interface Moves {
  readonly board: PriorityBoard;
  readonly activity: Activity;
  readonly log: Log;
  readonly timeouts: Required<PriorityTimeouts>;
  readonly changes: Set<Change>;
  /** Whether a call for an ACL of the state was seen. A plan without one does not look at the tenant, so a holder may be unmanaged. */
  seesState?: boolean;
  /** ACLs whose change has ended. They will not move again by themselves. */
  readonly finished: Set<string>;
  /** Moves whose call ended before their priority was free, by the id of their ACL. Later calls carry them out. */
  readonly unplaced: Map<string, Move>;
  /** A held change that is about to fail. The others wait for the next progress. */
  refusing?: Change | undefined;
  /** Free priorities that another process took first. It may take them again before the list shows it. */
  readonly contested: Set<number>;
}
