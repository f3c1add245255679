/** Changes the priorities of network ACLs in parallel, although the service keeps priorities unique. */
import type { Clock } from "./clock";
import type { Log } from "./log";
import type { NetworkAcl, NetworkAclBody } from "./network-acl";
import { createActivity } from "./activity";
import { createPriorityBoard, type AclAtPriority } from "./priority-board";
import type { Change, Move, Moves, PriorityTimeouts } from "./priority-change";
import { finishUnplaced, letAnotherStepAside, reachPriority, takeDetour } from "./priority-move";
import { PriorityTaken, SteppedAside, type Wanted } from "./priority-taken";
import { isWithoutEffect, needsAcls, readAcls, refusalOf, waitForOthers, writeOf } from "./write-gate";
import type { WriteGuard } from "./write-guard";

/*
 * Terraform changes ACLs in parallel and in any order, so every change is announced here first.
 *
 * - A move waits if the ACL with its priority is about to move or to be deleted.
 * - If the waiting moves form a cycle, one ACL steps aside to a free priority. n ACLs then rotate in n + 1 writes.
 * - Terraform may start the change of a holder only after this call ends, because it limits parallel calls. So if no call is under
 *   way that could free the priority, the ACL steps aside, its call ends with a warning, and the call that frees the priority moves
 *   the ACL there before it ends. So one apply is enough in any order of the calls, even at -parallelism=1.
 * - The call of a new ACL ends early only after a call showed that the state has an ACL. A plan that only creates looks at nothing, so the
 *   holder may be unmanaged, and the create fails.
 * - A move fails if the holder's own call ended and the holder stayed, or if no free priority is safe.
 * - `nextStep` decides this from what the process knows. The loop in `reachPriority` only does what it says.
 * - An ACL without an announced change is never written.
 * - A guard judges each write that may restrict by the ACLs that the tenant has at that moment. A write that would lock out waits
 *   for other changes, and fails if no other change can come. Writes that only open are sent at once. If another ACL waits for
 *   the priority of the held one, one of the two steps aside first.
 *
 * The previous priority comes from the state, which may be old: some engines drop the state of a failed apply.
 */

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
    timeouts: { stepAside: 1_000, slot: 2_000, giveUp: 10_000, ...timeouts },
    changes: new Set(),
    finished: new Set(),
    unplaced: new Map(),
    contested: new Set(),
  };
  const { board, activity, unplaced } = moves;

  let survey: Promise<boolean> | undefined;

  const runMove = async (id: string, move: Move, from: number | undefined): Promise<NetworkAcl> => {
    // One request shows who has which priority, before the first write meets a conflict.
    if (from !== move.wanted.priority && !board.loaded) await (survey ??= activity.during(() => board.loadShared()));
    try {
      return await reachPriority(moves, move);
    } catch (error) {
      if (error instanceof PriorityTaken) unplaced.set(id, move);
      return explainAside(move, error);
    }
  };
  const assume = (id: string, from: number | undefined, description?: string) => {
    moves.seesState = true;
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
  const { changes, unplaced, finished, activity } = moves;
  changes.add(change);
  if (change.id !== undefined) unplaced.delete(change.id);
  activity.progress();
  try {
    return await work();
  } finally {
    if (change.id !== undefined) finished.add(change.id);
    if (moves.refusing === change) moves.refusing = undefined;
    changes.delete(change);
    activity.progress();
    await finishUnplaced(moves, change.guard?.reports);
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
