/** Reads the members of an organization with the fewest requests, and adds and removes them in batches of ten. */
import { type Call, type Decoder, hasFields, isRecord, noBody } from "./http/call";
import type { Client } from "./http/client";
import { isWithoutEffect } from "./error";
import { segment } from "./id";
import { createCursor, createSnapshot, dropping, isCursor, type Page, pageSize, type Snapshot } from "./cursor";

export interface OrganizationMembers {
  /**
   * The user ids of all members in the Unicode form NFC, by which `add` and `remove` know them. Calls share the requests until a write to
   * this organization. `expected`: how many members there were in the last run. Throws not_found.
   */
  list(organizationId: string, expected?: number): Promise<string[]>;
  /** Throws not_found if the tenant has no such organization. */
  confirm(organizationId: string): Promise<void>;
  /** All members with their names. Takes as many requests as `list`, and shares none. Throws not_found. */
  people(organizationId: string): Promise<Member[]>;
  /**
   * Adds users. A user who is a member already counts as added. Calls `done` for each batch that took effect, or may have, also if a
   * batch fails: then no more batches start, the others end, and the first error is thrown.
   */
  add(organizationId: string, userIds: readonly string[], done?: (userIds: string[]) => void): Promise<void>;
  /** Removes users. A user who is not a member counts as removed. `done` is called for batches that certainly took effect. */
  remove(organizationId: string, userIds: readonly string[], done?: (userIds: string[]) => void): Promise<void>;
  /** Does the work after all earlier work on this organization. `removed`: the ids that earlier work removed; each adds its own. */
  inTurn<T>(organizationId: string, work: (removed: Set<string>) => Promise<T>): Promise<T>;
}

/** IDs that the service accepts in one request. */
const batchSize = 10;
/** Batches under way at once. */
const mostBatches = 8;

const pathOf = (organizationId: string) => `/organizations/${segment("organization", organizationId)}/members`;

export function createOrganizationMembers(client: Client): OrganizationMembers {
  const snapshots = new Map<string, Snapshot<string[]>>();
  /** Terraform has each id in the Unicode form NFC. The tenant takes only its own spelling. */
  const spellings = new Map<string, string>();
  const spelled = (id: string) => spellings.get(id) ?? id;
  const turns = new Map<string, { readonly removed: Set<string>; last: Promise<unknown> }>();

  const fetchFrom =
    (path: string, fields: Fields): Fetch =>
    async (query) => {
      const decoders = { 200: decodeMembers };
      const trimmed = { ...query, fields, include_fields: true };
      const { body } = await client.send({ method: "GET", path, query: trimmed, bucket: "members-read", decoders });
      const items = body.items.map((member) => {
        const id = member.user_id.normalize();
        if (id !== member.user_id) spellings.set(id, member.user_id);
        return { ...member, user_id: id };
      });
      return { ...body, items };
    };

  /**
   * A batch whose response was lost can be sent again, because members stay members. If the service refuses the repetition, the
   * list shows whether the first request took effect.
   */
  const additionOf = (batch: readonly string[], path: string): Call<true>["confirmation"] => ({
    what: `added ${batch.length} members`,
    async find() {
      const members = new Set(await readMembers(fetchFrom(path, "user_id"), undefined));
      return batch.every((id) => members.has(id)) || undefined;
    },
  });

  const write = async (
    method: "POST" | "DELETE",
    organizationId: string,
    userIds: readonly string[],
    done: (userIds: string[]) => void,
  ): Promise<void> => {
    const path = pathOf(organizationId);
    const send = async (batch: string[]) => {
      const call: Call<true> = {
        method,
        path,
        body: { members: batch.map(spelled) },
        bucket: "members-write",
        decoders: { 204: noBody },
        idempotent: true,
        ...(method === "POST" && { confirmation: additionOf(batch, path) }),
      };
      try {
        await client.send(call);
      } catch (error) {
        if (method === "POST" && !isWithoutEffect(error)) done(batch);
        throw error;
      }
      done(batch);
    };
    await dropping({ drop: () => snapshots.delete(path) }, () => inParallel(batchesOf(userIds), send));
  };

  return {
    async list(organizationId, expected) {
      const path = pathOf(organizationId);
      const fetch = fetchFrom(path, "user_id");
      const snapshot = snapshots.get(path) ?? createSnapshot(() => readMembers(fetch, expected));
      snapshots.set(path, snapshot);
      return [...(await snapshot.read())];
    },
    async confirm(organizationId) {
      const path = pathOf(organizationId);
      if (!snapshots.has(path)) await fetchFrom(path, "user_id")({ page: 0, per_page: 1, include_totals: true });
    },
    people: (organizationId) => readAll(fetchFrom(pathOf(organizationId), "user_id,name,email")),
    add: (organizationId, userIds, done = () => {}) => write("POST", organizationId, userIds, done),
    remove: (organizationId, userIds, done = () => {}) => write("DELETE", organizationId, userIds, done),
    inTurn(organizationId, work) {
      const turn = turns.get(organizationId) ?? { removed: new Set(), last: Promise.resolve() };
      turns.set(organizationId, turn);
      const result = turn.last.then(() => work(turn.removed));
      turn.last = result.catch(() => {});
      return result;
    },
  };
}

function batchesOf(userIds: readonly string[]): string[][] {
  const left = [...new Set(userIds)];
  const batches: string[][] = [];
  while (left.length > 0) batches.push(left.splice(0, batchSize));
  return batches;
}

/** Runs the first alone, because its error mostly concerns all. The others run in parallel. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const first = left.shift();
  if (first === undefined) return;
  await work(first);
  let failure: { error: unknown } | undefined;
  const worker = async () => {
    for (let item = left.shift(); item !== undefined && !failure; item = left.shift()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: mostBatches }, worker));
  if (failure) throw failure.error;
}

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
async function readMembers(fetch: Fetch, expected: number | undefined): Promise<string[]> {
  const isLong = expected !== undefined && expected >= offsetLimit;
  return idsOf(await (isLong ? byCheckpoint(fetch) : readAll(fetch)));
}

const idsOf = (members: readonly Member[]) => members.map(({ user_id: id }) => id);

/** The first page has the total. */
async function readAll(fetch: Fetch): Promise<Member[]> {
  const first = await pageAt(fetch, 0);
  const { total = offsetLimit } = first;
  return (total < offsetLimit ? await byOffset(fetch, first, total) : undefined) ?? byCheckpoint(fetch);
}

const pageAt = (fetch: Fetch, page: number) => fetch({ page, per_page: pageSize, include_totals: true });

/** Undefined if the list changed while the pages were read. */
async function byOffset(fetch: Fetch, first: MemberPage, total: number): Promise<Member[] | undefined> {
  const others = Array.from({ length: Math.max(0, Math.ceil(total / pageSize) - 1) }, (_, index) =>
    pageAt(fetch, index + 1),
  );
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
