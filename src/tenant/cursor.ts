/** A list that comes page by page, each naming where the next one begins. */
import { TenantError } from "./error";
import type { Reply } from "./http/call";

export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page begins; undefined where the page names none. */
  readonly next?: string;
  /** Bytes of the response that brought it. Default: 0. */
  readonly bytes?: number;
}

/** The page of a response, with its size. */
export const pageOf = <P extends Page<unknown>>({ body, bytes }: Reply<P>): P => ({ ...body, bytes });

export interface Cursor<T> {
  /** What was read so far, by id. */
  readonly items: ReadonlyMap<string, T>;
  readonly complete: boolean;
  /** Reads one page more, and gives what it holds. Throws unlike_service where that leads nowhere. */
  advance(): Promise<readonly T[]>;
}

/** The service holds far less; a list that goes on beyond is none of its own. */
const mostPages = 10_000;

/** The longest lists that the service allows, 100,000 members and as many policies, take less than half of this. */
const mostBytes = 256 * 1024 * 1024;

/** Counts the bytes of one whole list. Throws unlike_service where it exceeds what the service can hold. */
export function createAllowance(most = mostBytes): (page: Page<unknown>) => void {
  let bytes = 0;
  let items = 0;
  return (page) => {
    bytes += page.bytes ?? 0;
    items += page.items.length;
    if (bytes <= most) return;
    const what = `a list takes more than ${most / 1024 / 1024} MiB. Tenantform stopped after the first ${items} entries`;
    throw new TenantError("unlike_service", `The endpoint answers unlike the service: ${what}.`);
  };
}

/**
 * The end is the first empty page, or the first that names no next: a short page proves nothing, and some versions of the
 * service let even the last page name a next.
 */
export function createCursor<T>(
  fetchPage: (from: string | undefined) => Promise<Page<T>>,
  idOf: (item: T) => string,
): Cursor<T> {
  const items = new Map<string, T>();
  const count = createAllowance();
  let pages = 0;
  let next: string | undefined;
  let complete = false;
  return {
    items,
    get complete() {
      return complete;
    },
    async advance() {
      const page = await fetchPage(next);
      count(page);
      const before = items.size;
      for (const item of page.items) items.set(idOf(item), item);
      next = page.next;
      complete = page.items.length === 0 || next === undefined;
      if (!complete && (items.size === before || ++pages >= mostPages)) throw endless(items.size);
      return page.items;
    },
  };
}

/** All pages, each as it is read. */
export async function* pagesOf<T>(cursor: Cursor<T>): AsyncGenerator<readonly T[]> {
  while (!cursor.complete) yield await cursor.advance();
}

function endless(count: number): TenantError {
  const words = `The endpoint answers unlike the service: a list of ${count} names page after page without an end.`;
  return new TenantError("unlike_service", words);
}

/** What a page may say of the next one. */
export const isCursor = (next: unknown): next is string | null | undefined =>
  next === undefined || next === null || typeof next === "string";
