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
/** The fields of each member in a response. */
type Fields = "user_id" | "user_id,name,email";

/** A member. Name and email are left out if they were not requested, or if the user has none. */
export interface Member {
  readonly user_id: string;
  readonly name?: string;
  readonly email?: string;
}

interface MemberPage extends Page<Member> {
  readonly total?: number;
}

const isMembers = (members: unknown): members is readonly (Record<string, unknown> & Pick<Member, "user_id">)[] =>
  Array.isArray(members) && members.every((one) => hasFields(one, { user_id: "string" }));

const textIn = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

function memberFrom({ user_id, ...member }: Record<string, unknown> & Pick<Member, "user_id">): Member {
  const [name, email] = [textIn(member["name"]), textIn(member["email"])];
  return { user_id, ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
}

const decodeMembers: Decoder<MemberPage> = (body) => {
  if (!isRecord(body)) return undefined;
  const { members, total, next } = body;
  if (!isMembers(members)) return undefined;
  if (!isCursor(next) || !(total === undefined || Number.isSafeInteger(total))) return undefined;
  return { items: members.map(memberFrom), total: total as number | undefined, next: next || undefined };
};

type Fetch = (query: Call<unknown>["query"]) => Promise<MemberPage>;

/** The user ids. `expected`: how many members there were in the last run. */
export async function readMembers(client: Client, path: string, expected: number | undefined): Promise<string[]> {
  if (expected === undefined || expected < offsetLimit) return (await openMemberList(client, path)).list();
  return idsOf(await byCheckpoint(fetchFrom(client, path, "user_id")));
}

/** The members with their names, in as many requests as their ids take. */
export async function readPeople(client: Client, path: string): Promise<Member[]> {
  return (await openList(fetchFrom(client, path, "user_id,name,email"))).list();
}

const idsOf = (members: readonly Member[]) => members.map(({ user_id: id }) => id);

function fetchFrom(client: Client, path: string, fields: Fields): Fetch {
  return async (query) => {
    const decoders = { 200: decodeMembers };
    const trimmed = { ...query, fields, include_fields: true };
    return pageOf(await client.send({ method: "GET", path, query: trimmed, bucket: "members-read", decoders }));
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
  const { total, list } = await openList(fetchFrom(client, path, "user_id"));
  return { total, list: async () => idsOf(await list()) };
}

async function openList(fetch: Fetch) {
  const first = await pageAt(fetch, 0);
  const total = (first.total ?? offsetLimit) < offsetLimit ? first.total : undefined;
  return {
    total,
    list: async () => (total === undefined ? undefined : await byOffset(fetch, first, total)) ?? byCheckpoint(fetch),
  };
}

const pageAt = (fetch: Fetch, page: number) => fetch({ page, per_page: pageSize, include_totals: true });

/** Undefined if the list changed while the pages were read. */
async function byOffset(fetch: Fetch, first: MemberPage, total: number): Promise<Member[] | undefined> {
  const count = createAllowance();
  count(first);
  const at = async (page: number) => {
    const read = await pageAt(fetch, page);
    count(read);
    return read;
  };
  const others = Array.from({ length: Math.max(0, Math.ceil(total / pageSize) - 1) }, (_, index) => at(index + 1));
  const pages = [first, ...(await Promise.all(others))];
  const members = new Map(pages.flatMap(({ items }) => items.map((one) => [one.user_id, one])));
  return members.size === total && pages.every((page) => page.total === total) ? [...members.values()] : undefined;
}

async function byCheckpoint(fetch: Fetch): Promise<Member[]> {
  const cursor = createCursor(
    (from) => fetch({ take: pageSize, from }),
    ({ user_id: id }: Member) => id,
  );
  while (!cursor.complete) await cursor.advance();
  return [...cursor.items.values()];
}
