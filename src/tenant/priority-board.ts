/** Records which network ACL has which priority, as far as this process knows. */
import type { NetworkAcl } from "./network-acl";

/** A network ACL of which at least id and priority are known. */
export type AclAtPriority = Pick<NetworkAcl, "id" | "priority"> & Partial<NetworkAcl>;

export interface PriorityBoard {
  /** Reads all network ACLs of the tenant. Concurrent calls share one request. False if the request fails. */
  load(): Promise<boolean>;
  /** Like `load`, but a list that was read before serves too, if no write came after it. */
  loadShared(): Promise<boolean>;
  /** Why the last request failed. */
  readonly problem: unknown;
  /** Set if the ACLs cannot be read. */
  isUnreadable: boolean;
  /** Notes that a write may or may not have had an effect. */
  invalidate(): void;
  all(): readonly AclAtPriority[];
  byId(id: string): AclAtPriority | undefined;
  /** Whether all network ACLs are known. */
  readonly loaded: boolean;
  at(priority: number): AclAtPriority | undefined;
  /** Records the ACL after a write. undefined: it is deleted. */
  set(id: string, acl: AclAtPriority | undefined): void;
  /** Records a priority from the state, unless something newer is known. */
  assume(id: string, acl: AclAtPriority): void;
  /**
   * The free priority nearest to `wanted`, except excluded and unsafe ones. Prefers priorities that no ACL ever had, because another ACL may
   * be moving to the others. If two are equally near, it takes the later one.
   */
  free(
    wanted: number,
    isExcluded: (priority: number) => boolean,
    isSafe?: (priority: number) => boolean,
  ): number | undefined;
}

const priorities = Array.from({ length: 100 }, (_, index) => index + 1);

type List = () => Promise<NetworkAcl[]>;

/** `shared` returns a list that was read before if no write came after it. */
export function createPriorityBoard(list: List, shared: List = list): PriorityBoard {
  const acls = new Map<string, AclAtPriority>();
  const everUsed = new Set<number>();
  let loading: Promise<boolean> | undefined;
  let loaded = false;
  /** Writes during a load. The response may be from before or after them. */
  let meanwhile: [string, AclAtPriority | undefined][] = [];

  const set = (id: string, acl: AclAtPriority | undefined) => {
    if (loading) meanwhile.push([id, acl]);
    if (acl) acls.set(id, acl);
    else acls.delete(id);
  };

  let problem: unknown;
  let isUnreadable = false;

  const load = async (read: List) => {
    const found = await read().catch((error: unknown) => void (problem = error));
    const since = meanwhile;
    loading = undefined;
    meanwhile = [];
    if (!found) return false;
    acls.clear();
    for (const acl of found) {
      set(acl.id, acl);
      everUsed.add(acl.priority);
    }
    for (const [id, acl] of since) set(id, acl);
    return (loaded = true);
  };

  const at = (priority: number) => [...acls.values()].find((acl) => acl.priority === priority);

  return {
    get loaded() {
      return loaded;
    },
    load: () => (loading ??= load(list)),
    loadShared: () => (loading ??= load(shared)),
    get problem() {
      return problem;
    },
    get isUnreadable() {
      return isUnreadable;
    },
    set isUnreadable(is) {
      isUnreadable = is;
    },
    invalidate: () => void (loaded = false),
    all: () => [...acls.values()],
    byId: (id) => acls.get(id),
    at,
    set,
    assume(id, acl) {
      if (!loaded && !acls.has(id) && !at(acl.priority)) acls.set(id, acl);
    },
    free(wanted, isExcluded, isSafe = () => true) {
      const cost = (priority: number) => [Number(everUsed.has(priority)), Math.abs(priority - wanted), -priority];
      const compare = (one: number[], other: number[]) =>
        one[0]! - other[0]! || one[1]! - other[1]! || one[2]! - other[2]!;
      const free = priorities.filter((priority) => !isExcluded(priority) && !at(priority));
      return free.toSorted((one, other) => compare(cost(one), cost(other))).find(isSafe);
    },
  };
}
