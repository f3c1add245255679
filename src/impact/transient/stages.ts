/** Finds the stages that network ACLs pass while Terraform changes them, in every order that it may choose. */
import type { Stage } from "../../access/access";
import type { PlannedAcl } from "../network-acl/acl";
import { asides, isAside, type AclChange, type AclChanges, type Status } from "./acl-change";
import { firstStatus, nextOf, type DependsOn, type Statuses } from "./order";

export interface AclStage extends Stage<PlannedAcl> {
  readonly statuses: Statuses;
}

const mostStages = 512;

/**
 * The stages of each group of changes whose order is not free: they depend on each other, or one needs the priority that another one
 * leaves. undefined: a group has too many stages.
 */
export function groupsOf({ changes, unchanged }: AclChanges, dependsOn: DependsOn): AclStage[][] | undefined {
  const taken = new Set([...changes.flatMap(prioritiesOf), ...unchanged.map(({ priority }) => priority)]);
  const waiting: Waiting = new Map(changes.map((change) => [change, waitingVersions(change, taken)]));
  const rules = { dependsOn, waiting };
  const groups = connected(changes, dependsOn).map((members) => ({ members, stages: usualStages(members, rules) }));
  const stuck = groups.filter(({ stages }) => stages && !stages.some(({ statuses }) => isDone(statuses)));
  const all = groups.map((group) => {
    if (!stuck.includes(group)) return group.stages && [group.stages];
    return circleStages(group.members, { ...rules, detours: asides.slice(0, stuck.length) });
  });
  return all.every((group) => group !== undefined) ? all.flat() : undefined;
}

function connected(changes: readonly AclChange[], dependsOn: DependsOn): AclChange[][] {
  let groups: AclChange[][] = [];
  for (const change of changes) {
    const own = new Set(prioritiesOf(change));
    const isNear = (other: AclChange) =>
      dependsOn(change, other) || dependsOn(other, change) || prioritiesOf(other).some((priority) => own.has(priority));
    const near = groups.filter((group) => group.some(isNear));
    groups = [...groups.filter((group) => !near.includes(group)), [...near.flat(), change]];
  }
  return groups;
}

const prioritiesOf = ({ before, after }: AclChange) =>
  [before, after].flatMap((acl) => (acl && !Number.isNaN(acl.priority) ? acl.priority : []));

/** The versions that wait at the nearest free priorities. */
type Waiting = ReadonlyMap<AclChange, readonly PlannedAcl[]>;

/** The new version at the nearest free priorities, like the provider chooses them. Other ACLs may occupy the first ones. */
function waitingVersions({ after, how }: AclChange, taken: ReadonlySet<number>): PlannedAcl[] {
  if (how !== "update" || !after || Number.isNaN(after.priority)) return [];
  const distance = (priority: number) => Math.abs(priority - after.priority);
  const free = Array.from({ length: 100 }, (_, index) => 100 - index).filter((priority) => !taken.has(priority));
  const nearest = free.toSorted((one, other) => distance(one) - distance(other)).slice(0, asides.length);
  return nearest.map((priority) => ({ ...after, priority }));
}

interface Rules {
  readonly dependsOn: DependsOn;
  readonly waiting: Waiting;
  /** The statuses of an ACL that can wait at a free priority. */
  readonly detours?: readonly Status[];
}

const nextIn =
  ({ dependsOn }: Rules) =>
  (statuses: Statuses, change: AclChange): Status[] => {
    const status = nextOf(change, statuses, dependsOn);
    return status === undefined ? [] : [status];
  };

/** undefined: too many stages. */
function usualStages(members: readonly AclChange[], rules: Rules): AclStage[] | undefined {
  return reached(
    members,
    rules.waiting,
    nextIn(rules),
    (statuses) => !hasConflict(statuses, rules.waiting, () => true),
  );
}

/** The stages of ACLs that wait for the priorities of each other. They are one group unless any order is possible. */
function circleStages(members: readonly AclChange[], rules: Rules): AclStage[][] | undefined {
  const { dependsOn, waiting, detours = [] } = rules;
  if (members.every(({ isOwn }) => isOwn)) {
    // The provider moves one of the ACLs through a free priority.
    const next = (statuses: Statuses, change: AclChange) => {
      const mayWait = statuses.get(change) === "old" && ![...statuses.values()].some(isAside);
      const count = waiting.get(change)!.length;
      return [...nextIn(rules)(statuses, change), ...(mayWait ? detours.slice(0, count) : [])];
    };
    const stages = reached(members, waiting, next, (statuses) => !hasConflict(statuses, waiting, () => true));
    return stages && [stages];
  }
  // The service does not document whether it refuses an update to a taken priority.
  const isPossible = (statuses: Statuses) => !hasConflict(statuses, waiting, ({ how }) => how !== "update");
  const isFree = members.every(
    (change) => change.how === "update" && !members.some((other) => dependsOn(change, other)),
  );
  const parts = (isFree ? members.map((change) => [change]) : [members]).map((part) =>
    reached(part, waiting, nextIn(rules), isPossible),
  );
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

const isDone = (statuses: Statuses) =>
  [...statuses].every(([{ how }, status]) => status === (how === "delete" ? "gone" : "new"));

/** All stages that the writes reach one after another. A write to a refused stage fails. undefined: too many. */
function reached(
  members: readonly AclChange[],
  waiting: Waiting,
  next: (statuses: Statuses, change: AclChange) => readonly Status[],
  isPossible: (statuses: Statuses) => boolean,
): AclStage[] | undefined {
  const first: Statuses = new Map(members.map((change) => [change, firstStatus(change)]));
  const found = new Map([[keyOf(first), first]]);
  // The loop visits the stages that it adds.
  for (const statuses of found.values()) {
    if (found.size > mostStages) return undefined;
    for (const change of members) {
      for (const status of next(statuses, change)) {
        const then = new Map([...statuses, [change, status]]);
        if (isPossible(then) && !found.has(keyOf(then))) found.set(keyOf(then), then);
      }
    }
  }
  return [...found.values()].map((statuses) => ({
    statuses,
    acls: [...statuses].flatMap(([change, status]) => versionsAt(change, status, waiting)),
  }));
}

const keyOf = (statuses: Statuses) => [...statuses.values()].join();

function versionsAt(change: AclChange, status: Status, waiting: Waiting): PlannedAcl[] {
  const { before, after } = change;
  const versions: Record<Status, readonly (PlannedAcl | undefined)[]> = {
    old: [before],
    gone: [],
    both: [before, after],
    aside: [waiting.get(change)![0]],
    "aside 2": [waiting.get(change)![1]],
    "aside 3": [waiting.get(change)![2]],
    new: [after],
  };
  return versions[status].filter((acl) => acl !== undefined);
}

/** Whether two ACLs have one priority, although the service would refuse this. An inactive ACL occupies its priority too. */
function hasConflict(statuses: Statuses, waiting: Waiting, counts: (change: AclChange) => boolean): boolean {
  const holders = new Map<number, AclChange>();
  for (const [change, status] of statuses) {
    for (const { priority } of versionsAt(change, status, waiting)) {
      if (Number.isNaN(priority)) continue;
      const holder = holders.get(priority);
      if (holder && counts(change) && counts(holder)) return true;
      holders.set(priority, change);
    }
  }
  return false;
}
