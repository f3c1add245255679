/** The error for a write that an existing object prevents. */
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
  /** The object with the same unique value. */
  findExisting(): Promise<T | undefined>;
  isDuplicate(existing: T): boolean;
}

/** Runs a create. If the service reports a conflict, throws a Conflict with the existing object. */
export async function createOrConflict<T extends { readonly id: string }>(
  { noun, claimed, findExisting, isDuplicate }: Creation<T>,
  create: () => Promise<T>,
): Promise<T> {
  try {
    const made = await create();
    claimed.add(made.id);
    return made;
  } catch (error) {
    if (!isTenantError(error, "conflict")) throw error;
    const existing = await findExisting();
    if (!existing) throw error;
    const identical = isDuplicate(existing);
    claimed.add(existing.id);
    throw new Conflict(`The tenant has a ${noun} already: ${existing.id}.`, existing, identical, error);
  }
}
