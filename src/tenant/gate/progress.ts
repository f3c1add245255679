/**
 * Lets writes wait for each other: a write that begins or ends is progress, after which each waiting write decides again. Beside it, what the tenant
 * has as far as this process knows: the last list, and the writes since.
 */
import type { Clock } from "../clock";

/** The other calls of Terraform. */
export interface OtherCalls {
  /** Whether another call is running, and does not wait. */
  areRunning(): boolean;
  /** Whether Terraform can certainly start another call while all running ones wait. Default: it is not known. */
  hasFreeSlot?(): boolean;
  /** Counts the caller as waiting while the work lasts. */
  waiting<T>(work: () => Promise<T>): Promise<T>;
}

export interface ProgressOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeouts?: { readonly giveUp?: number } | undefined;
}

export interface Progress {
  /** Milliseconds without progress after which nothing more is expected. */
  readonly giveUp: number;
  note(): void;
  /** Runs a call to Auth0. Nothing gives up meanwhile. */
  during<T>(call: () => Promise<T>): Promise<T>;
  /**
   * Waits until the next progress, and at the latest after some milliseconds. Returns for how many milliseconds nothing happened that
   * could end the wait: no progress, no call to Auth0, and no other call of Terraform that runs.
   */
  pause(ms: number, others: OtherCalls | undefined): Promise<number>;
}

/** Milliseconds between two looks at other calls, whose end is no progress. */
const look = 250;

export function createProgress({ clock, signal, timeouts }: ProgressOptions): Progress {
  let calls = 0;
  let progressAt = clock.now();
  let runningAt = progressAt;
  let next = new AbortController();
  const note = () => {
    progressAt = clock.now();
    next.abort();
    next = new AbortController();
  };
  const quietMs = (others: OtherCalls | undefined) => {
    const now = clock.now();
    if (calls > 0 || others?.areRunning()) runningAt = now;
    return now - Math.max(progressAt, runningAt);
  };
  return {
    giveUp: timeouts?.giveUp ?? 10_000,
    note,
    async during(call) {
      calls++;
      try {
        return await call();
      } finally {
        calls--;
        note();
      }
    },
    pause(ms, others) {
      const wait = async () => {
        const until = others ? Math.min(ms, look) : ms;
        await clock.sleep(until, AbortSignal.any([signal, next.signal])).catch(() => signal.throwIfAborted());
        return quietMs(others);
      };
      return others ? others.waiting(wait) : wait();
    },
  };
}

/** Waits until it is so. Returns false if nothing more is expected. */
export async function waitUntil(isSo: () => boolean, progress: Progress, others?: OtherCalls): Promise<boolean> {
  for (let quietMs = 0; !isSo();) {
    if (quietMs >= progress.giveUp) return false;
    quietMs = await progress.pause(progress.giveUp - quietMs, others);
  }
  return true;
}

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
