/** The changes of network ACLs under way, what they share, and what is known of them. */
import type { Wanted } from "../conflict";
import type { TenantError } from "../error";
import type { Log } from "../secrets";
import type { NetworkAcl, NetworkAclBody, Prior } from "../network-acl";
import type { Known, Progress } from "./progress";
import { type InTenant, mustWait, refusalOf as refusalIn, type WriteCall } from "./verdict";

/** A network ACL of which at least id and priority are known. */
export type AclAtPriority = Pick<NetworkAcl, "id" | "priority"> & Partial<NetworkAcl>;

/** An ACL and the priority that it has, and the one that it should have. */
export interface AclPlace {
  readonly id: string;
  readonly description?: string | undefined;
  readonly priority: number;
  readonly wanted?: number | undefined;
}

/** What a call says about an ACL that did not get its priority at once. */
export interface PriorityReports {
  /** The call ends, and the call that frees the priority will move the ACL. */
  early(aside: AclPlace, holder: AclPlace): void;
  /** An ACL whose call ended early does not get its priority, although this call freed it. */
  unfinished(aside: AclPlace, because: unknown): void;
}

export interface AclCall extends WriteCall<NetworkAclBody> {
  /** Omit it if no call may end before its ACL has the priority. */
  readonly reports?: PriorityReports | undefined;
}

/** A change of a network ACL under way. */
export interface Change {
  /** Missing until the ACL exists. */
  id?: string;
  /** Missing if the ACL is deleted. */
  readonly wanted?: Wanted;
  /** The ACL as the caller knows it. */
  readonly prior?: Prior | undefined;
  readonly call: AclCall;
  /** Creates the ACL, or writes the whole ACL, with this priority. A deletion without it never steps aside. */
  readonly write?: ((priority: number) => Promise<NetworkAcl>) | undefined;
  readonly remove?: () => Promise<void>;
  /** Whether the ACL that has the priority equals the new one. */
  readonly isDuplicate?: ((holder: AclAtPriority) => boolean) | undefined;
  /** The write in flight. */
  sending?: { readonly priority?: number | undefined; readonly after: NetworkAclBody | undefined } | undefined;
  /** A free priority to which the ACL moves first, so that another change can come. */
  aside?: number | undefined;
  /** The ACL as the last write left it. */
  written?: NetworkAcl;
  /** The last response that reported a conflict. */
  conflict?: TenantError;
  /** Whether the list was read since the last conflict. */
  isListFresh?: boolean;
}

/** A change to another priority. */
export type Move = Change & { readonly wanted: Wanted };

/** Times in milliseconds. They decide when a change stops waiting for calls that have not begun, never what it does then. */
export interface PriorityTimeouts {
  /** After this time an ACL steps aside for changes that wait for it. Default 1 000. */
  readonly stepAside?: number;
  /**
   * After this time a call ends before its ACL has the priority, if Terraform may need its slot, or fails, if no call for an ACL of the
   * state came. Default 2 000.
   */
  readonly slot?: number;
  /** After this time nothing more is expected. Default 10 000. */
  readonly giveUp?: number;
}

/** What all changes of a process share. */
export interface Changes {
  readonly known: Known<AclAtPriority>;
  readonly progress: Progress;
  readonly log: Log;
  readonly timeouts: Required<PriorityTimeouts>;
  readonly all: Set<Change>;
  /** ACLs whose change has ended. They will not move again by themselves. */
  readonly finished: Set<string>;
  /** Moves whose call ended early, by the id of their ACL. Later calls carry them out. */
  readonly unplaced: Map<string, Move>;
  /** Priorities that ACLs had when they were read. Another ACL may be about to move there. */
  readonly usedPriorities: Set<number>;
  /** Free priorities that another process took first. It may take them again before the list shows it. */
  readonly refusedPriorities: Set<number>;
  /** Whether a call for an ACL of the state was seen. A plan without one does not look at the tenant, so a holder may be unmanaged. */
  seesState?: boolean;
  /** A held change that is about to fail. The others wait for the next progress. */
  refusing?: Change | undefined;
}

export const holderOf = ({ known }: Changes, priority: number) => known.all().find((acl) => acl.priority === priority);

export const changeOf = ({ all }: Changes, id: string) => [...all].find((change) => change.id === id);

export const isWriting = ({ all }: Changes, priority: number) =>
  [...all].some(({ sending }) => sending?.priority === priority);

export const isDuplicateOf = (move: Move, holder: AclAtPriority) => move.isDuplicate?.(holder) ?? false;

/** Whether another change waits for the priority of the ACL. */
export const isAwaited = (changes: Changes, { id }: Change) =>
  id !== undefined && [...changes.all].some(({ wanted }) => wanted && holderOf(changes, wanted.priority)?.id === id);

/** Whether the ACLs of the tenant must be read before the change is written. Without the previous version, each write may be refused. */
export function needsAcls(changes: Changes, change: Change): boolean {
  const { id, prior, wanted, call } = change;
  if (!isUnread(changes, change)) return false;
  const before = contentOf(prior);
  if (id !== undefined && !before) return true;
  return call.guard?.mayRefuse?.({ before, after: contentOf(wanted) }) ?? true;
}

/** Whether the ACLs must be read before a guarded ACL moves to a priority that nobody planned. */
export const isUnread = ({ known }: Changes, { call }: Change) => call.guard !== undefined && !known.loaded;

/** The error for the write at this priority. Without a priority, the write deletes the ACL. `first`: another ACL, as written before. */
export function refusalOf(
  changes: Changes,
  change: Change,
  priority = change.wanted?.priority,
  first?: InTenant<NetworkAclBody>,
): Error | undefined {
  if (!changes.known.loaded) return undefined;
  return refusalIn(change.call.guard, questionOf(changes, change, priority), situationOf(changes, change), first);
}

export function isCrowded(changes: Changes, change: Change): boolean {
  if (!changes.known.loaded) return false;
  const question = questionOf(changes, change, change.aside ?? change.wanted?.priority);
  return mustWait(change.call.guard, question, situationOf(changes, change));
}

function questionOf({ known }: Changes, change: Change, priority: number | undefined) {
  const { id, prior, wanted } = change;
  const before = contentOf(id === undefined ? undefined : known.byId(id)) ?? contentOf(prior);
  const after = priority === undefined ? undefined : contentAt(change, priority);
  return { id, before, after, isFinal: priority === wanted?.priority };
}

function situationOf({ known, all }: Changes, except: Change) {
  const inFlight = [...all].flatMap((one) =>
    one.sending && one !== except ? { id: one.id, after: one.sending.after } : [],
  );
  return { known: known.all() as readonly (AclAtPriority & NetworkAclBody)[], inFlight };
}

export function contentAt({ wanted, prior }: Change, priority: number): NetworkAclBody | undefined {
  return contentOf({ ...(wanted ?? prior), priority });
}

function contentOf(acl: Partial<NetworkAclBody> | undefined): NetworkAclBody | undefined {
  const { description = "", active, priority, rule } = acl ?? {};
  return rule && active !== undefined && priority !== undefined ? { description, active, priority, rule } : undefined;
}
