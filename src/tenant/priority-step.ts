/**
 * Decides what a move does next, by what this process knows: the ACLs, the changes under way, the changes that ended, and for how
 * long no other call ran. It reads the clock of nobody and writes nothing.
 */
import type { AclAtPriority } from "./priority-board";
import type { NetworkAcl } from "./network-acl";
import type { Change, Move, Moves } from "./priority-change";
import { needsAcls, refusalOf } from "./write-gate";

/** What a move does next. */
export type Step =
  | { readonly kind: "write" }
  | { readonly kind: "read"; readonly change: Change }
  | { readonly kind: "hold"; readonly refusal: Error }
  | { readonly kind: "aside"; readonly priority: number }
  | { readonly kind: "open cycle"; readonly others: readonly Move[]; readonly holder: AclAtPriority }
  | {
      readonly kind: "move holder";
      readonly change: Move;
      readonly priority: number;
      readonly holder: AclAtPriority;
    }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "refresh" | "fail"; readonly holder: AclAtPriority }
  | { readonly kind: "end early"; readonly priority: number | undefined; readonly holder: AclAtPriority };

/** Decides without a side effect. `quietMs`: for how long no other call could free anything. */
export function nextStep(moves: Moves, move: Move, quietMs: number): Step {
  const { board, unplaced, timeouts } = moves;
  const { priority } = move.wanted;
  if (needsAcls(moves, move)) return { kind: "read", change: move };
  if (move.aside !== undefined) return { kind: "aside", priority: move.aside };
  const holder = board.at(priority);
  if (!holder || holder.id === move.id) {
    if (isWriting(moves, priority)) return { kind: "wait", ms: timeouts.giveUp };
    const refusal = refusalOf(moves, move);
    return refusal ? { kind: "hold", refusal } : { kind: "write" };
  }
  const [, ...others] = cycleOf(moves, move);
  const ended = unplaced.get(holder.id);
  if (others.length > 0) {
    if (isUnread(moves, move)) return { kind: "read", change: move };
    const free = freePriority(moves, move);
    // The ACL may lock out at each free priority, but another ACL of the cycle may not.
    return free === undefined ? { kind: "open cycle", others, holder } : { kind: "aside", priority: free };
  }
  if (ended) {
    // The call of the holder ended before another call needed the priority that it has.
    if (isUnread(moves, ended)) return { kind: "read", change: ended };
    const free = freePriority(moves, ended);
    return free === undefined
      ? { kind: "fail", holder }
      : { kind: "move holder", change: ended, priority: free, holder };
  }
  if (changeOf(moves, holder.id)) return { kind: "wait", ms: timeouts.giveUp };
  return stepBeforeHolder(moves, move, holder, quietMs);
}

/** The step if no call changes the holder now. Its call may have ended, may be about to begin, or may never come. */
function stepBeforeHolder(moves: Moves, move: Move, holder: AclAtPriority, quietMs: number): Step {
  const { finished, timeouts, board } = moves;
  const { written, guard } = move;
  const failed: Step = { kind: move.boardIsFresh ? "fail" : "refresh", holder };
  if (isDuplicate(move, holder) || finished.has(holder.id)) return failed;
  const free = written ? undefined : freePriority(moves, move);
  const isAsked = free !== undefined && isAwaited(moves, move);
  if (isAsked && quietMs >= timeouts.stepAside) {
    return isUnread(moves, move) ? { kind: "read", change: move } : { kind: "aside", priority: free };
  }
  const mayEnd =
    guard?.reports !== undefined && moves.seesState === true && (written !== undefined || free !== undefined);
  const end = mayEnd && !guard.otherCalls?.hasFreeSlot?.() ? timeouts.slot : timeouts.giveUp;
  if (quietMs < end) {
    return { kind: "wait", ms: (isAsked ? Math.min(timeouts.stepAside, end) : end) - quietMs };
  }
  if (!mayEnd || !move.boardIsFresh || !board.loaded) return failed;
  return { kind: "end early", priority: free, holder };
}

export const changeOf = ({ changes }: Moves, id: string) => [...changes].find((change) => change.id === id);

export const isWriting = ({ changes }: Moves, priority: number) =>
  [...changes].some(({ writing }) => writing === priority);

/** The moves of the cycle, beginning with this one. Empty if it closes none. */
function cycleOf(moves: Moves, move: Move): Move[] {
  const visited = new Set<Move>();
  for (let change: Change | undefined = move; change && isMove(change) && !change.writing && !visited.has(change);) {
    visited.add(change);
    const holder = moves.board.at(change.wanted.priority);
    change = holder && changeOf(moves, holder.id);
    if (change === move) return [...visited];
  }
  return [];
}

/** Whether the ACLs must be read before a guarded ACL moves to a priority that nobody planned. */
export const isUnread = ({ board }: Moves, { guard, goesUnread }: Move) =>
  guard !== undefined && !board.loaded && !board.isUnreadable && !goesUnread;

/**
 * The nearest free priority at which the ACL locks nobody out. Prefers priorities on the same side of all ACLs that could change an
 * outcome, so that no block is missing and no allow too early for a moment.
 */
export function freePriority(
  moves: Moves,
  move: Move,
  fits: (priority: number) => boolean = () => true,
): number | undefined {
  const { board, changes, contested } = moves;
  const { wanted } = move;
  const isWanted = (priority: number) =>
    [...changes].some((change) => change.wanted?.priority === priority || change.writing === priority);
  const isExcluded = (priority: number) => contested.has(priority) || isWanted(priority);
  const isSafe = (priority: number) => fits(priority) && !refusalOf(moves, move, priority);
  const keepsOrder = (priority: number) => !board.all().some((acl) => isPassed(acl, move, priority));
  return (
    board.free(wanted.priority, isExcluded, (priority) => keepsOrder(priority) && isSafe(priority)) ??
    board.free(wanted.priority, isExcluded, isSafe)
  );
}

/** Whether the ACL has another outcome and is between the new priority and another one. */
function isPassed(acl: AclAtPriority, { id, wanted }: Move, priority: number): boolean {
  const [first, last] = [wanted.priority, priority].toSorted((one, other) => one - other) as [number, number];
  if (acl.id === id || acl.priority <= first || acl.priority >= last) return false;
  const [outcome, own] = [acl, wanted].map(outcomeOf);
  return outcome !== undefined && own !== undefined && outcome !== own;
}

/** undefined: the ACL lets the next one decide. */
function outcomeOf({ active, rule }: Partial<NetworkAcl>): string | undefined {
  if (!active || rule?.action.log) return undefined;
  return Object.keys(rule?.action ?? {}).toSorted()[0];
}

export const isDuplicate = (move: Move, holder: AclAtPriority) => move.isDuplicate?.(holder) ?? false;

/** Whether another change waits for the priority of the ACL. */
export const isAwaited = ({ board, changes }: Moves, { id }: Move) =>
  id !== undefined && [...changes].some(({ wanted }) => wanted && board.at(wanted.priority)?.id === id);

export const isMove = (change: Change): change is Move => "write" in change;
