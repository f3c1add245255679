/** Changes the priorities of network ACLs in parallel, although Auth0 keeps priorities unique. The README has the theory. */
import { PriorityTaken, SteppedAside, type Wanted } from "../conflict";
import type { Clock } from "../clock";
import { isTenantError, isWithoutEffect } from "../error";
import type { Log } from "../secrets";
import type { NetworkAcl, Prior } from "../network-acl";
import { createKnown, createProgress } from "./progress";
import {
  type AclAtPriority,
  type AclCall,
  type AclPlace,
  type Change,
  changeOf,
  type Changes,
  contentAt,
  holderOf,
  isDuplicateOf,
  isWriting,
  type Move,
  needsAcls,
  type PriorityReports,
  type PriorityTimeouts,
  refusalOf,
} from "./changes";
import { nextStep, type Step } from "./priority-step";

export interface PrioritiesOptions {
  list(): Promise<NetworkAcl[]>;
  /** Like `list`, or a list that was read before if no write came after it. */
  shared?(): Promise<NetworkAcl[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly timeouts?: PriorityTimeouts | undefined;
}

type Put = (priority: number) => Promise<NetworkAcl>;

/** All throw PriorityTaken or the refusal of the guard, and `move` also SteppedAside. `prior`: the ACL as the caller knows it. */
export interface Priorities {
  /** `put` creates the ACL with this priority. If it has been created with another one, `put` writes the whole ACL. */
  create(wanted: Wanted, put: Put, isDuplicate?: Change["isDuplicate"], call?: AclCall): Promise<NetworkAcl>;
  /** `put` writes the whole ACL with this priority. */
  move(id: string, wanted: Wanted, prior: Prior | undefined, put: Put, call?: AclCall): Promise<NetworkAcl>;
  /** `put` writes the whole ACL with another priority, if its successor must come first. */
  remove(id: string, prior: Prior | undefined, remove: () => Promise<void>, put?: Put, call?: AclCall): Promise<void>;
}

export function createPriorities({ list, shared = list, clock, signal, log, timeouts }: PrioritiesOptions): Priorities {
  const usedPriorities = new Set<number>();
  const noting = (read: () => Promise<NetworkAcl[]>) => async () => {
    const acls = await read();
    for (const { priority } of acls) usedPriorities.add(priority);
    return acls;
  };
  const known = createKnown<AclAtPriority>(noting(list), noting(shared));
  const progress = createProgress({ clock, signal, timeouts });
  const changes: Changes = {
    known,
    progress,
    log,
    timeouts: { stepAside: 1_000, slot: 2_000, giveUp: progress.giveUp, ...timeouts },
    all: new Set(),
    finished: new Set(),
    unplaced: new Map(),
    usedPriorities,
    refusedPriorities: new Set(),
  };
  let firstRead: Promise<boolean> | undefined;

  const assume = (id: string, prior: Prior | undefined) => {
    changes.seesState = true;
    if (prior && !holderOf(changes, prior.priority)) known.assume({ ...prior, id });
  };

  return {
    create(wanted, write, isDuplicate, call = {}) {
      const move: Move = { wanted, write, isDuplicate, call };
      return run(changes, move, async () => (await carryOut(changes, move).catch(explainAside(move)))!);
    },
    move(id, wanted, prior, write, call = {}) {
      assume(id, prior);
      const move: Move = { id, wanted, write, call, prior };
      return run(changes, move, async () => {
        // One request shows who has which priority, before the first write meets a conflict.
        const isMoved = prior?.priority !== wanted.priority;
        if (isMoved && !known.loaded) await (firstRead ??= progress.during(() => known.loadShared()));
        return (await carryOut(changes, move).catch(explainAside(move)))!;
      });
    },
    async remove(id, prior, remove, put, call = {}) {
      assume(id, prior);
      const change: Change = { id, remove, call, prior, write: prior && put };
      await run(changes, change, () => carryOut(changes, change));
    },
  };
}

const explainAside = (move: Move) => (error: unknown) => {
  throw move.written && !(error instanceof PriorityTaken) ? new SteppedAside(move.written, { cause: error }) : error;
};

async function run<T>(changes: Changes, change: Change, work: () => Promise<T>): Promise<T> {
  const { all, unplaced, finished, progress } = changes;
  all.add(change);
  if (change.id !== undefined) unplaced.delete(change.id);
  progress.note();
  try {
    return await work();
  } finally {
    if (change.id !== undefined) finished.add(change.id);
    if (changes.refusing === change) changes.refusing = undefined;
    all.delete(change);
    progress.note();
    await finishUnplaced(changes, change.call.reports);
  }
}

/** Does what `nextStep` says. Returns the ACL, at another priority if the call ends early, or nothing after a deletion. */
async function carryOut(changes: Changes, change: Change): Promise<NetworkAcl | undefined> {
  const { known, progress } = changes;
  for (let quietMs = 0; ;) {
    // No other change may come between a decision and its write, so each step decides again.
    const step = nextStep(changes, change, quietMs);
    if (step.kind !== "read list") quietMs = 0;
    switch (step.kind) {
      case "send": {
        const acl = await send(changes, change, change.wanted?.priority);
        if (acl || !change.wanted) return acl;
        break;
      }
      case "read":
        await readAcls(changes);
        break;
      case "read list":
        change.isListFresh = await known.load();
        if (!change.isListFresh) throw priorityTaken(change as Move, step.holder);
        break;
      case "wait":
        quietMs = await progress.pause(step.ms, change.call.otherCalls);
        break;
      case "move aside":
        await moveAside(changes, change, step.priority);
        break;
      case "ask aside":
        step.change.aside = step.priority;
        progress.note();
        break;
      case "move holder":
        await retry(changes, step.change, step.priority, change.call.reports);
        break;
      case "end early": {
        const acl = await endEarly(changes, change as Move, step);
        if (acl) return acl;
        break;
      }
      case "refuse":
        changes.refusing = change;
        throw step.refusal;
      case "fail":
        throw priorityTaken(change as Move, step.holder);
    }
  }
}

/** Throws if the ACLs cannot be read, so that nothing is written that may be refused. */
async function readAcls({ known, progress }: Changes): Promise<void> {
  if (!(await progress.during(() => known.loadShared()))) throw known.problem;
}

/** Without a priority, it deletes the ACL. Returns undefined if the priority is taken. The list then shows the ACL that has it. */
function send(changes: Changes, change: Change, priority: number | undefined): Promise<NetworkAcl | undefined> {
  const { known, progress } = changes;
  return progress.during(async () => {
    change.sending = { priority, after: priority === undefined ? undefined : contentAt(change, priority) };
    try {
      if (priority === undefined) {
        await change.remove!();
        known.set(change.id!, undefined);
        return undefined;
      }
      const acl = await change.write!(priority);
      change.id = acl.id;
      change.written = acl;
      known.set(acl.id, acl);
      return acl;
    } catch (error) {
      if (!isWithoutEffect(error)) known.invalidate();
      if (priority === undefined || !isTenantError(error, "conflict")) throw error;
      change.isListFresh = await known.load();
      if (change.isListFresh && priority !== change.wanted?.priority) {
        changes.refusedPriorities.add(priority);
        return undefined;
      }
      const { id: holder = change.id } = holderOf(changes, priority) ?? {};
      // If the list shows no other ACL, it lags behind, or another ACL came and went.
      if (!change.isListFresh || (change.conflict && holder === change.id)) throw error;
      change.conflict = error;
      return undefined;
    } finally {
      change.sending = undefined;
    }
  });
}

async function moveAside(changes: Changes, change: Change, priority: number): Promise<void> {
  change.aside = undefined;
  if (holderOf(changes, priority) || isWriting(changes, priority) || refusalOf(changes, change, priority)) return;
  const { description, priority: planned } = (change.wanted ?? change.prior)!;
  changes.log("info", `Moving "${description}" to priority ${priority} until ${planned} is free`);
  await send(changes, change, priority);
}

/** Moves the ACL out of the way and leaves the rest to the call of the holder. Returns undefined if that call began meanwhile. */
async function endEarly(
  changes: Changes,
  move: Move,
  { priority, holder }: Extract<Step, { kind: "end early" }>,
): Promise<NetworkAcl | undefined> {
  if (priority !== undefined) await moveAside(changes, move, priority);
  const { written, wanted } = move;
  const { description, priority: planned } = wanted;
  if (!written || changeOf(changes, holder.id) || holderOf(changes, planned)?.id !== holder.id) return undefined;
  changes.log("info", `Ending the call of "${description}" at priority ${written.priority} before ${planned} is free`);
  changes.unplaced.set(written.id, move);
  move.call.reports?.early(placeOf(move), holder);
  return written;
}

const placeOf = ({ id = "", wanted, written }: Move): AclPlace => ({
  id,
  description: wanted.description,
  priority: written?.priority ?? wanted.priority,
  wanted: wanted.priority,
});

function priorityTaken(move: Move, holder: AclAtPriority): PriorityTaken {
  const { wanted, conflict = { path: "/network-acls" }, written } = move;
  return new PriorityTaken(wanted, holder, isDuplicateOf(move, holder), conflict, written);
}

/** Runs the moves of ended calls whose priority is free by now. */
async function finishUnplaced(changes: Changes, reports: PriorityReports | undefined): Promise<void> {
  const { known, unplaced, all } = changes;
  if (unplaced.size > 0 && !known.loaded) await known.load();
  const isFree = ({ wanted: { priority } }: Move) => !holderOf(changes, priority) && !isWriting(changes, priority);
  const isReady = (move: Move) => isFree(move) && !needsAcls(changes, move) && !refusalOf(changes, move);
  for (;;) {
    const ready = [...unplaced.values()].find(isReady);
    if (!ready) break;
    await retry(changes, ready, ready.wanted.priority, reports);
  }
  if (all.size > 0) return;
  for (const move of unplaced.values()) {
    const refusal = isFree(move) ? refusalOf(changes, move) : undefined;
    if (refusal) reports?.unfinished(placeOf(move), refusal);
  }
}

/** Writes the ACL of an ended call. */
async function retry(
  changes: Changes,
  move: Move,
  priority: number,
  reports: PriorityReports | undefined,
): Promise<void> {
  const { all, unplaced, progress, log } = changes;
  const id = move.id!;
  unplaced.delete(id);
  all.add(move);
  try {
    const acl = await send(changes, move, priority);
    if (acl?.priority !== move.wanted.priority) unplaced.set(id, move);
  } catch (error) {
    log("warn", `Still not moving "${move.wanted.description}" to priority ${priority}`, { because: String(error) });
    reports?.unfinished(placeOf(move), error);
  } finally {
    all.delete(move);
    progress.note();
  }
}
