/**
 * Decides what a change of a network ACL does next, by what this process knows: the ACLs, the changes under way, those that ended, and
 * for how long nothing happened. It reads the clock of nobody and writes nothing. The README has the theory.
 */
import type { NetworkAclBody } from "../network-acl";
import {
  changeOf,
  contentAt,
  holderOf,
  isAwaited,
  isCrowded,
  isDuplicateOf,
  isUnread,
  isWriting,
  needsAcls,
  refusalOf,
  type AclAtPriority,
  type Change,
  type Changes,
  type Move,
} from "./changes";

interface Aside {
  readonly change: Change;
  readonly priority: number;
}

/** What a change does next. */
export type Step =
  | { readonly kind: "send" }
  | { readonly kind: "read" }
  | { readonly kind: "move aside"; readonly priority: number }
  | { readonly kind: "wait"; readonly ms: number }
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
  if (needsAcls(changes, change)) return { kind: "read" };
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
  if (changes.refusing) return { kind: "wait", ms: giveUp };
  if (quietMs < stepAside) return { kind: "wait", ms: stepAside - quietMs };
  const other = opener(changes, held);
  if (other) return { kind: "ask aside", ...other };
  return quietMs < giveUp ? { kind: "wait", ms: giveUp - quietMs } : { kind: "refuse", refusal };
}

/**
 * Another ACL waits for the priority of a held ACL. If the held write is accepted after it, and the other ACL is new, the held one steps
 * aside: a new ACL at another priority would be left behind if the process is killed. Otherwise the other one steps aside to where the
 * held write is accepted. An ACL also steps aside if another one waits for its own priority, because that one may open the way.
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
    firstOf(
      [...waiting, held].filter((one) => one.wanted && isAwaited(changes, one)),
      (one) => asideOf(changes, one),
    )
  );
}

function stepBehindHolder(changes: Changes, move: Move, holder: AclAtPriority, quietMs: number): Step {
  const { unplaced, timeouts } = changes;
  const [, ...others] = cycleOf(changes, move);
  const ended = unplaced.get(holder.id);
  if (others.length > 0) return stepInCycle(changes, move, others, holder);
  if (ended) {
    if (isUnread(changes, ended)) return { kind: "read" };
    const priority = freePriority(changes, ended);
    return priority === undefined ? { kind: "fail", holder } : { kind: "move holder", change: ended, priority };
  }
  if (changeOf(changes, holder.id)) return { kind: "wait", ms: timeouts.giveUp };
  return stepBehindIdleHolder(changes, move, holder, quietMs);
}

/** The ACL may lock out at each free priority, but another ACL of the cycle may not. */
function stepInCycle(changes: Changes, move: Move, others: readonly Move[], holder: AclAtPriority): Step {
  if (isUnread(changes, move)) return { kind: "read" };
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
  if (isDuplicateOf(move, holder) || finished.has(holder.id)) return failed;
  const free = written ? undefined : freePriority(changes, move);
  const isAsked = free !== undefined && isAwaited(changes, move);
  if (isAsked && quietMs >= timeouts.stepAside) {
    return isUnread(changes, move) ? { kind: "read" } : { kind: "move aside", priority: free };
  }
  const mayEnd =
    call.reports !== undefined && changes.seesState === true && (written !== undefined || free !== undefined);
  // Without a call for an ACL of the state, or a slot for one, nothing is expected to free the priority.
  const isExpected = changes.seesState && (!mayEnd || call.otherCalls?.hasFreeSlot?.());
  const end = isExpected ? timeouts.giveUp : timeouts.slot;
  if (quietMs < end) {
    return { kind: "wait", ms: (isAsked ? Math.min(timeouts.stepAside, end) : end) - quietMs };
  }
  if (!mayEnd || !move.isListFresh || !known.loaded) return failed;
  return { kind: "end early", priority: free, holder };
}

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
 * same side of all ACLs that could change an outcome, so that no block is missing and no allow too early for some time.
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
