/** The states of a tenant before a plan, and after everything that it has planned so far. */
import { apply, stateOf, type ObjectChange, type States, type TenantState } from "../../impact/state";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { NetworkAcl } from "../../tenant/network-acls";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";

type Changes = readonly Pick<PlannedChange, "identity" | "planned">[];

export type PlanStates = Required<States>;

export const aclStates = (acls: readonly NetworkAcl[], changes: Changes): PlanStates => {
  const before = stateOf({ acls });
  return { before, after: statesAfter(before, "acls", changes) };
};

export const policyStates = (policies: readonly RateLimitPolicy[], changes: Changes): PlanStates => {
  const before = stateOf({ policies });
  return { before, after: statesAfter(before, "policies", changes) };
};

export function statesAfter(before: TenantState, kind: ObjectChange["kind"], changes: Changes): TenantState {
  return changes.reduce<TenantState>(
    (state, { identity, planned }, index) =>
      apply(state, { kind, name: nameOf(index), id: (identity as { readonly id?: unknown })?.id, values: planned }),
    before,
  );
}

/** Terraform does not tell a provider the address of a resource. `index`: of the change. */
export const nameOf = (index: number): string => `change ${index + 1}`;
