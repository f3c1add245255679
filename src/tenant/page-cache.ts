/** Reads single objects from shared pages of their list, because that takes fewer requests than reading one by one. */
import { createCursor, type Page } from "./cursor";

/*
 * A run reads N of the tenant's T objects on P = ceil(T / 100) pages. The minimum is min(N, P) requests. But Terraform reads ten
 * objects at a time and never says how many will follow, and the list has no total.
 *
 * - Nothing known: at most N + 1 requests, in any order. The first page is paid in advance, and every object found on a page
 *   pays for another page. With T <= 100 this is exactly one request. A rule with at most N + 1 requests cannot guarantee a
 *   multiple of P, because the next object may always be on a page not read yet. For a random order about
 *   P * (1 + 1/2 + … + 1/P) requests are expected at most.
 * - N and T known from the last run: at most min(N, P) requests, or one more if T has changed a little.
 * - Only N known: up to min(N, 10) pages are read to learn T. That makes at most P requests if P is not larger, else
 *   N + min(N, 10). The next run then knows a better T, so this happens once.
 *
 * An object that is on no page is read by its own request before it counts as deleted, which adds one request.
 *
 * The test of the page cache proves these bounds for all (N, T) and orders.
 */

export interface SizeHint {
  /** How many objects this stack had in the last run. */
  stack?: number;
  /** How many objects the tenant had. */
  tenant?: number;
}

export interface PageCacheOptions<T> {
  fetchPage(from: string | undefined): Promise<Page<T>>;
  /** undefined: deleted. */
  fetchOne(id: string): Promise<T | undefined>;
  idOf(item: T): string;
}

export interface PageCache<T> {
  get(id: string, hint?: SizeHint): Promise<T | undefined>;
  /**
   * The object that matches. Each call pays for one page. If these pages do not have the object and the list goes on, it calls
   * `fetchMatch`. N calls take at most N pages and N such requests, and at most P pages.
   */
  find(matches: (item: T) => boolean, fetchMatch: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Reads the remaining pages. */
  list(): Promise<T[]>;
  /** The least number of objects in the list, exact once all pages are read. undefined: no page is read. */
  readonly total: number | undefined;
  /** Forgets all pages. Earlier calls still get what they wait for. */
  drop(): void;
}

export const pageSize = 100;
/** Pages that a stack of known size reads to learn how many objects the tenant has. */
const mostExplored = 10;

export function createPageCache<T>(options: PageCacheOptions<T>): PageCache<T> {
  let pages = createPages(options);
  return {
    get: (id, hint) => pages.get(id, hint),
    find: (matches, fetchMatch) => pages.find(matches, fetchMatch),
    list: () => pages.list(),
    get total() {
      return pages.total();
    },
    drop() {
      pages = createPages(options);
    },
  };
}

/** The pages read since the last drop. */
function createPages<T>({ fetchPage, fetchOne, idOf }: PageCacheOptions<T>) {
  const cursor = createCursor(fetchPage, idOf);
  let read = 0;
  let hits = 0;
  let lists = 0;
  let finds = 0;
  let stack: number | undefined;
  let tenant: number | undefined;
  let reading: Promise<void> | undefined;

  const readPage = () =>
    (reading ??= cursor
      .advance()
      .then(() => void read++)
      .finally(() => (reading = undefined)));

  const readPages = async (isWanted = () => true) => {
    while (!cursor.complete && isWanted()) await readPage();
  };

  /** How many pages may be read before the remaining objects are read one by one. */
  const pageBudget = () => {
    if (lists > 0) return Infinity;
    if (stack === undefined) return hits + 1;
    if (tenant === undefined) return hits + Math.min(stack, mostExplored);
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
        if (cursor.complete || read >= pageBudget()) return fetchOne(id);
        await readPage();
      }
    },
    async find(matches: (item: T) => boolean, fetchMatch: () => Promise<T | undefined>): Promise<T | undefined> {
      finds++;
      await readPages(() => read < finds);
      return [...cursor.items.values()].find(matches) ?? (cursor.complete ? undefined : fetchMatch());
    },
    async list(): Promise<T[]> {
      lists++;
      try {
        await readPages();
        return [...cursor.items.values()];
      } finally {
        lists--;
      }
    },
    total: () => (cursor.complete ? cursor.items.size : read > 0 ? cursor.items.size + 1 : undefined),
  };
}
