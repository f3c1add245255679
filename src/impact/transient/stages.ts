/** Finds the stages that network ACLs pass while Terraform changes them, in every order that it may choose. */
import type { Stage } from "../../access/access";
import type { PlannedAcl } from "../network-acl/acl";
import type { AclChange, AclChanges, Status } from "./acl-change";
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
  const asides: Asides = new Map(changes.map((change) => [change, asideOf(change, taken)]));
  const groups = connected(changes, dependsOn).map((members) => stagesOf(members, asides, dependsOn));
  const known = groups.filter((group) => group !== undefined);
  return known.length === groups.length ? known.flat() : undefined;
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

/** The versions that wait at a free priority. */
type Asides = ReadonlyMap<AclChange, PlannedAcl | undefined>;

/** The new version at the nearest free priority, like the provider chooses it. */
function asideOf({ after, how }: AclChange, taken: ReadonlySet<number>): PlannedAcl | undefined {
  if (how !== "update" || !after || Number.isNaN(after.priority)) return undefined;
  const distance = (priority: number) => Math.abs(priority - after.priority);
  const free = Array.from({ length: 100 }, (_, index) => 100 - index).filter((priority) => !taken.has(priority));
  const [nearest] = free.toSorted((one, other) => distance(one) - distance(other));
  return nearest === undefined ? undefined : { ...after, priority: nearest };
}

/** The stages of the members, which are one group unless any order is possible. undefined: too many stages. */
function stagesOf(members: readonly AclChange[], asides: Asides, dependsOn: DependsOn): AclStage[][] | undefined {
  const next = (statuses: Statuses, change: AclChange) => {
    const status = nextOf(change, statuses, dependsOn);
    return status === undefined ? [] : [status];
  };
  const isUnique = (statuses: Statuses) => !hasConflict(statuses, asides, () => true);
  const stages = reached(members, asides, next, isUnique);
  if (!stages || stages.some(({ statuses }) => isDone(statuses))) return stages && [stages];
  if (members.every(({ isOwn }) => isOwn)) {
    // The provider moves ACLs that wait for each other through a free priority.
    const detours = (statuses: Statuses, change: AclChange) => {
      const mayWait = asides.get(change) && statuses.get(change) === "old" && ![...statuses.values()].includes("aside");
      return [...next(statuses, change), ...(mayWait ? (["aside"] as const) : [])];
    };
    const own = reached(members, asides, detours, isUnique);
    return own && [own];
  }
  // The service does not document whether it refuses an update to a taken priority.
  const isPossible = (statuses: Statuses) => !hasConflict(statuses, asides, ({ how }) => how !== "update");
  const isFree = members.every(
    (change) => change.how === "update" && !members.some((other) => dependsOn(change, other)),
  );
  const parts = (isFree ? members.map((change) => [change]) : [members]).map((part) =>
    reached(part, asides, next, isPossible),
  );
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

const isDone = (statuses: Statuses) =>
  [...statuses].every(([{ how }, status]) => status === (how === "delete" ? "gone" : "new"));

/** All stages that the writes reach one after another. A write to a refused stage fails. undefined: too many. */
function reached(
  members: readonly AclChange[],
  asides: Asides,
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
    acls: [...statuses].flatMap(([change, status]) => versionsAt(change, status, asides)),
  }));
}

const keyOf = (statuses: Statuses) => [...statuses.values()].join();

function versionsAt(change: AclChange, status: Status, asides: Asides): PlannedAcl[] {
  const { before, after } = change;
  const versions: Record<Status, readonly (PlannedAcl | undefined)[]> = {
    old: [before],
    gone: [],
    both: [before, after],
    aside: [asides.get(change)],
    new: [after],
  };
  return versions[status].filter((acl) => acl !== undefined);
}

/** Whether two ACLs have one priority, although the service would refuse this. An inactive ACL occupies its priority too. */
function hasConflict(statuses: Statuses, asides: Asides, counts: (change: AclChange) => boolean): boolean {
  const holders = new Map<number, AclChange>();
  for (const [change, status] of statuses) {
    for (const { priority } of versionsAt(change, status, asides)) {
      if (Number.isNaN(priority)) continue;
      const holder = holders.get(priority);
      if (holder && counts(change) && counts(holder)) return true;
      holders.set(priority, change);
    }
  }
  return false;
}
