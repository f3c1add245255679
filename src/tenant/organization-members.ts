/** Reads the members of an organization once, and adds and removes them in batches of ten. */
import type { Call } from "./http/call";
import type { Client } from "./http/client";
import { noBody } from "./http/json";
import { segment } from "./id";
import { openMemberList, readMembers, readPeople, type Member, type MemberList } from "./member-list";
import { createSnapshot, dropping, type Snapshot } from "./snapshot";

export interface OrganizationMembers {
  /**
   * The user ids of all members. Calls share the requests until a write to this organization. `expected`: how many members
   * there were in the last run. Throws not_found.
   */
  list(organizationId: string, expected?: number): Promise<string[]>;
  /** All members with their names. Takes as many requests as `list`, and shares none. Throws not_found. */
  people(organizationId: string): Promise<Member[]>;
  /** Reads the first page, which has the total. Throws not_found. */
  open(organizationId: string): Promise<MemberList>;
  /**
   * Adds users. A user who is a member already counts as added. Calls `done` for each batch that took effect, also if
   * another batch fails: then no more batches start, the others end, and the first error is thrown.
   */
  add(organizationId: string, userIds: readonly string[], done?: (userIds: string[]) => void): Promise<void>;
  /** Removes users. A user who is not a member counts as removed. Otherwise like `add`. */
  remove(organizationId: string, userIds: readonly string[], done?: (userIds: string[]) => void): Promise<void>;
}

/** IDs that the service accepts in one request. */
export const batchSize = 10;
/** Batches under way at once. */
const mostBatches = 8;

const pathOf = (organizationId: string) => `/organizations/${segment("organization", organizationId)}/members`;

export function createOrganizationMembers(client: Client): OrganizationMembers {
  const snapshots = new Map<string, Snapshot<string[]>>();

  /**
   * A batch whose response was lost can be sent again, because members stay members. If the service refuses the repetition, the
   * list shows whether the first request took effect.
   */
  const additionOf = (batch: readonly string[], path: string): Call<true>["confirmation"] => ({
    what: `added ${batch.length} members`,
    async find() {
      const members = new Set(await readMembers(client, path, undefined));
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
      await client.send({
        method,
        path,
        body: { members: batch },
        bucket: "members-write",
        decoders: { 204: noBody },
        idempotent: true,
        ...(method === "POST" && { confirmation: additionOf(batch, path) }),
      });
      done(batch);
    };
    await dropping({ drop: () => snapshots.delete(path) }, () => inParallel(batchesOf(userIds), send));
  };

  return {
    async list(organizationId, expected) {
      const path = pathOf(organizationId);
      const snapshot = snapshots.get(path) ?? createSnapshot(() => readMembers(client, path, expected));
      snapshots.set(path, snapshot);
      return [...(await snapshot.read())];
    },
    people: (organizationId) => readPeople(client, pathOf(organizationId)),
    open: (organizationId) => openMemberList(client, pathOf(organizationId)),
    add: (organizationId, userIds, done = () => {}) => write("POST", organizationId, userIds, done),
    remove: (organizationId, userIds, done = () => {}) => write("DELETE", organizationId, userIds, done),
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
