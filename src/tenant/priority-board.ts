/** Who stands at which priority, as far as this process knows. */
import type { NetworkAcl } from "./network-acl";

export interface Standing {
  id: string;
  priority: number;
  /** Absent where only the id is known. */
  description?: string;
}

export interface PriorityBoard {
  /** Reads the tenant's whole order; one read under way however many ask. False where that is not permitted or fails. */
  load(): Promise<boolean>;
  /** Whether the whole order is known. */
  readonly loaded: boolean;
  at(priority: number): Standing | undefined;
  of(id: string): Standing | undefined;
  put(standing: Standing): void;
  remove(id: string): void;
  /** The free priority nearest to `wanted` and not in `spared`, the later of two; undefined where all are taken. */
  free(wanted: number, spared: ReadonlySet<number>): number | undefined;
}

const lowest = 1;
const highest = 100;

export function createPriorityBoard(list: () => Promise<NetworkAcl[]>): PriorityBoard {
  let places = new Map<string, Standing>();
  let loading: Promise<boolean> | undefined;
  let loaded = false;
  /** What we did while a list was under way: the list may be from before or after. */
  let meanwhile: [string, Standing | undefined][] = [];

  const set = (id: string, standing: Standing | undefined) => {
    if (loading) meanwhile.push([id, standing]);
    if (standing) places.set(id, standing);
    else places.delete(id);
  };

  const load = async () => {
    try {
      const acls = await list();
      places = new Map(acls.map(({ id, priority, description }) => [id, { id, priority, description }]));
      for (const [id, standing] of meanwhile) {
        if (standing) places.set(id, standing);
        else places.delete(id);
      }
      loaded = true;
      return true;
    } catch {
      return false;
    } finally {
      loading = undefined;
      meanwhile = [];
    }
  };

  const at = (priority: number) => [...places.values()].find((standing) => standing.priority === priority);

  return {
    get loaded() {
      return loaded;
    },
    load: () => (loading ??= load()),
    at,
    of: (id) => places.get(id),
    put: (standing) => set(standing.id, standing),
    remove: (id) => set(id, undefined),
    free(wanted, spared) {
      for (let distance = 1; distance <= highest; distance++) {
        for (const priority of [wanted + distance, wanted - distance]) {
          if (priority >= lowest && priority <= highest && !spared.has(priority) && !at(priority)) return priority;
        }
      }
      return undefined;
    },
  };
}
