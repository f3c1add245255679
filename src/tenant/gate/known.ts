/** What the tenant has, as far as this process knows: the last list, and the writes since. */

export interface Known<T extends { readonly id: string }> {
  /** Reads all objects of the tenant. Concurrent calls share one request. Returns false if the request fails. */
  load(): Promise<boolean>;
  /** Like `load`, but a list that was read before serves too, if no write came after it. */
  loadShared(): Promise<boolean>;
  /** Whether all objects are known. */
  readonly loaded: boolean;
  /** Why the last request failed. */
  readonly problem: unknown;
  /** Notes that a write may or may not have had an effect. */
  invalidate(): void;
  all(): readonly T[];
  byId(id: string): T | undefined;
  /** Records the object after a write, or its deletion. */
  set(id: string, object: T | undefined): void;
  /** Records an object from the state, unless something newer is known. */
  assume(object: T): void;
}

type List<T> = () => Promise<readonly T[]>;

/** `shared` returns a list that was read before if no write came after it. */
export function createKnown<T extends { readonly id: string }>(list: List<T>, shared: List<T> = list): Known<T> {
  const objects = new Map<string, T>();
  let loading: Promise<boolean> | undefined;
  let loaded = false;
  let problem: unknown;
  /** Writes during a load. The response may be from before or after them. */
  let meanwhile: [string, T | undefined][] = [];

  const set = (id: string, object: T | undefined) => {
    if (loading) meanwhile.push([id, object]);
    if (object) objects.set(id, object);
    else objects.delete(id);
  };

  const load = async (read: List<T>) => {
    const found = await read().catch((error: unknown) => void (problem = error));
    const since = meanwhile;
    loading = undefined;
    meanwhile = [];
    if (!found) return false;
    objects.clear();
    for (const object of found) set(object.id, object);
    for (const [id, object] of since) set(id, object);
    return (loaded = true);
  };

  return {
    load: () => (loading ??= load(list)),
    loadShared: () => (loading ??= load(shared)),
    get loaded() {
      return loaded;
    },
    get problem() {
      return problem;
    },
    invalidate: () => void (loaded = false),
    all: () => [...objects.values()],
    byId: (id) => objects.get(id),
    set,
    assume(object) {
      if (!loaded && !objects.has(object.id)) objects.set(object.id, object);
    },
  };
}
