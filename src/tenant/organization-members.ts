/** Members of an organization: read once, written ten at a time. */
import type { Call } from "./http/call";
import type { Client } from "./http/client";
import { noBody } from "./http/json";
import { segment } from "./id";
import { openMemberList, readMembers, type MemberList } from "./member-list";
import { createSnapshot, dropping, type Snapshot } from "./snapshot";

export interface OrganizationMembers {
  /**
   * The user ids of all members, read once however many ask, until this organization is written to. `expected`: how many
   * there were when last seen. Throws not_found.
   */
  list(organizationId: string, expected?: number): Promise<string[]>;
  /** How many there are, by the first page; the rest is read when it is asked for, and anew each time. Throws not_found. */
  open(organizationId: string): Promise<MemberList>;
  /**
   * Adds in batches of ten; who is a member already counts as done. `done` is told of each batch that took effect, also
   * when another one fails: then no more are begun, those under way are waited for, and the first error is thrown.
   */
  add(organizationId: string, userIds: readonly string[], done?: (userIds: string[]) => void): Promise<void>;
  /** Removes in batches of ten; who is no member counts as done. Otherwise as `add`. */
  remove(organizationId: string, userIds: readonly string[], done?: (userIds: string[]) => void): Promise<void>;
}

/** Ids the service takes in one request. */
export const batchSize = 10;
/** Batches under way at once. */
const mostBatches = 8;

const members = (organizationId: string) => `/organizations/${segment("organization", organizationId)}/members`;

export function createOrganizationMembers(client: Client): OrganizationMembers {
  const snapshots = new Map<string, Snapshot<string[]>>();

  const write = async (
    method: "POST" | "DELETE",
    organizationId: string,
    userIds: readonly string[],
    done: (userIds: string[]) => void,
  ): Promise<void> => {
    const path = members(organizationId);
    const drop = () => snapshots.delete(path);
    await dropping({ drop }, () =>
      inParallel(batches(userIds), async (batch) => {
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
      }),
    );
  };

  /**
   * Adding is a union, so that a batch whose answer was lost can be sent again. What the service says to members who are
   * there already is not known, though: where it refuses the repetition, the list tells whether the first one took effect.
   */
  const additionOf = (batch: readonly string[], path: string): Call<true>["confirmation"] => ({
    what: `added ${batch.length} members`,
    async find() {
      const present = new Set(await readMembers(client, path, undefined));
      return batch.every((id) => present.has(id)) || undefined;
    },
  });

  return {
    async list(organizationId, expected) {
      const path = members(organizationId);
      const snapshot = snapshots.get(path) ?? createSnapshot(() => readMembers(client, path, expected));
      snapshots.set(path, snapshot);
      return [...(await snapshot.read())];
    },
    open: (organizationId) => openMemberList(client, members(organizationId)),
    add: (organizationId, userIds, done = () => {}) => write("POST", organizationId, userIds, done),
    remove: (organizationId, userIds, done = () => {}) => write("DELETE", organizationId, userIds, done),
  };
}

function batches(userIds: readonly string[]): string[][] {
  const unique = [...new Set(userIds)];
  return Array.from({ length: Math.ceil(unique.length / batchSize) }, (_, index) =>
    unique.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/** The first by itself, since what is wrong with it is mostly wrong with all; the others side by side. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const first = left.shift();
  if (first === undefined) return;
  await work(first);
  let failure: { error: unknown } | undefined;
  const lane = async () => {
    for (let item = left.shift(); item !== undefined && !failure; item = left.shift()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: mostBatches }, lane));
  if (failure) throw failure.error;
}
