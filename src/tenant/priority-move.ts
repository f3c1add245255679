/** Moves one network ACL to its priority, while other ACLs move as well. */
import { isTenantError, type TenantError } from "./error";
import type { Log } from "./log";
import type { NetworkAcl } from "./network-acl";
import type { Activity } from "./priority-activity";
import type { AclAtPriority, PriorityBoard } from "./priority-board";
import { PriorityTaken, type Wanted } from "./priority-taken";

/** A change under way that frees the priority of an ACL. */
export interface Change {
  /** Missing until the ACL exists. */
  id?: string;
  /** Missing if the ACL is deleted. */
  readonly wanted?: Wanted;
  /** The priority that a write under way uses. */
  writing?: number;
}

/** A change to another priority. */
export interface Move extends Change {
  readonly wanted: Wanted;
  write(priority: number): Promise<NetworkAcl>;
  isDuplicate?(holder: AclAtPriority): boolean;
  /** The ACL as the last write left it. */
  written?: NetworkAcl;
  /** The last response that reported a conflict. */
  conflict?: TenantError;
  /** Whether the board was loaded since the last conflict. */
  boardIsFresh?: boolean;
}

/** The state that all moves of a process share. */
export interface Moves {
  readonly board: PriorityBoard;
  readonly activity: Activity;
  readonly log: Log;
  readonly timeouts: { readonly gather: number; readonly stepAside: number; readonly giveUp: number };
  readonly changes: Set<Change>;
  /** ACLs whose change has ended. They will not move again by themselves. */
  readonly finished: Set<string>;
  /** Moves that failed because their priority was taken. */
  readonly failed: Map<string, Move>;
  /** Free priorities that another process took first. It may take them again before the list shows it. */
  readonly contested: Set<number>;
}

/** Throws PriorityTaken. */
export async function reachPriority(moves: Moves, move: Move): Promise<NetworkAcl> {
  const { board, activity, failed, timeouts } = moves;
  const { priority } = move.wanted;
  for (;;) {
    const found = board.at(priority);
    const holder = found?.id === move.id ? undefined : found;
    const failedMove = holder && failed.get(holder.id);
    if (!holder && !isWriting(moves, priority)) {
      const acl = await write(moves, move, priority);
      if (acl) return acl;
    } else if (holder && closesCycle(moves, move)) await stepAside(moves, move, holder);
    else if (holder && failedMove) await moveHolderAside(moves, move, holder, failedMove);
    else if (holder && !changeOf(moves, holder.id)) await waitForHolder(moves, move, holder);
    else await activity.wait(timeouts.giveUp);
  }
}

/** Runs the failed moves whose priority is free by now. */
export async function retryFailedMoves(moves: Moves): Promise<void> {
  const { board, failed } = moves;
  const isFree = ({ wanted: { priority } }: Move) => !board.at(priority) && !isWriting(moves, priority);
  for (;;) {
    const ready = [...failed].find(([, move]) => isFree(move));
    if (!ready) return;
    const [id, move] = ready;
    await retry(moves, id, move, move.wanted.priority);
  }
}

const changeOf = ({ changes }: Moves, id: string) => [...changes].find((change) => change.id === id);

const isWriting = ({ changes }: Moves, priority: number) => [...changes].some(({ writing }) => writing === priority);

/** Returns undefined if the priority is taken. The board then knows the ACL that has it. */
function write({ board, activity, contested }: Moves, move: Move, priority: number): Promise<NetworkAcl | undefined> {
  return activity.during(async () => {
    move.writing = priority;
    try {
      const acl = await move.write(priority);
      move.id = acl.id;
      move.written = acl;
      board.set(acl.id, acl);
      return acl;
    } catch (error) {
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
    }
  });
}

/** Whether the move waits for an ACL that waits, directly or through others, for this move. */
function closesCycle(moves: Moves, move: Move): boolean {
  const visited = new Set<Change>();
  for (let change: Change | undefined = move; change?.wanted && !change.writing && !visited.has(change);) {
    visited.add(change);
    const holder = moves.board.at(change.wanted.priority);
    change = holder && changeOf(moves, holder.id);
    if (change === move) return true;
  }
  return false;
}

function freePriority({ board, changes, contested }: Moves, { wanted }: Move): number | undefined {
  const isWanted = (priority: number) =>
    [...changes].some((change) => change.wanted?.priority === priority || change.writing === priority);
  return board.free(wanted.priority, (priority) => contested.has(priority) || isWanted(priority));
}

function priorityTaken(move: Move, holder: AclAtPriority): PriorityTaken {
  const { wanted, conflict = { path: "/network-acls" }, written } = move;
  return new PriorityTaken(wanted, holder, isDuplicate(move, holder), conflict, written);
}

const isDuplicate = (move: Move, holder: AclAtPriority) => move.isDuplicate?.(holder) ?? false;

/** Throws PriorityTaken if no priority is free. */
async function stepAside(moves: Moves, move: Move, holder: AclAtPriority): Promise<void> {
  const priority = freePriority(moves, move);
  if (priority === undefined) throw priorityTaken(move, holder);
  const { description, priority: wanted } = move.wanted;
  moves.log("info", `Moving "${description}" to priority ${priority} until ${wanted} is free`);
  await write(moves, move, priority);
}

/** The holder could not move, and did not know then that this move needs its priority. */
async function moveHolderAside(moves: Moves, move: Move, holder: AclAtPriority, failedMove: Move): Promise<void> {
  const priority = freePriority(moves, failedMove);
  if (priority === undefined) throw priorityTaken(move, holder);
  await retry(moves, holder.id, failedMove, priority);
}

/** Waits for a holder without a change under way, or steps aside. Throws PriorityTaken if the holder stays. */
async function waitForHolder(moves: Moves, move: Move, holder: AclAtPriority): Promise<void> {
  const { board, activity, changes, finished, timeouts } = moves;
  const stays = isDuplicate(move, holder) || finished.has(holder.id);
  const end = stays ? 0 : activity.isBusy() ? Infinity : move.id === undefined ? timeouts.gather : timeouts.giveUp;
  const isAwaited =
    move.id !== undefined && [...changes].some(({ wanted }) => wanted && board.at(wanted.priority)?.id === move.id);
  const canStepAside = !stays && !move.written && isAwaited && freePriority(moves, move) !== undefined;
  const until = canStepAside ? timeouts.stepAside : end;
  const idle = activity.idleMs();
  if (idle < until) return activity.wait(until - idle);
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
