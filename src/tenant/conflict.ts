/** The error for a write that an existing object prevents. */
import type { Departures } from "./departures";
import type { OtherCalls } from "./write-guard";
import { isTenantError, TenantError, type TenantErrorCode, type TenantErrorDetails } from "./error";

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

interface Creation<T> {
  /** Names the object, for messages: `network ACL key "x"`. */
  readonly noun: string;
  /** IDs of objects that this process manages. */
  readonly claimed: Set<string>;
  readonly departures: Departures;
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
  const { noun, claimed, departures, otherCalls, findExisting, isDuplicate } = creation;
  for (let unexplained = 0; ;) {
    try {
      const made = await create();
      claimed.add(made.id);
      return made;
    } catch (error) {
      if (!isTenantError(error, "conflict")) throw error;
      const existing = await findExisting();
      if (!existing) {
        if (++unexplained === unexplainedConflicts) throw error;
        continue;
      }
      const identical = isDuplicate(existing);
      claimed.add(existing.id);
      if (identical || !(await departures.hasLeft(existing.id, otherCalls))) {
        throw new Conflict(`The tenant has a ${noun} already: ${existing.id}.`, existing, identical, error);
      }
    }
  }
}
