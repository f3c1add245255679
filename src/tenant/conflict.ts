/** Creates that meet an existing object: their errors, waits until the object is deleted, and objects of creates whose response was lost. */
import { isTenantError, TenantError, type TenantErrorCode, type TenantErrorDetails } from "./error";
import { waitUntil, type OtherCalls, type Progress } from "./gate/progress";
import type { NetworkAcl, NetworkAclBody } from "./network-acl";
import type { Clock } from "./clock";
import type { Confirmation, Reply } from "./http/call";

/** The caller decides whether to adopt the existing object. */
export class Conflict<T extends { readonly id: string }> extends TenantError {
  constructor(
    message: string,
    readonly existing: T,
    /** Whether it equals the new object in everything, and nothing in this process manages it. */
    readonly identical: boolean,
    details: TenantErrorDetails,
    code: TenantErrorCode = "conflict",
  ) {
    super(code, message, details);
  }
}

/** What a network ACL should become. */
export type Wanted = Pick<NetworkAcl, "description" | "priority"> & Partial<NetworkAclBody>;

/** Another network ACL has the priority, and no change in this process moves it. */
export class PriorityTaken extends Conflict<Pick<NetworkAcl, "id" | "priority"> & Partial<NetworkAcl>> {
  constructor(
    { description, priority }: Wanted,
    holder: PriorityTaken["existing"],
    identical: boolean,
    details: TenantErrorDetails,
    /** The ACL as it is now, if it got another priority meanwhile. */
    readonly currentAcl?: NetworkAcl,
  ) {
    const other = holder.description === undefined ? holder.id : `"${holder.description}" (${holder.id})`;
    const now = currentAcl ? ` "${description}" has priority ${currentAcl.priority} for now.` : "";
    const words = `Network ACL ${other} already has priority ${priority}, which "${description}" needs.${now}`;
    super(words, holder, identical, details, "priority_taken");
  }
}

/** The ACL moved to a free priority, and the next write failed with the cause. */
export class SteppedAside extends Error {
  constructor(
    readonly currentAcl: NetworkAcl,
    options: { readonly cause: unknown },
  ) {
    super(`"${currentAcl.description}" has priority ${currentAcl.priority} for now`, options);
  }
}

interface Creation<T> {
  /** Names the object, for messages: `network ACL key "x"`. */
  readonly noun: string;
  /** IDs of objects that this process manages. */
  readonly managed: Set<string>;
  /** IDs of objects that this process deleted. Terraform deletes and creates in any order. */
  readonly deleted: ReadonlySet<string>;
  readonly progress: Progress;
  /** The other calls of Terraform. Default: they are not known. */
  readonly otherCalls?: OtherCalls | undefined;
  /** The object with the same unique value. */
  findExisting(): Promise<T | undefined>;
  isDuplicate(existing: T): boolean;
}

/** Creates that the service refuses although the existing object cannot be read. Such an object was deleted in between. */
const unexplainedConflicts = 3;

/**
 * Runs a create. If the service reports a conflict, waits some time for this process to delete the existing object, and then throws a
 * Conflict with it. An identical object is not waited for.
 */
export async function createOrConflict<T extends { readonly id: string }>(
  creation: Creation<T>,
  create: () => Promise<T>,
): Promise<T> {
  const { noun, managed, deleted, progress, otherCalls, findExisting, isDuplicate } = creation;
  for (let unexplained = 0; ;) {
    try {
      const made = await create();
      managed.add(made.id);
      return made;
    } catch (error) {
      if (!isTenantError(error, "conflict")) throw error;
      const existing = await findExisting();
      if (!existing) {
        if (++unexplained === unexplainedConflicts) throw error;
        continue;
      }
      const identical = isDuplicate(existing);
      managed.add(existing.id);
      if (identical || !(await waitUntil(() => deleted.has(existing.id), progress, otherCalls))) {
        throw new Conflict(`The tenant has a ${noun} already: ${existing.id}.`, existing, identical, error);
      }
    }
  }
}

/** The service rounds times to seconds. */
const tolerance = 2_000;

/**
 * Whether an object may come from an attempt that began `elapsed` milliseconds before. `createdAt` and `at` are both times of
 * the service's clock, so an error of the local clock does not matter.
 */
export function isRecent(createdAt: string, at: number, elapsed: number): boolean {
  return at - Date.parse(createdAt) <= elapsed + tolerance;
}

/** The first object of `fetch` that equals the created one and is not older than the create. */
export function findCreated<T extends { readonly created_at: string }>(
  clock: Pick<Clock, "now">,
  fetch: () => Promise<Reply<readonly T[]>>,
  isDuplicate: (existing: T) => boolean,
): Confirmation<T>["find"] {
  return async (since) => {
    const { body, at } = await fetch();
    const elapsed = clock.now() - since;
    return body.find((existing) => isRecent(existing.created_at, at, elapsed) && isDuplicate(existing));
  };
}
