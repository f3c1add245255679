/** Holds writes of network ACLs that would lock out, so that other writes can come first. */
import { isTenantError } from "./error";
import type { NetworkAclBody } from "./network-acl";
import type { Change, Moves, Write } from "./priority-change";
import type { AclAtPriority } from "./priority-board";
import type { StandingAcl } from "./write-guard";
import { judgedRefusal } from "./write-judge";

/** Whether the ACLs of the tenant must be read before the change is written. */
export function needsAcls({ board }: Moves, change: Change): boolean {
  if (!change.guard || board.loaded || board.isUnreadable || change.goesUnread) return false;
  return change.id === undefined || mayRestrict(change) || mayBreak(change);
}

function mayBreak({ guard, prior, wanted }: Change): boolean {
  return guard?.judge?.mayBreak(prior, wanted && contentOf(wanted)) ?? false;
}

/** Without the previous version, every write may restrict. */
function mayRestrict({ guard, id, prior, wanted }: Change): boolean {
  return (id !== undefined && !prior) || guard!.mayRestrict(prior, wanted && contentOf(wanted));
}

/** Throws if the ACLs cannot be read, so that nothing is written. */
export async function readAcls({ board, activity }: Moves, change: Change): Promise<void> {
  if (await activity.during(() => board.loadShared())) return;
  // Nobody can judge the writes of a token without the scope. The plan has judged the whole change.
  if (isTenantError(board.problem, "insufficient_scope")) board.isUnreadable = true;
  else if (mayRestrict(change) || mayBreak(change)) throw board.problem;
  else change.goesUnread = true;
}

/**
 * The error for the write at this priority; undefined: it locks nobody out. Without a priority, the write deletes the ACL. `first`
 * is the write of another change that would come before.
 */
export function refusalOf(
  moves: Moves,
  change: Change,
  priority = change.wanted?.priority,
  first?: StandingAcl,
): Error | undefined {
  const { guard, id } = change;
  if (!guard || !moves.board.loaded) return undefined;
  const { before, after } = writeOf(moves, change, priority);
  const judged = () => judgedRefusal(moves, change, { before, after }, first);
  if (!guard.mayRestrict(before, after)) return judged();
  const [open, least] = [mostOpen, leastOpen].map((versions) => {
    const acls = standing(moves, change, versions);
    return first ? [...acls.filter((acl) => acl.id === undefined || acl.id !== first.id), first] : acls;
  });
  const others = least!.filter((acl) => id === undefined || acl.id !== id);
  return guard.refusal(open!, after ? [...others, { ...after, id }] : others) ?? judged();
}

export function writeOf({ board }: Moves, change: Change, priority = change.wanted?.priority): Write {
  const found = change.id === undefined ? undefined : board.byId(change.id);
  return { before: contentOf(found) ?? change.prior, after: contentAt(change, priority) };
}

export function contentAt({ wanted }: Change, priority = wanted?.priority): NetworkAclBody | undefined {
  return wanted && contentOf({ ...wanted, priority: priority! });
}

function contentOf(acl: Partial<NetworkAclBody> | undefined): NetworkAclBody | undefined {
  const { description = "", active, priority, rule } = acl ?? {};
  return rule && active !== undefined && priority !== undefined ? { description, active, priority, rule } : undefined;
}

type Versions = (sent: Change) => readonly (NetworkAclBody | undefined)[];

/** The ACLs with the given versions of those whose write is under way: it may or may not have taken effect. */
function standing({ board, changes }: Moves, except: Change, versions: Versions): StandingAcl[] {
  const sent = [...changes].filter((change) => change !== except && change.sending);
  const ids = new Set(sent.map(({ id }) => id));
  const calm = board.all().filter(({ id }) => !ids.has(id)) as (AclAtPriority & NetworkAclBody)[];
  const moving = sent.flatMap((change) => versions(change).flatMap((acl) => (acl ? { ...acl, id: change.id } : [])));
  return [...calm, ...moving];
}

/** The stricter version. If the write both opens and restricts, all versions that block. */
const leastOpen: Versions = ({ sending, guard }) => {
  const { before, after } = sending!;
  if (guard?.mayRestrict(before, after) === false) return [before];
  if (guard?.mayRestrict(after, before) === false) return [after];
  return [before, after].filter((acl) => !acl?.rule.action.allow);
};

/** The version that blocks less. If the write both opens and restricts, all versions that allow. */
const mostOpen: Versions = ({ sending, guard }) => {
  const { before, after } = sending!;
  if (guard?.mayRestrict(before, after) === false) return [after];
  if (guard?.mayRestrict(after, before) === false) return [before];
  return [before, after].filter((acl) => acl?.rule.action.allow);
};

/**
 * Waits for the next progress of other changes. `openWay` makes another change open the way, if one can. Throws the refusal if no
 * other change came for some time.
 */
export async function waitForOthers(
  moves: Moves,
  change: Change,
  refusal: Error,
  openWay: () => boolean,
): Promise<undefined> {
  const { activity, timeouts, log } = moves;
  if (!change.isHeld) {
    change.isHeld = true;
    log("info", "Holding a write until other changes are done", { id: change.id });
    activity.progress();
  }
  await pause(moves, change, () => {
    const { stepAside, giveUp } = timeouts;
    if (moves.refusing) return giveUp;
    // After each progress, all waiting changes get the time to look again.
    const quiet = activity.quietMs(change.guard?.otherCalls);
    if (quiet >= stepAside && openWay()) return giveUp;
    if (quiet < giveUp) return (quiet < stepAside ? stepAside : giveUp) - quiet;
    moves.refusing = change;
    throw refusal;
  });
  return undefined;
}

/**
 * Waits until the next progress, and at the latest after some milliseconds. Other changes then know that this one waits. Returns for how
 * many milliseconds nothing happened that could end the wait.
 */
export function pause({ activity }: Moves, { guard }: Change, ms: () => number): Promise<number> {
  const others = guard?.otherCalls;
  const wait = async () => {
    await activity.wait(ms(), others);
    return activity.quietMs(others);
  };
  return others ? others.waiting(wait) : wait();
}

/** Whether the service has certainly not carried out the write that failed. */
export function isWithoutEffect(error: unknown): boolean {
  if (!isTenantError(error)) return false;
  return error.unsent || (error.status !== undefined && error.status >= 400 && error.status < 500);
}
