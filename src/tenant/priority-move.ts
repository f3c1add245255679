/** Moves one network ACL to its priority, while other ACLs move as well. */
import { isTenantError } from "./error";
import type { NetworkAcl } from "./network-acl";
import type { AclAtPriority } from "./priority-board";
import type { Change, Move, Moves } from "./priority-change";
import { PriorityTaken } from "./priority-taken";
import {
  contentAt,
  isWithoutEffect,
  needsAcls,
  pause,
  readAcls,
  refusalOf,
  waitForOthers,
  writeOf,
} from "./write-gate";

/** Throws PriorityTaken. */
export async function reachPriority(moves: Moves, move: Move): Promise<NetworkAcl> {
  const { board, failed, timeouts } = moves;
  const { priority } = move.wanted;
  for (;;) {
    // No other change may come between a judgement and its write, so only this step waits.
    if (needsAcls(moves, move)) {
      await readAcls(moves, move);
      continue;
    }
    if (move.aside !== undefined) {
      await goAside(moves, move, move.aside);
      continue;
    }
    const found = board.at(priority);
    const holder = found?.id === move.id ? undefined : found;
    const failedMove = holder && failed.get(holder.id);
    if (!holder && !isWriting(moves, priority)) {
      const refusal = refusalOf(moves, move);
      const openWay = () => letAnotherStepAside(moves, move);
      const acl = refusal ? await waitForOthers(moves, move, refusal, openWay) : await write(moves, move, priority);
      if (acl) return acl;
    } else if (holder && closesCycle(moves, move)) await stepAside(moves, move, holder);
    else if (holder && failedMove) await moveHolderAside(moves, move, holder, failedMove);
    else if (holder && !changeOf(moves, holder.id)) await waitForHolder(moves, move, holder);
    else await pause(moves, move, () => timeouts.giveUp);
  }
}

/** Runs the failed moves whose priority is free by now. */
export async function retryFailedMoves(moves: Moves): Promise<void> {
  const { board, failed } = moves;
  const isReady = (move: Move) => {
    const { priority } = move.wanted;
    return !board.at(priority) && !isWriting(moves, priority) && !needsAcls(moves, move) && !refusalOf(moves, move);
  };
  for (;;) {
    const ready = [...failed].find(([, move]) => isReady(move));
    if (!ready) return;
    const [id, move] = ready;
    await retry(moves, id, move, move.wanted.priority);
  }
}

const changeOf = ({ changes }: Moves, id: string) => [...changes].find((change) => change.id === id);

const isWriting = ({ changes }: Moves, priority: number) => [...changes].some(({ writing }) => writing === priority);

/** Returns undefined if the priority is taken. The board then knows the ACL that has it. */
function write(moves: Moves, move: Move, priority: number): Promise<NetworkAcl | undefined> {
  const { board, activity, contested } = moves;
  return activity.during(async () => {
    move.writing = priority;
    move.sending = writeOf(moves, move, priority);
    try {
      const acl = await move.write(priority);
      move.id = acl.id;
      move.written = acl;
      board.set(acl.id, acl);
      return acl;
    } catch (error) {
      if (!isWithoutEffect(error)) board.invalidate();
      if (!isTenantError(error, "conflict")) throw error;
      move.boardIsFresh = await board.load();
      if (move.boardIsFresh && priority !== move.wanted.priority) {
        contested.add(priority);
        return undefined;
      }
      const { id: holder = move.id } = board.at(priority) ?? {};
      // If the board shows no other ACL, the list lags behind, or another ACL came and went.
      if (!move.boardIsFresh || (move.conflict && holder === move.id)) throw error;
      move.conflict = error;
      return undefined;
    } finally {
      move.writing = undefined;
      move.sending = undefined;
    }
  });
}

/** Whether the move waits for an ACL that waits, directly or through others, for this move. */
const closesCycle = (moves: Moves, move: Move) => cycleOf(moves, move).length > 0;

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
const isUnread = ({ board }: Moves, { guard, goesUnread }: Move) =>
  guard !== undefined && !board.loaded && !board.isUnreadable && !goesUnread;

/**
 * The nearest free priority at which the ACL locks nobody out. Prefers priorities on the same side of all ACLs that could change an
 * outcome, so that no block is missing and no allow too early for a moment.
 */
function freePriority(moves: Moves, move: Move, fits: (priority: number) => boolean = () => true): number | undefined {
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

function priorityTaken(move: Move, holder: AclAtPriority): PriorityTaken {
  const { wanted, conflict = { path: "/network-acls" }, written } = move;
  return new PriorityTaken(wanted, holder, isDuplicate(move, holder), conflict, written);
}

const isDuplicate = (move: Move, holder: AclAtPriority) => move.isDuplicate?.(holder) ?? false;

/** Throws PriorityTaken if no priority is free. */
async function stepAside(moves: Moves, move: Move, holder: AclAtPriority): Promise<void> {
  if (isUnread(moves, move)) return readAcls(moves, move);
  const priority = freePriority(moves, move);
  if (priority !== undefined) return goAside(moves, move, priority);
  // The ACL would lock out at each free priority, but another ACL of the cycle may not.
  const others = cycleOf(moves, move).slice(1);
  if (!others.some((other) => sendAside(moves, other))) throw priorityTaken(move, holder);
  await pause(moves, move, () => moves.timeouts.giveUp);
}

async function goAside(moves: Moves, move: Move, priority: number): Promise<void> {
  move.aside = undefined;
  const { description, priority: wanted } = move.wanted;
  if (moves.board.at(priority) || isWriting(moves, priority) || refusalOf(moves, move, priority)) return;
  moves.log("info", `Moving "${description}" to priority ${priority} until ${wanted} is free`);
  await write(moves, move, priority);
}

/** Makes a waiting move step aside at its next turn. False if it locks out at each free priority that fits. */
function sendAside(moves: Moves, move: Move, fits: (priority: number) => boolean = () => true): boolean {
  if (move.sending || move.written || move.aside !== undefined || isUnread(moves, move)) return false;
  move.aside = freePriority(moves, move, fits);
  if (move.aside === undefined) return false;
  moves.activity.progress();
  return true;
}

/** Moves an ACL that is about to be deleted, if its successor needs the priority. */
export async function takeDetour(moves: Moves, detour: Move): Promise<void> {
  moves.changes.add(detour);
  try {
    await goAside(moves, detour, detour.aside!);
  } finally {
    moves.changes.delete(detour);
    moves.activity.progress();
  }
}

/**
 * Another ACL waits for the priority of a held ACL, and the held write then locks nobody out. If the other ACL is new, the held one
 * steps aside: a new ACL at another priority would be left behind if the process is killed. Otherwise the other one steps aside. An
 * ACL also steps aside if another one waits for its own priority, because that one may open the way.
 */
export function letAnotherStepAside(moves: Moves, held: Change): boolean {
  const holder = held.id === undefined ? undefined : moves.board.byId(held.id);
  const waiting = [...moves.changes].filter(
    (change): change is Move => change !== held && isMove(change) && change.wanted.priority === holder?.priority,
  );
  const opensWay = (move: Move) => (priority: number) => {
    const first = contentAt(move, priority);
    return first !== undefined && !refusalOf(moves, held, held.wanted?.priority, { ...first, id: move.id });
  };
  const own = isMove(held) ? held : held.detour;
  const successor = waiting.find((move) => move.id === undefined && opensWay(move)(move.wanted.priority));
  return (
    (own !== undefined && successor !== undefined && sendAside(moves, own)) ||
    waiting.some((move) => sendAside(moves, move, opensWay(move))) ||
    waiting.some((move) => isAwaited(moves, move) && sendAside(moves, move))
  );
}

/** Whether another change waits for the priority of the ACL. */
const isAwaited = ({ board, changes }: Moves, { id }: Move) =>
  id !== undefined && [...changes].some(({ wanted }) => wanted && board.at(wanted.priority)?.id === id);

const isMove = (change: Change): change is Move => "write" in change;

/** The holder could not move, and did not know then that this move needs its priority. */
async function moveHolderAside(moves: Moves, move: Move, holder: AclAtPriority, failedMove: Move): Promise<void> {
  if (isUnread(moves, failedMove)) return readAcls(moves, failedMove);
  const priority = freePriority(moves, failedMove);
  if (priority === undefined) throw priorityTaken(move, holder);
  await retry(moves, holder.id, failedMove, priority);
}

/** Waits for a holder without a change under way, or steps aside. Throws PriorityTaken if the holder stays. */
async function waitForHolder(moves: Moves, move: Move, holder: AclAtPriority): Promise<void> {
  const { board, activity, finished, timeouts } = moves;
  const stays = isDuplicate(move, holder) || finished.has(holder.id);
  const end = stays ? 0 : activity.isBusy() ? Infinity : move.id === undefined ? timeouts.gather : timeouts.giveUp;
  const canStepAside = !stays && !move.written && isAwaited(moves, move) && freePriority(moves, move) !== undefined;
  const until = canStepAside ? timeouts.stepAside : end;
  const idle = activity.idleMs();
  if (idle < until) return pause(moves, move, () => until - idle);
  if (idle >= end && !move.boardIsFresh) {
    move.boardIsFresh = await activity.during(() => board.load());
    if (move.boardIsFresh) return;
  }
  if (!canStepAside) throw priorityTaken(move, holder);
  await stepAside(moves, move, holder);
}

async function retry(moves: Moves, id: string, move: Move, priority: number): Promise<void> {
  const { changes, failed, activity, log } = moves;
  failed.delete(id);
  changes.add(move);
  try {
    const acl = await write(moves, move, priority);
    if (acl?.priority !== move.wanted.priority) failed.set(id, move);
  } catch (error) {
    log("warn", `Still not moving "${move.wanted.description}" to priority ${priority}`, { because: String(error) });
  } finally {
    changes.delete(move);
    activity.progress();
  }
}
