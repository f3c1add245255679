/** The objects of one kind that a plan changes, as expectations about them see the change. */
import type { Expectation } from "../../impact/expectation/expectation";
import type { StatedObject, TenantState } from "../../impact/expectation/judge";
import type { JudgedCause } from "../../impact/expectation/judged";
import type { Values } from "../../impact/model";
import type { RateLimitPolicy } from "../../tenant/rate-limit-policies";

export interface States {
  readonly before: TenantState;
  readonly after: TenantState;
}

export interface Subject {
  /** Tells apart the groups of objects that are judged together. */
  readonly topic: string;
  /** The plan leaves the object as it is, so its review says only which expectations are broken already. */
  readonly isKept: boolean;
  /** The attribute that messages point to. */
  readonly attribute: string;
  concerns(expectation: Expectation): boolean;
  /** The changes that are planned so far. Equal parts mean equal states. */
  version(): readonly unknown[];
  /** The state before the plan, and after everything that is planned so far. */
  states(): States;
  /** Whether a written value is known only after the apply. */
  isOpen(): boolean;
  /** How many objects the states have. */
  readonly size: number;
  /** Whether the cause is the object of this change. */
  isMine(cause: JudgedCause): boolean;
}

export function statedPolicy({ id, ...values }: RateLimitPolicy): StatedObject {
  return { id, values: values as object as Values };
}
