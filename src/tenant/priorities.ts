/** Changes the priorities of network ACLs in parallel, although the service keeps priorities unique. */
import type { Clock } from "./clock";
import type { Log } from "./log";
import type { NetworkAcl, NetworkAclBody } from "./network-acl";
import { createActivity } from "./activity";
import { createPriorityBoard, type AclAtPriority } from "./priority-board";
import type { Change, Move, Moves } from "./priority-change";
import { letAnotherStepAside, reachPriority, retryFailedMoves, takeDetour } from "./priority-move";
import { PriorityTaken, SteppedAside, type Wanted } from "./priority-taken";
import { isWithoutEffect, needsAcls, readAcls, refusalOf, waitForOthers, writeOf } from "./write-gate";
import type { WriteGuard } from "./write-guard";

/*
 * Terraform changes ACLs in parallel and in any order, so every change is announced here first.
 *
 * - A move waits if the ACL with its priority is about to move or to be deleted.
 * - If the waiting moves form a cycle, one ACL steps aside to a free priority. n ACLs then rotate in n + 1 writes.
 * - Terraform may start the change of a holder later, because it limits parallel changes. So a move waits some time. If
 *   another change waits for its own ACL, it steps aside earlier. With less than half of a cycle under way, a second step
 *   may be needed.
 * - If nothing moves the holder, the move fails and its ACL stays. A later change in the same process can still need that
 *   priority or free the new one. It then carries out the failed move, so one run is enough even at -parallelism=1.
 * - An ACL without an announced change is never written.
 * - A guard judges each write that may restrict by the ACLs that the tenant has at that moment. A write that would lock out waits
 *   for other changes, and fails if no other change can come. Writes that only open are sent at once. If another ACL waits for
 *   the priority of the held one, one of the two steps aside first.
 *
 * The previous priority comes from the state, which may be old: some engines drop the state of a failed apply.
 */

export interface PriorityTimeouts {
  /** Milliseconds in which changes that belong together arrive. Default 25. */
  readonly gather?: number;
  /** Milliseconds without progress after which an ACL steps aside for changes that wait for it. Default 1 000. */
  readonly stepAside?: number;
  /** Milliseconds without progress after which a move fails. Default 5 000. */
  readonly giveUp?: number;
}

export interface PrioritiesOptions {
  list(): Promise<NetworkAcl[]>;
  /** Like `list`, or a list that was read before if no write came after it. */
  shared?(): Promise<NetworkAcl[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly timeouts?: PriorityTimeouts;
}

/** How a write is judged before it is sent. */
export interface Guarded {
  readonly guard?: WriteGuard | undefined;
  /** The ACL as the caller knows it. */
  readonly prior?: NetworkAclBody | undefined;
}

/** All throw PriorityTaken or the refusal of the guard, and `move` also SteppedAside. `from` is the previous priority, so that others know it gets free. */
export interface Priorities {
  /**
   * `post` creates the ACL with this priority. If it has been created with another one, `post` writes the whole ACL. `isDuplicate`:
   * whether the ACL that has the priority equals the new one.
   */
  create(
    wanted: Wanted,
    post: (priority: number) => Promise<NetworkAcl>,
    isDuplicate?: (holder: AclAtPriority) => boolean,
    guarded?: Guarded,
  ): Promise<NetworkAcl>;
  /** `put` writes the whole ACL with this priority. */
  move(
    id: string,
    wanted: Wanted,
    from: number | undefined,
    put: (priority: number) => Promise<NetworkAcl>,
    guarded?: Guarded,
  ): Promise<NetworkAcl>;
  /** `put` writes the whole ACL with another priority, if its successor must come first. */
  remove(
    id: string,
    from: number | undefined,
    remove: () => Promise<void>,
    guarded?: Guarded & { put?(priority: number): Promise<NetworkAcl> },
  ): Promise<void>;
}

export function createPriorities({ list, shared, clock, signal, log, timeouts }: PrioritiesOptions): Priorities {
  const moves: Moves = {
    board: createPriorityBoard(list, shared),
    activity: createActivity(clock, signal),
    log,
    timeouts: { gather: 25, stepAside: 1_000, giveUp: 5_000, ...timeouts },
    changes: new Set(),
    finished: new Set(),
    failed: new Map(),
    contested: new Set(),
  };
  const { board, activity, failed } = moves;

  const runMove = async (id: string, move: Move, from: number | undefined): Promise<NetworkAcl> => {
    if (from !== move.wanted.priority) await activity.during(() => gatherMoves(moves, clock, signal));
    try {
      return await reachPriority(moves, move);
    } catch (error) {
      if (error instanceof PriorityTaken) failed.set(id, move);
      return explainAside(move, error);
    }
  };
  const assume = (id: string, from: number | undefined, description?: string) => {
    if (from !== undefined) board.assume(id, { id, priority: from, description });
  };

  return {
    create(wanted, post, isDuplicate, guarded) {
      const move: Move = { wanted, write: post, isDuplicate, ...guarded };
      return run(moves, move, () => reachPriority(moves, move).catch((error: unknown) => explainAside(move, error)));
    },
    move(id, wanted, from, put, guarded) {
      assume(id, from, wanted.description);
      const move: Move = { id, wanted, write: put, ...guarded };
      return run(moves, move, () => runMove(id, move, from));
    },
    remove(id, from, remove, { put, ...guarded } = {}) {
      assume(id, from);
      const { prior } = guarded;
      const detour = put && prior && { id, wanted: prior, write: put, ...guarded };
      const change: Change = { id, ...guarded, detour };
      return run(moves, change, () => removeSafely(moves, change, remove));
    },
  };
}

function explainAside({ written }: Move, error: unknown): never {
  if (written && !(error instanceof PriorityTaken)) throw new SteppedAside(written, { cause: error });
  throw error;
}

async function run<T>(moves: Moves, change: Change, work: () => Promise<T>): Promise<T> {
  const { changes, failed, finished, activity } = moves;
  changes.add(change);
  if (change.id !== undefined) failed.delete(change.id);
  activity.progress();
  try {
    return await work();
  } finally {
    if (change.id !== undefined) finished.add(change.id);
    if (moves.refusing === change) moves.refusing = undefined;
    changes.delete(change);
    activity.progress();
    await retryFailedMoves(moves);
  }
}

/** Deletes the ACL once this locks nobody out. */
async function removeSafely(moves: Moves, change: Change, remove: () => Promise<void>): Promise<void> {
  const { board, activity } = moves;
  for (;;) {
    if (needsAcls(moves, change)) {
      await readAcls(moves, change);
      continue;
    }
    if (change.detour?.aside !== undefined) {
      await takeDetour(moves, change.detour);
      continue;
    }
    const refusal = refusalOf(moves, change);
    if (!refusal) break;
    await waitForOthers(moves, change, refusal, () => letAnotherStepAside(moves, change));
  }
  return activity.during(async () => {
    change.sending = writeOf(moves, change);
    try {
      await remove();
      board.set(change.id!, undefined);
    } catch (error) {
      if (!isWithoutEffect(error)) board.invalidate();
      throw error;
    } finally {
      change.sending = undefined;
    }
  });
}

/** Waits for the moves that belong together. If there are several, one request shows the whole order. */
async function gatherMoves({ board, changes, timeouts }: Moves, clock: Clock, signal: AbortSignal): Promise<void> {
  await clock.sleep(timeouts.gather, signal);
  const started = [...changes].filter((change) => change.id !== undefined && change.wanted);
  if (started.length > 1 && !board.loaded) await board.loadShared();
}
