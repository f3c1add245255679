/** Who stands at which priority, as far as this process knows. */
import type { NetworkAcl } from "./network-acl";

/** A list of which at least the place is known. */
export type PlacedAcl = Pick<NetworkAcl, "id" | "priority"> & Partial<NetworkAcl>;

export interface PriorityBoard {
  /** Reads the tenant's whole order; one read under way however many ask. False where that is not permitted or fails. */
  load(): Promise<boolean>;
  /** Whether the whole order is known. */
  readonly loaded: boolean;
  at(priority: number): PlacedAcl | undefined;
  /** Notes where a list stands now; undefined: it is gone. */
  set(id: string, standing: PlacedAcl | undefined): void;
  /** Notes where a list is said to stand, which may be long ago: whatever is known better counts. */
  assume(id: string, standing: PlacedAcl): void;
  /** The free priority nearest to `wanted` that is not spared, the later of two; where a list was seen before counts as farther. */
  free(wanted: number, isSpared: (priority: number) => boolean): number | undefined;
}

const priorities = Array.from({ length: 100 }, (_, index) => index + 1);

export function createPriorityBoard(list: () => Promise<NetworkAcl[]>): PriorityBoard {
  const places = new Map<string, PlacedAcl>();
  let loading: Promise<boolean> | undefined;
  let loaded = false;
  /** Where a list was ever seen: one that has left it since may come back, or another may be on the way there. */
  const held = new Set<number>();
  /** What we did while a list was under way: the list may be from before or after. */
  let meanwhile: [string, PlacedAcl | undefined][] = [];

  const set = (id: string, standing: PlacedAcl | undefined) => {
    if (loading) meanwhile.push([id, standing]);
    if (standing) places.set(id, standing);
    else places.delete(id);
  };

  const load = async () => {
    const acls = await list().catch(() => undefined);
    const since = meanwhile;
    loading = undefined;
    meanwhile = [];
    if (!acls) return false;
    places.clear();
    for (const acl of acls) {
      set(acl.id, acl);
      held.add(acl.priority);
    }
    for (const [id, standing] of since) set(id, standing);
    return (loaded = true);
  };

  const at = (priority: number) => [...places.values()].find((standing) => standing.priority === priority);

  return {
    get loaded() {
      return loaded;
    },
    load: () => (loading ??= load()),
    at,
    set,
    assume(id, standing) {
      if (!loaded && !places.has(id) && !at(standing.priority)) places.set(id, standing);
    },
    free: (wanted, isSpared) =>
      priorities
        .filter((priority) => !isSpared(priority) && !at(priority))
        .toSorted(
          (one, other) =>
            Number(held.has(one)) - Number(held.has(other)) ||
            Math.abs(one - wanted) - Math.abs(other - wanted) ||
            other - one,
        )[0],
  };
}
