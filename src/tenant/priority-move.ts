/** Moves one network ACL to its priority, while other ACLs move as well. */
import { isTenantError } from "./error";
import type { NetworkAcl } from "./network-acl";
import type { AclAtPriority } from "./priority-board";
import type { Change, Move, Moves } from "./priority-change";
import { PriorityTaken } from "./priority-taken";
import type { AclPlace, PriorityReports } from "./write-guard";
import {
  changeOf,
  freePriority,
  isAwaited,
  isDuplicate,
  isMove,
  isUnread,
  isWriting,
  nextStep,
  type Step,
} from "./priority-step";
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

/** Throws PriorityTaken. Returns the ACL at another priority if the call ends early. */
export async function reachPriority(moves: Moves, move: Move): Promise<NetworkAcl> {
  const { timeouts } = moves;
  for (let quietMs = 0; ;) {
    // No other change may come between a decision and its write, so each step decides again.
    const step = nextStep(moves, move, quietMs);
    if (step.kind !== "refresh") quietMs = 0;
    switch (step.kind) {
      case "write": {
        const acl = await write(moves, move, move.wanted.priority);
        if (acl) return acl;
        break;
      }
      case "read":
        await readAcls(moves, step.change);
        break;
      case "hold":
        await waitForOthers(moves, move, step.refusal, () => letAnotherStepAside(moves, move));
        break;
      case "aside":
        await goAside(moves, move, step.priority);
        break;
      case "open cycle":
        if (!step.others.some((other) => sendAside(moves, other))) throw priorityTaken(move, step.holder);
        await pause(moves, move, () => timeouts.giveUp);
        break;
      case "move holder":
        await retry(moves, step.holder.id, step.change, step.priority, move.guard?.reports);
        break;
      case "wait":
        quietMs = await pause(moves, move, () => step.ms);
        break;
      case "refresh":
        move.boardIsFresh = await moves.board.load();
        if (!move.boardIsFresh) throw priorityTaken(move, step.holder);
        break;
      case "end early": {
        const acl = await endEarly(moves, move, step);
        if (acl) return acl;
        break;
      }
      case "fail":
        throw priorityTaken(move, step.holder);
    }
  }
}

/** Moves the ACL out of the way and leaves the rest to the call of the holder. Undefined if that call began meanwhile. */
async function endEarly(
  moves: Moves,
  move: Move,
  { priority, holder }: Extract<Step, { kind: "end early" }>,
): Promise<NetworkAcl | undefined> {
  const { board, unplaced, log } = moves;
  if (priority !== undefined) await goAside(moves, move, priority);
  const { written, wanted } = move;
  if (!written || changeOf(moves, holder.id) || board.at(wanted.priority)?.id !== holder.id) return undefined;
  log(
    "info",
    `Ending the call of "${wanted.description}" at priority ${written.priority} before ${wanted.priority} is free`,
  );
  move.endedEarly = true;
  unplaced.set(written.id, move);
  move.guard?.reports?.early({ ...placeOf(move), priority: written.priority }, holder);
  return written;
}

const placeOf = ({ id = "", wanted, written }: Move): AclPlace => ({
  id,
  description: wanted.description,
  priority: written?.priority ?? wanted.priority,
  wanted: wanted.priority,
});

/** Runs the moves of ended calls whose priority is free by now. */
export async function finishUnplaced(moves: Moves, reports: PriorityReports | undefined): Promise<void> {
  const { board, unplaced, changes } = moves;
  if ([...unplaced.values()].some(({ endedEarly }) => endedEarly) && !board.loaded) await board.load();
  const isFree = ({ wanted: { priority } }: Move) => !board.at(priority) && !isWriting(moves, priority);
  const isReady = (move: Move) => isFree(move) && !needsAcls(moves, move) && !refusalOf(moves, move);
  for (;;) {
    const ready = [...unplaced].find(([, move]) => isReady(move));
    if (!ready) break;
    const [id, move] = ready;
    await retry(moves, id, move, move.wanted.priority, reports);
  }
  if (changes.size > 0) return;
  for (const move of unplaced.values()) {
    const refusal = move.endedEarly && isFree(move) ? refusalOf(moves, move) : undefined;
    if (refusal) reports?.unfinished(placeOf(move), refusal);
  }
}

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

function priorityTaken(move: Move, holder: AclAtPriority): PriorityTaken {
  const { wanted, conflict = { path: "/network-acls" }, written } = move;
  return new PriorityTaken(wanted, holder, isDuplicate(move, holder), conflict, written);
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

async function retry(
  moves: Moves,
  id: string,
  move: Move,
  priority: number,
  reports: PriorityReports | undefined,
): Promise<void> {
  const { changes, unplaced, activity, log } = moves;
  unplaced.delete(id);
  changes.add(move);
  try {
    const acl = await write(moves, move, priority);
    if (acl?.priority !== move.wanted.priority) unplaced.set(id, move);
  } catch (error) {
    log("warn", `Still not moving "${move.wanted.description}" to priority ${priority}`, { because: String(error) });
    if (move.endedEarly) reports?.unfinished(placeOf(move), error);
  } finally {
    changes.delete(move);
    activity.progress();
  }
}
