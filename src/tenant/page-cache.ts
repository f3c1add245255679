/** Reads single objects from shared pages of their list, because that takes fewer requests than reading one by one. */
import { createCursor, type Page } from "./cursor";

/*
 * A run reads N of the tenant's T objects on P = ceil(T / 100) pages. Terraform reads ten objects at a time and never says how many
 * will follow, and the list has no total. The first page is paid in advance, and every object found on a page pays for another page: at
 * most N + 1 requests in any order, and exactly one if T <= 100. If several objects wait at the same time, each of them pays for a page,
 * so that a large stack takes about P requests. For a random order about P * (1 + 1/2 + … + 1/P) requests are expected at most. An object
 * that is on no page is read by its own request before it counts as deleted.
 */

export interface PageCacheOptions<T> {
  fetchPage(from: string | undefined): Promise<Page<T>>;
  /** undefined: deleted. */
  fetchOne(id: string): Promise<T | undefined>;
  idOf(item: T): string;
}

export interface PageCache<T> {
  get(id: string): Promise<T | undefined>;
  /**
   * The object that matches. Each call pays for one page. If these pages do not have the object and the list goes on, it calls
   * `fetchMatch`. N calls take at most N pages and N such requests, and at most P pages.
   */
  find(matches: (item: T) => boolean, fetchMatch: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Reads the remaining pages. */
  list(): Promise<T[]>;
  /** Forgets all pages. Earlier calls still get what they wait for. */
  drop(): void;
}

export const pageSize = 100;
/** So many objects that wait at the same time pay for a page each. Terraform reads ten at a time. */
const several = 5;

export function createPageCache<T>(options: PageCacheOptions<T>): PageCache<T> {
  let pages = createPages(options);
  return {
    get: (id) => pages.get(id),
    find: (matches, fetchMatch) => pages.find(matches, fetchMatch),
    list: () => pages.list(),
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
  let waiting = 0;
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
  const pageBudget = () => (lists > 0 ? Infinity : hits + (waiting >= several ? waiting : 1));

  return {
    async get(id: string): Promise<T | undefined> {
      waiting++;
      try {
        while (!cursor.items.has(id) && !cursor.complete && read < pageBudget()) await readPage();
      } finally {
        waiting--;
      }
      const item = cursor.items.get(id);
      if (item === undefined) return fetchOne(id);
      hits++;
      return item;
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
  };
}
