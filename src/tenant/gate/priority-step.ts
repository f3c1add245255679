/**
 * Decides what a change of a network ACL does next, by what this process knows: the ACLs, the changes under way, those that ended, and
 * for how long nothing happened. It reads the clock of nobody and writes nothing. The README has the theory.
 */
import type { Wanted } from "../conflict";
import type { TenantError } from "../error";
import type { Log } from "../log";
import type { NetworkAcl, NetworkAclBody } from "../network-acl";
import type { Known } from "./known";
import type { Progress } from "./progress";
import { mustWait, refusalOf as refusalIn, type InTenant, type WriteCall } from "./verdict";

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
  readonly prior?: NetworkAclBody | undefined;
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
  /** Whether the write waits because it would be refused. */
  isHeld?: boolean;
  /** Whether it is written although the ACLs of the tenant cannot be read. */
  writesUnread?: boolean;
  /** The ACL as the last write left it. */
  written?: NetworkAcl;
  /** The last response that reported a conflict. */
  conflict?: TenantError;
  /** Whether the list was read since the last conflict. */
  isListFresh?: boolean;
  /** Whether its call ended before the ACL had the priority. */
  endedEarly?: boolean;
}

/** A change to another priority. */
export type Move = Change & { readonly wanted: Wanted };

/** Times in milliseconds. They decide when a change stops waiting for calls that have not begun, never what it does then. */
export interface PriorityTimeouts {
  /** After this time an ACL steps aside for changes that wait for it. Default 1 000. */
  readonly stepAside?: number;
  /** After this time a call ends before its ACL has the priority, if Terraform may need its slot. Default 2 000. */
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
  /** Moves whose call ended before their priority was free, by the id of their ACL. Later calls carry them out. */
  readonly unplaced: Map<string, Move>;
  /** Priorities that ACLs had when they were read. Another ACL may be about to move there. */
  readonly usedPriorities: Set<number>;
  /** Free priorities that another process took first. It may take them again before the list shows it. */
  readonly refusedPriorities: Set<number>;
  /** Whether a call for an ACL of the state was seen. A plan without one does not look at the tenant, so a holder may be unmanaged. */
  seesState?: boolean;
  /** Whether the token lacks the scope to read the ACLs. */
  isUnreadable?: boolean;
  /** A held change that is about to fail. The others wait for the next progress. */
  refusing?: Change | undefined;
}

interface Aside {
  readonly change: Change;
  readonly priority: number;
}

/** What a change does next. */
export type Step =
  | { readonly kind: "send" }
  | { readonly kind: "read"; readonly change: Change }
  | { readonly kind: "move aside"; readonly priority: number }
  | { readonly kind: "wait"; readonly ms: number; readonly isHeld?: boolean }
  /** Another change moves aside at its next turn. */
  | ({ readonly kind: "ask aside" } & Aside)
  /** The call of the holder ended before another call needed the priority that it has. */
  | { readonly kind: "move holder"; readonly change: Move; readonly priority: number }
  | { readonly kind: "end early"; readonly priority: number | undefined; readonly holder: AclAtPriority }
  | { readonly kind: "refuse"; readonly refusal: Error }
  | { readonly kind: "read list" | "fail"; readonly holder: AclAtPriority };

/** `quietMs`: for how long nothing happened that could free anything. */
export function nextStep(changes: Changes, change: Change, quietMs: number): Step {
  const { timeouts } = changes;
  const { wanted, aside } = change;
  if (needsAcls(changes, change)) return { kind: "read", change };
  if (isCrowded(changes, change)) return { kind: "wait", ms: timeouts.giveUp };
  if (aside !== undefined) return { kind: "move aside", priority: aside };
  const holder = wanted && holderOf(changes, wanted.priority);
  if (wanted && holder && holder.id !== change.id) {
    return stepBehindHolder(changes, change as Move, holder, quietMs);
  }
  if (wanted && isWriting(changes, wanted.priority)) return { kind: "wait", ms: timeouts.giveUp };
  const refusal = refusalOf(changes, change);
  return refusal ? stepIfRefused(changes, change, refusal, quietMs) : { kind: "send" };
}

/** After each progress, all held changes get the time to decide again. */
function stepIfRefused(changes: Changes, held: Change, refusal: Error, quietMs: number): Step {
  const { stepAside, giveUp } = changes.timeouts;
  if (changes.refusing) return { kind: "wait", ms: giveUp, isHeld: true };
  if (quietMs < stepAside) return { kind: "wait", ms: stepAside - quietMs, isHeld: true };
  const other = opener(changes, held);
  if (other) return { kind: "ask aside", ...other };
  return quietMs < giveUp ? { kind: "wait", ms: giveUp - quietMs, isHeld: true } : { kind: "refuse", refusal };
}

/**
 * Another ACL waits for the priority of a held ACL, and the held write is then accepted. If the other ACL is new, the held one
 * steps aside: a new ACL at another priority would be left behind if the process is killed. Otherwise the other one steps aside. An
 * ACL also steps aside if another one waits for its own priority, because that one may open the way.
 */
function opener(changes: Changes, held: Change): Aside | undefined {
  const own = held.id === undefined ? undefined : changes.known.byId(held.id);
  const waiting = [...changes.all].filter((one) => one !== held && one.wanted && one.wanted.priority === own?.priority);
  const opens = (move: Change) => (priority: number) => {
    const first = contentAt(move, priority);
    return first !== undefined && !refusalOf(changes, held, held.wanted?.priority, { ...first, id: move.id });
  };
  const hasSuccessor = waiting.some((move) => move.id === undefined && opens(move)(move.wanted!.priority));
  return (
    (hasSuccessor ? asideOf(changes, held) : undefined) ??
    firstOf(waiting, (move) => asideOf(changes, move, opens(move))) ??
    firstOf(waiting, (move) => (isAwaited(changes, move) ? asideOf(changes, move) : undefined))
  );
}

function stepBehindHolder(changes: Changes, move: Move, holder: AclAtPriority, quietMs: number): Step {
  const { unplaced, timeouts } = changes;
  const [, ...others] = cycleOf(changes, move);
  const ended = unplaced.get(holder.id);
  if (others.length > 0) return stepInCycle(changes, move, others, holder);
  if (ended) {
    if (isUnread(changes, ended)) return { kind: "read", change: ended };
    const priority = freePriority(changes, ended);
    return priority === undefined ? { kind: "fail", holder } : { kind: "move holder", change: ended, priority };
  }
  if (changeOf(changes, holder.id)) return { kind: "wait", ms: timeouts.giveUp };
  return stepBehindIdleHolder(changes, move, holder, quietMs);
}

/** The ACL may lock out at each free priority, but another ACL of the cycle may not. */
function stepInCycle(changes: Changes, move: Move, others: readonly Move[], holder: AclAtPriority): Step {
  if (isUnread(changes, move)) return { kind: "read", change: move };
  const priority = freePriority(changes, move);
  if (priority !== undefined) return { kind: "move aside", priority };
  if (others.some(({ aside }) => aside !== undefined)) return { kind: "wait", ms: changes.timeouts.giveUp };
  const other = firstOf(others, (one) => asideOf(changes, one));
  return other ? { kind: "ask aside", ...other } : { kind: "fail", holder };
}

/** The step if no call changes the holder now. Its call may have ended, may be about to begin, or may never come. */
function stepBehindIdleHolder(changes: Changes, move: Move, holder: AclAtPriority, quietMs: number): Step {
  const { finished, timeouts, known } = changes;
  const { written, call } = move;
  const failed: Step = { kind: move.isListFresh ? "fail" : "read list", holder };
  if (isDuplicate(move, holder) || finished.has(holder.id)) return failed;
  const free = written ? undefined : freePriority(changes, move);
  const isAsked = free !== undefined && isAwaited(changes, move);
  if (isAsked && quietMs >= timeouts.stepAside) {
    return isUnread(changes, move) ? { kind: "read", change: move } : { kind: "move aside", priority: free };
  }
  const mayEnd =
    call.reports !== undefined && changes.seesState === true && (written !== undefined || free !== undefined);
  const end = mayEnd && !call.otherCalls?.hasFreeSlot?.() ? timeouts.slot : timeouts.giveUp;
  if (quietMs < end) {
    return { kind: "wait", ms: (isAsked ? Math.min(timeouts.stepAside, end) : end) - quietMs };
  }
  if (!mayEnd || !move.isListFresh || !known.loaded) return failed;
  return { kind: "end early", priority: free, holder };
}

export const holderOf = ({ known }: Changes, priority: number) => known.all().find((acl) => acl.priority === priority);

export const changeOf = ({ all }: Changes, id: string) => [...all].find((change) => change.id === id);

export const isWriting = ({ all }: Changes, priority: number) =>
  [...all].some(({ sending }) => sending?.priority === priority);

export const isDuplicate = (move: Move, holder: AclAtPriority) => move.isDuplicate?.(holder) ?? false;

/** Whether another change waits for the priority of the ACL. */
const isAwaited = (changes: Changes, { id }: Change) =>
  id !== undefined && [...changes.all].some(({ wanted }) => wanted && holderOf(changes, wanted.priority)?.id === id);

/** Whether the ACLs of the tenant must be read before the change is written. Without the previous version, each write may be refused. */
export function needsAcls(changes: Changes, change: Change): boolean {
  const { id, prior, wanted, call } = change;
  if (!isUnread(changes, change)) return false;
  if (id !== undefined && !prior) return true;
  return call.guard?.mayRefuse?.({ before: prior, after: wanted && contentOf(wanted) }) ?? true;
}

/** Whether the ACLs must be read before a guarded ACL moves to a priority that nobody planned. */
const isUnread = ({ known, isUnreadable }: Changes, { call, writesUnread }: Change) =>
  call.guard !== undefined && !known.loaded && !isUnreadable && !writesUnread;

/** The moves of the cycle, beginning with this one. Empty if it closes none. */
function cycleOf(changes: Changes, move: Move): Move[] {
  const visited = new Set<Move>();
  for (let change: Change | undefined = move; change && isWaitingMove(change) && !visited.has(change);) {
    visited.add(change);
    const holder = holderOf(changes, change.wanted.priority);
    change = holder && changeOf(changes, holder.id);
    if (change === move) return [...visited];
  }
  return [];
}

const isWaitingMove = (change: Change): change is Move => change.wanted !== undefined && !change.sending;

/** Where the change can move first. Undefined if it has been sent, or would be refused at each free priority that fits. */
function asideOf(changes: Changes, change: Change, fits?: (priority: number) => boolean): Aside | undefined {
  if (!change.write || change.sending || change.written || change.aside !== undefined) return undefined;
  if (isUnread(changes, change)) return undefined;
  const priority = freePriority(changes, change, fits);
  return priority === undefined ? undefined : { change, priority };
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The nearest free priority at which the write is accepted, the later one of two. Prefers those that no ACL had, and priorities on the
 * same side of all ACLs that could change an outcome, so that no block is missing and no allow too early for a moment.
 */
export function freePriority(
  changes: Changes,
  change: Change,
  fits: (priority: number) => boolean = () => true,
): number | undefined {
  const { all, usedPriorities, refusedPriorities } = changes;
  const { priority: own } = (change.wanted ?? change.prior)!;
  const isTaken = (priority: number) =>
    refusedPriorities.has(priority) ||
    holderOf(changes, priority) !== undefined ||
    [...all].some(({ wanted, sending }) => wanted?.priority === priority || sending?.priority === priority);
  const distance = (priority: number) => Math.abs(priority - own) * 2 - Number(priority > own);
  const cost = (priority: number) => (usedPriorities.has(priority) ? 1_000 : 0) + distance(priority);
  const free = priorities.filter((priority) => !isTaken(priority)).toSorted((one, other) => cost(one) - cost(other));
  const isSafe = (priority: number) => fits(priority) && !refusalOf(changes, change, priority);
  return free.find((priority) => keepsOrder(changes, change, priority) && isSafe(priority)) ?? free.find(isSafe);
}

const priorities = Array.from({ length: 100 }, (_, index) => index + 1);

/** Whether no ACL with another outcome is between the new priority and the planned one. */
function keepsOrder({ known }: Changes, { id, wanted, prior }: Change, priority: number): boolean {
  const own = (wanted ?? prior)!;
  const [low, high] = [Math.min(own.priority, priority), Math.max(own.priority, priority)];
  const outcome = outcomeOf(own);
  return !known.all().some((acl) => {
    if (acl.id === id || acl.priority <= low || acl.priority >= high) return false;
    return outcome !== undefined && ![undefined, outcome].includes(outcomeOf(acl));
  });
}

/** Undefined if the ACL lets the next one decide. */
function outcomeOf({ active, rule }: Partial<NetworkAclBody>): string | undefined {
  if (!active || rule?.action.log) return undefined;
  return Object.keys(rule?.action ?? {}).toSorted()[0];
}

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

function isCrowded(changes: Changes, change: Change): boolean {
  if (!changes.known.loaded) return false;
  const question = questionOf(changes, change, change.aside ?? change.wanted?.priority);
  return mustWait(change.call.guard, question, situationOf(changes, change));
}

function questionOf({ known }: Changes, change: Change, priority: number | undefined) {
  const { id, prior, wanted } = change;
  const before = contentOf(id === undefined ? undefined : known.byId(id)) ?? prior;
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
