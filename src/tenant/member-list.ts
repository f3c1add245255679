/** All members of an organization, by whichever paging takes the fewest requests and misses nobody. */
import { createAllowance, createCursor, isCursor, pageOf, type Page } from "./cursor";
import type { Client } from "./http/client";
import type { Call, Decoder } from "./http/call";
import { hasFields, isRecord } from "./http/json";

/*
 * Paging by offset tells the total and can be read side by side, but reaches only the first thousand. Paging by checkpoint
 * reaches everybody, one page after the other, and some versions of the service let even the last page name a next.
 *
 * | members M          | requests                                                                 |
 * |--------------------|--------------------------------------------------------------------------|
 * | below 1000         | max(1, ceil(M / 100))                                                    |
 * | 1000 and more      | ceil(M / 100) + 1, less where the last page names no next; one more where the size was not known before |
 *
 * Exactly 1000 belongs to the second row: a total of 1000 may also be what a longer list is cut to.
 */

const pageSize = 100;
/** Members that paging by offset reaches. */
const reach = 1000;
const trimmed = { fields: "user_id", include_fields: true };

interface MemberPage extends Page<string> {
  readonly total?: number;
}

const isMembers = (members: unknown): members is readonly { readonly user_id: string }[] =>
  Array.isArray(members) && members.every((one) => hasFields(one, { user_id: "string" }));

const reader: Decoder<MemberPage> = (body) => {
  if (!isRecord(body)) return undefined;
  const { members, total, next } = body;
  if (!isMembers(members)) return undefined;
  if (!isCursor(next) || !(total === undefined || Number.isSafeInteger(total))) return undefined;
  return { items: members.map(({ user_id }) => user_id), total: total as number | undefined, next: next || undefined };
};

type Fetch = (query: Call<unknown>["query"]) => Promise<MemberPage>;

/** `path`: of the organization's members; `expected`: how many there were when last seen. */
export async function readMembers(client: Client, path: string, expected: number | undefined): Promise<string[]> {
  if (expected === undefined || expected < reach) return (await openMemberList(client, path)).list();
  return byCheckpoint(fetchFrom(client, path));
}

function fetchFrom(client: Client, path: string): Fetch {
  return async (query) => {
    const decoders = { 200: reader };
    const call = { method: "GET", path, query: { ...query, ...trimmed }, bucket: "members-read", decoders } as const;
    return pageOf(await client.send(call));
  };
}

export interface MemberList {
  /** How many there are; undefined where there are a thousand or more. */
  readonly total: number | undefined;
  /** All of them, the first page not asked for again. */
  list(): Promise<string[]>;
}

/** Asks for the first page alone, which tells how many there are. */
export async function openMemberList(client: Client, path: string): Promise<MemberList> {
  const fetch = fetchFrom(client, path);
  const first = await pageAt(fetch, 0);
  const total = (first.total ?? reach) < reach ? first.total : undefined;
  return {
    total,
    list: async () => (total === undefined ? undefined : await byOffset(fetch, first, total)) ?? byCheckpoint(fetch),
  };
}

const pageAt = (fetch: Fetch, page: number) => fetch({ page, per_page: pageSize, include_totals: true });

/** undefined where the pages do not fit together because the list changed meanwhile. */
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
