// Members of an organization: read by the page, written ten at a time.
import type { Client } from "./client";
import { TenantError } from "./error";
import { segment } from "./id";

export interface OrganizationMembers {
  /** The user ids of all members. `expected`: how many there were when last seen. Throws not_found. */
  list(organizationId: string, expected?: number): Promise<string[]>;
  /**
   * Adds in batches of ten; `done` is told of each batch that took effect, also when a later one fails. Members that are
   * there already count as done.
   */
  add(organizationId: string, userIds: readonly string[], done?: (userIds: string[]) => void): Promise<void>;
  /** Removes in batches of ten; otherwise as `add`. */
  remove(organizationId: string, userIds: readonly string[], done?: (userIds: string[]) => void): Promise<void>;
}

/** Ids the service takes in one request. */
export const batchSize = 10;

const members = (organizationId: string) => `/organizations/${segment("organization", organizationId)}/members`;

export function createOrganizationMembers(client: Client): OrganizationMembers {
  const write = async (
    method: "POST" | "DELETE",
    organizationId: string,
    userIds: readonly string[],
    done: (userIds: string[]) => void,
  ) => {
    for (const batch of batches(userIds)) {
      await client.send({
        method,
        path: members(organizationId),
        body: { members: batch },
        bucket: "members-write",
        repeatable: true,
      });
      done(batch);
    }
  };

  return {
    async list(organizationId) {
      const ids: string[] = [];
      let from: string | undefined;
      do {
        const page = (await client.send({
          method: "GET",
          path: members(organizationId),
          query: { take: 100, fields: "user_id", include_fields: true, from },
          bucket: "members-read",
        })) as { members?: { user_id: string }[]; next?: string };
        if (!Array.isArray(page?.members)) {
          throw new TenantError("unreadable_answer", "The answer of the list has no members.");
        }
        ids.push(...page.members.map((member) => member.user_id));
        from = page.members.length > 0 ? page.next : undefined;
      } while (from);
      return [...new Set(ids)];
    },
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
