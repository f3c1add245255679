/** Reads a list page by page: each page names the start of the next one. A snapshot shares the result of one request until a write. */
import { TenantError } from "./error";
import { type Decoder, isRecord, listOf } from "./http/call";

/** The most entries of a page that the service allows. */
export const pageSize = 100;

export interface Page<T> {
  readonly items: readonly T[];
  /** The start of the next page, if there is one. */
  readonly next?: string;
}

export interface Cursor<T> {
  /** The items read so far, by id. */
  readonly items: ReadonlyMap<string, T>;
  readonly complete: boolean;
  /** Reads the next page. Throws unlike_service if the list does not end. */
  advance(): Promise<readonly T[]>;
}

/** The longest list of the service has far fewer. */
const mostPages = 10_000;

/**
 * The list ends with the first page that is empty or names no next page. A short page may not be the last one, and in some
 * versions of the service even the last page names a next page.
 */
export function createCursor<T>(
  fetchPage: (from: string | undefined) => Promise<Page<T>>,
  idOf: (item: T) => string,
): Cursor<T> {
  const items = new Map<string, T>();
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
      const before = items.size;
      for (const item of page.items) items.set(idOf(item), item);
      next = page.next;
      complete = page.items.length === 0 || next === undefined;
      if (!complete && (items.size === before || ++pages >= mostPages)) throw endless(items.size);
      return page.items;
    },
  };
}

/** All pages, each when it is read. */
export async function* pagesOf<T>(cursor: Cursor<T>): AsyncGenerator<readonly T[]> {
  while (!cursor.complete) yield await cursor.advance();
}

function endless(count: number): TenantError {
  const why = `the pages of a list have no end. Tenantform stopped after ${count} entries`;
  return new TenantError("unlike_service", `The endpoint is not the Management API: ${why}.`);
}

/** Decodes a page that names its items `name`. */
export function decodePage<T>(name: string, isItem: (value: unknown) => value is T): Decoder<Page<T>> {
  const isItems = listOf(isItem);
  return (body) => {
    if (!isRecord(body) || !isItems(body[name]) || !isCursor(body.next)) return undefined;
    return { items: body[name], next: body.next || undefined };
  };
}

/** Whether a page may name this value as the start of the next one. */
export const isCursor = (next: unknown): next is string | null | undefined =>
  next === undefined || next === null || typeof next === "string";

export interface Snapshot<T> {
  /** Concurrent calls share one request. A failed request is not kept. */
  read(): Promise<T>;
  /** Makes the next `read` send a request. */
  drop(): void;
}

export function createSnapshot<T>(load: () => Promise<T>): Snapshot<T> {
  let kept: Promise<T> | undefined;
  return {
    read() {
      if (kept) return kept;
      const loading = load();
      kept = loading;
      loading.catch(() => {
        if (kept === loading) kept = undefined;
      });
      return loading;
    },
    drop() {
      kept = undefined;
    },
  };
}

/** Drops before the write, which may take effect at any time, and after it, because of reads that began meanwhile. */
export async function dropping<T>(snapshot: Pick<Snapshot<unknown>, "drop">, write: () => Promise<T>): Promise<T> {
  snapshot.drop();
  try {
    return await write();
  } finally {
    snapshot.drop();
  }
}
