/** The expectations of a provider configuration, which plans and writes share. */
import type { Expectation } from "../../impact/expectation/expectation";
import { createExpectationReview, type ReviewExpectations } from "./review";
import { expectationsIn } from "../provider-block/written-expectations";

export interface Expectations {
  readonly all: readonly Expectation[];
  readonly review: ReviewExpectations;
  /** The expectations of two provider configurations of one tenant. */
  with(other: Expectations): Expectations;
}

type Kind = Expectation["statement"]["kind"];

export const createExpectations = (written: unknown): Expectations => expectationsOf(expectationsIn(written));

function expectationsOf(all: readonly Expectation[]): Expectations {
  return { all, review: createExpectationReview(all), with: (other) => expectationsOf([...all, ...other.all]) };
}

/** The expectations that an apply enforces. It knows all values of the provider block. */
export const enforced = (expectations: readonly Expectation[], kind: Kind): Expectation[] =>
  expectations.filter(({ severity, statement }) => severity === "error" && statement.kind === kind);

/** Whether the expectation is about such objects, as far as that is known. */
export function isAbout({ statement }: Expectation, kind: Kind): boolean {
  return statement.kind === kind || (statement.kind === "requests" && typeof statement.requests === "symbol");
}
