/** The expectations of a provider configuration, which plans and writes share. */
import type { Expectation } from "../../impact/statement/statement";
import type { NetworkAclBody } from "../../tenant/network-acls";
import type { RateLimitPolicyBody } from "../../tenant/rate-limit-policies";
import type { ReviewExpectations } from "./review";
import { expectationsIn } from "../provider-block/expectation";

export interface Expectations {
  readonly all: readonly Expectation[];
  readonly review: ReviewExpectations;
  readonly successors: Successors;
}

/**
 * The objects that this apply creates in place of ones that it deletes first. Until they are there, each write is judged as if they
 * were, because a replacement is one change.
 */
export interface Successors {
  readonly acls: Set<NetworkAclBody>;
  readonly policies: Set<RateLimitPolicyBody>;
}

type Kind = Expectation["statement"]["kind"];

export function createExpectations(written: unknown): Expectations {
  const all = expectationsIn(written);
  return { all, review: lateReview(all), successors: { acls: new Set(), policies: new Set() } };
}

/** Loaded with the first review, because most configurations have no expectation. */
function lateReview(all: readonly Expectation[]): ReviewExpectations {
  let made: Promise<ReviewExpectations> | undefined;
  return async (...given) => {
    made ??= import("./review.js").then(({ createExpectationReview }) => createExpectationReview(all));
    return (await made)(...given);
  };
}

/** Does the work while writes are judged as if the successor were there, and keeps it so unless the work fails. */
export async function announcing<T>(successors: Set<T>, successor: T | undefined, work: () => Promise<void>) {
  if (successor !== undefined) successors.add(successor);
  try {
    await work();
  } catch (error) {
    if (successor !== undefined) successors.delete(successor);
    throw error;
  }
}

/** The expectations that an apply enforces. It knows all values of the provider block. */
export const enforced = (expectations: readonly Expectation[], kind: Kind): Expectation[] =>
  expectations.filter(({ severity, statement }) => severity === "error" && statement.kind === kind);

/** Whether the expectation is about such objects, as far as that is known. */
export function isAbout({ statement }: Expectation, kind: Kind): boolean {
  return statement.kind === kind || (statement.kind === "requests" && typeof statement.requests === "symbol");
}
