/** Judges expectations on the state of a tenant before and after a change. */
import type { PlannedAcl } from "../network-acl/acl";
import type { Values } from "../model";
import type { Expectation } from "./expectation";
import type { JudgedExpectation } from "./judged";

/** Everything that expectations speak of. Left out: it was not read, so expectations about it are undecided. */
export interface TenantState {
  /** All ACLs of the tenant, unmanaged ones included. */
  readonly acls?: readonly PlannedAcl[];
  /** Rate limit policies, with symbols for unknown values. `address`, `plan` and `id` tell which object they are. */
  readonly policies?: readonly StatedObject[];
  /** Member sets; each has `organization_id` and `members`. */
  readonly members?: readonly StatedObject[];
  /** Why the tenant may have further objects, in words. Nothing is held then. */
  readonly doubt?: string;
}

export interface StatedObject {
  readonly address?: string;
  readonly plan?: string;
  readonly id?: string;
  readonly values: Values;
}

/** One judgement for each expectation, in the same order. `before`: left out if it is not known. */
export function judgeExpectations(
  expectations: readonly Expectation[],
  states: { readonly before?: TenantState; readonly after: TenantState },
): JudgedExpectation[] {
  return expectations.map((expectation) => ({
    expectation,
    verdict: "undecided",
    text: states.after.doubt ?? "This is not judged yet.",
    cause: [],
    assumptions: [],
  }));
}
