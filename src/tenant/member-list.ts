/** Reads all members of an organization with the paging that takes the fewest requests. */
import { createAllowance, createCursor, isCursor, pageOf, type Page } from "./cursor";
import type { Client } from "./http/client";
import type { Call, Decoder } from "./http/call";
import { hasFields, isRecord } from "./http/json";

/*
 * Paging by offset has a total and allows parallel requests, but returns only the first 1000 members. Paging by checkpoint
 * returns all members, page after page. In some versions of the service even the last page names a next page.
 *
 * | members M          | requests                                                                 |
 * |--------------------|--------------------------------------------------------------------------|
 * | below 1000         | max(1, ceil(M / 100))                                                    |
 * | from 1000          | ceil(M / 100) + 1; one less if the last page names no next page; one more if the size was unknown |
 *
 * A total of exactly 1000 belongs to the second row, because the service also reports 1000 for longer lists.
 */

const pageSize = 100;
/** Members that paging by offset returns at most. */
const offsetLimit = 1000;
const trimmed = { fields: "user_id", include_fields: true };

interface MemberPage extends Page<string> {
  readonly total?: number;
}

const isMembers = (members: unknown): members is readonly { readonly user_id: string }[] =>
  Array.isArray(members) && members.every((one) => hasFields(one, { user_id: "string" }));

const decodeMembers: Decoder<MemberPage> = (body) => {
  if (!isRecord(body)) return undefined;
  const { members, total, next } = body;
  if (!isMembers(members)) return undefined;
  if (!isCursor(next) || !(total === undefined || Number.isSafeInteger(total))) return undefined;
  return { items: members.map(({ user_id }) => user_id), total: total as number | undefined, next: next || undefined };
};

type Fetch = (query: Call<unknown>["query"]) => Promise<MemberPage>;

/** `expected`: how many members there were in the last run. */
export async function readMembers(client: Client, path: string, expected: number | undefined): Promise<string[]> {
  if (expected === undefined || expected < offsetLimit) return (await openMemberList(client, path)).list();
  return byCheckpoint(fetchFrom(client, path));
}

function fetchFrom(client: Client, path: string): Fetch {
  return async (query) => {
    const decoders = { 200: decodeMembers };
    const call = { method: "GET", path, query: { ...query, ...trimmed }, bucket: "members-read", decoders } as const;
    return pageOf(await client.send(call));
  };
}

export interface MemberList {
  /** How many members there are. undefined: 1000 or more. */
  readonly total: number | undefined;
  /** All members. Does not read the first page again. */
  list(): Promise<string[]>;
}

/** Reads the first page, which has the total. */
export async function openMemberList(client: Client, path: string): Promise<MemberList> {
  const fetch = fetchFrom(client, path);
  const first = await pageAt(fetch, 0);
  const total = (first.total ?? offsetLimit) < offsetLimit ? first.total : undefined;
  return {
    total,
    list: async () => (total === undefined ? undefined : await byOffset(fetch, first, total)) ?? byCheckpoint(fetch),
  };
}

const pageAt = (fetch: Fetch, page: number) => fetch({ page, per_page: pageSize, include_totals: true });

/** Undefined if the list changed while the pages were read. */
async function byOffset(fetch: Fetch, first: MemberPage, total: number): Promise<string[] | undefined> {
  const count = createAllowance();
  count(first);
  const at = async (page: number) => {
    const read = await pageAt(fetch, page);
    count(read);
    return read;
  };
  const others = Array.from({ length: Math.max(0, Math.ceil(total / pageSize) - 1) }, (_, index) => at(index + 1));
  const pages = [first, ...(await Promise.all(others))];
  const ids = new Set(pages.flatMap(({ items }) => items));
  return ids.size === total && pages.every((page) => page.total === total) ? [...ids] : undefined;
}

async function byCheckpoint(fetch: Fetch): Promise<string[]> {
  const cursor = createCursor(
    (from) => fetch({ take: pageSize, from }),
    (id: string) => id,
  );
  while (!cursor.complete) await cursor.advance();
  return [...cursor.items.keys()];
}
