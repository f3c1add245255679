/** Reads of single objects that share the pages of their list, in fewer requests than one by one. */
import { createCursor, type Page } from "./cursor";

/*
 * N objects are asked for, of T in the tenant, P = ceil(T / 100) pages. The best possible is min(N, P) requests, but neither
 * N nor P is known: Terraform asks for ten at a time and never says how many will come, and the list tells no total.
 *
 * - Nothing known: at most N + 1 requests, whatever is asked in whatever order and wherever it stops. The first page is the
 *   one request staked; every object that a page answers earns another page. Where T <= 100 that makes exactly one request.
 *   No rule that keeps to N + 1 can also keep to a multiple of P: the asker may always choose an object from the pages not
 *   read so far, and each costs a request. Objects asked in an order that has nothing to do with the list's are found in
 *   a page with probability k / P once k pages are read: about P * (1 + 1/2 + … + 1/P) requests are expected at most.
 * - N and T known from the last run, and still true: at most min(N, P); one more where others have changed T a little.
 * - N known alone: min(N, 10) pages are staked to learn T, so at most P requests where P is no more than that, and else
 *   N + min(N, 10). A run that did not come to the end has learnt that T is more than it saw, so the next one knows better:
 *   the price is paid once.
 *
 * An object that is in no page is asked for by itself before it is called gone, which adds one request for each such object.
 * The bounds are proven over (N, T) and all orders in test/tenant/shared-reading.test.ts.
 */

export interface SizeHint {
  /** How many objects this stack holds, by what it last knew. */
  stack?: number;
  /** How many the tenant holds. */
  tenant?: number;
}

export interface PageCacheOptions<T> {
  fetchPage(from: string | undefined): Promise<Page<T>>;
  /** undefined: gone. */
  fetchOne(id: string): Promise<T | undefined>;
  idOf(item: T): string;
}

export interface PageCache<T> {
  get(id: string, hint?: SizeHint): Promise<T | undefined>;
  /**
   * One that is as asked. Whoever asks stakes a page, and once those are read without reaching the end, asks `fetchSuch`:
   * for N that are asked for, at most N pages and N such requests, and no more than P pages where P is less than N.
   */
  find(matches: (item: T) => boolean, fetchSuch: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Reads the pages that are left. */
  list(): Promise<T[]>;
  /** How many the list holds, or at least holds where it was not read to its end; undefined before any page. */
  readonly total: number | undefined;
  /** Forgets everything; what is being read is still answered to those who asked before. */
  drop(): void;
}

export const pageSize = 100;
/** Pages that a stack of known size stakes to learn how many objects the tenant holds. */
const explored = 10;

export function createPageCache<T>(options: PageCacheOptions<T>): PageCache<T> {
  let round = createRound(options);
  return {
    get: (id, hint) => round.get(id, hint),
    find: (isSuch, fetchSuch) => round.find(isSuch, fetchSuch),
    list: () => round.list(),
    get total() {
      return round.total();
    },
    drop() {
      round = createRound(options);
    },
  };
}

/** One reading of the list, from its beginning to whatever drops it. */
function createRound<T>({ fetchPage, fetchOne, idOf }: PageCacheOptions<T>) {
  const cursor = createCursor(fetchPage, idOf);
  let pages = 0;
  let hits = 0;
  let listing = 0;
  let seekers = 0;
  let stack: number | undefined;
  let tenant: number | undefined;
  let paging: Promise<void> | undefined;

  const readPage = () =>
    (paging ??= cursor
      .advance()
      .then(() => void pages++)
      .finally(() => (paging = undefined)));

  const readPages = async (isWanted = () => true) => {
    while (!cursor.complete && isWanted()) await readPage();
  };

  /** Pages that may be read in all before the rest is asked for one by one. */
  const pageBudget = () => {
    if (listing > 0) return Infinity;
    if (stack === undefined) return hits + 1;
    if (tenant === undefined) return hits + Math.min(stack, explored);
    const known = Math.ceil(tenant / pageSize);
    return hits + (known <= stack ? known + 1 : 0);
  };

  return {
    async get(id: string, hint: SizeHint = {}): Promise<T | undefined> {
      if (hint.stack !== undefined) stack = Math.max(stack ?? 0, hint.stack);
      if (hint.tenant !== undefined) tenant = Math.max(tenant ?? 0, hint.tenant);
      for (;;) {
        const item = cursor.items.get(id);
        if (item !== undefined) {
          hits++;
          return item;
        }
        if (cursor.complete || pages >= pageBudget()) return fetchOne(id);
        await readPage();
      }
    },
    async find(isSuch: (item: T) => boolean, fetchSuch: () => Promise<T | undefined>): Promise<T | undefined> {
      seekers++;
      await readPages(() => pages < seekers);
      return [...cursor.items.values()].find(isSuch) ?? (cursor.complete ? undefined : fetchSuch());
    },
    async list(): Promise<T[]> {
      listing++;
      try {
        await readPages();
        return [...cursor.items.values()];
      } finally {
        listing--;
      }
    },
    total: () => (cursor.complete ? cursor.items.size : pages > 0 ? cursor.items.size + 1 : undefined),
  };
}
