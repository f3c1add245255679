/** Finds the stages that network ACLs pass while Terraform changes them, in every order that it may choose. */
import { flagOf, type Stage } from "../../access/access";
import type { PlannedAcl } from "../network-acl/acl";
import { asides, isAside, type AclChange, type AclChanges, type Status } from "./acl-change";
import { firstStatus, nextOf, type DependsOn, type Statuses } from "./order";

export interface AclStage extends Stage<PlannedAcl> {
  readonly statuses: Statuses;
}

const mostStages = 512;

/**
 * The stages of each group of changes whose order is not free. The changes of a group depend on each other, or one needs the priority
 * that another one leaves. undefined: a group has too many stages.
 */
export function groupsOf({ changes, unchanged }: AclChanges, dependsOn: DependsOn): AclStage[][] | undefined {
  const groups = connected(changes, dependsOn).map((members) => ({ members, stages: usualStages(members, dependsOn) }));
  const stuck = groups.filter(({ stages }) => stages && !stages.some(({ statuses }) => isDone(statuses)));
  const waiting = waitingVersions({ changes, unchanged }, stuck.length);
  const all = groups.map((group) =>
    stuck.includes(group) ? circleStages(group.members, dependsOn, waiting) : group.stages && [group.stages],
  );
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

const mostPlaces = 3;

/**
 * The new versions at the nearest free priorities, like the provider chooses them. If possible, they pass no ACL of another outcome. That
 * ACL may be at its priority before or after the change. `count`: how many groups need a free priority.
 */
function waitingVersions({ changes, unchanged }: AclChanges, count: number): Waiting {
  const sides = (["before", "after"] as const).map((side) => [
    ...unchanged,
    ...changes.flatMap((change) => change[side] ?? []),
  ]);
  const taken = new Set(sides.flat().map(({ priority }) => priority));
  const free = Array.from({ length: 100 }, (_, index) => 100 - index).filter((priority) => !taken.has(priority));
  const versionsOf = ({ before, after, how }: AclChange) => {
    if (how !== "update" || !after || Number.isNaN(after.priority)) return [];
    const distance = (priority: number) => Math.abs(priority - after.priority);
    const sorted = free.toSorted((one, other) => distance(one) - distance(other));
    const nearest = sides.flatMap((acls) => {
      const others = acls.filter((acl) => acl !== before && acl !== after);
      const near = sorted.filter((priority) => !others.some((acl) => isPassed(acl, after, priority)));
      return (near.length > 0 ? near : sorted).slice(0, Math.min(count, mostPlaces));
    });
    return [...new Set(nearest)].map((priority) => ({ ...after, priority }));
  };
  return new Map(changes.map((change) => [change, versionsOf(change)]));
}

/** Whether the ACL has another outcome and is between the new priority and a free one. */
function isPassed(acl: PlannedAcl, { priority: planned, rule }: PlannedAcl, priority: number): boolean {
  const flags = [acl.rule, rule].map(({ action }) => flagOf(action));
  if (!acl.active || flags.includes("log") || flags[0] === flags[1]) return false;
  return acl.priority > Math.min(planned, priority) && acl.priority < Math.max(planned, priority);
}

const nextIn =
  (dependsOn: DependsOn) =>
  (statuses: Statuses, change: AclChange): Status[] => {
    const status = nextOf(change, statuses, dependsOn);
    return status === undefined ? [] : [status];
  };

const nowhere: Waiting = new Map();

/** undefined: too many stages. */
function usualStages(members: readonly AclChange[], dependsOn: DependsOn): AclStage[] | undefined {
  return reached(members, nowhere, nextIn(dependsOn), (statuses) => !hasConflict(statuses, nowhere, () => true));
}

/** The stages of ACLs that wait for the priorities of each other. They are one group unless any order is possible. */
function circleStages(members: readonly AclChange[], dependsOn: DependsOn, waiting: Waiting): AclStage[][] | undefined {
  if (members.every(({ isOwn }) => isOwn)) {
    // The provider moves one of the ACLs through a free priority.
    const next = (statuses: Statuses, change: AclChange) => {
      const mayWait = statuses.get(change) === "old" && ![...statuses.values()].some(isAside);
      const places = waiting.get(change)!.length;
      return [...nextIn(dependsOn)(statuses, change), ...(mayWait ? asides.slice(0, places) : [])];
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
    reached(part, waiting, nextIn(dependsOn), isPossible),
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
  if (isAside(status)) return [waiting.get(change)![asides.indexOf(status)]!];
  const versions: readonly (PlannedAcl | undefined)[] = {
    old: [before],
    gone: [],
    both: [before, after],
    new: [after],
  }[status];
  return versions.filter((acl) => acl !== undefined);
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
