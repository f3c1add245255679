/** The judgement of an expectation: whether it holds after a change, with the proof. */
import type { PlannedAcl } from "../network-acl/acl";
import type { Witness } from "../network-acl/witness";
import type { Expectation } from "./expectation";

export interface JudgedExpectation {
  readonly expectation: Expectation;
  /** Held is a proof about the given objects. The caller says if the tenant may have others. */
  readonly verdict: "held" | "broken" | "undecided";
  /** It was broken before the change, and the change makes it no worse. */
  readonly already?: true;
  /** One or two sentences: a counterexample with its outcome and the object that decides it, or why it is not decided. */
  readonly text: string;
  /** What a statement that holds does not cover, in a sentence. */
  readonly uncovered?: string;
  /** A request that has another outcome. */
  readonly counterexample?: Witness;
  /** The objects that decide the counterexample, or whose limit or members break the expectation. */
  readonly cause: readonly JudgedCause[];
  /** The assumptions under which it is broken, or on which it depends, in words. */
  readonly assumptions: readonly string[];
}

/** Without an address: an unmanaged object. */
export interface JudgedCause {
  readonly address?: string;
  readonly plan?: string;
  readonly id?: string;
  /** The object in words: `ACL "Wall" with priority 90`. */
  readonly words: string;
  readonly acl?: PlannedAcl;
}

/** A judgement of policies or members, which several states are compared by. */
export interface Judged extends Omit<JudgedExpectation, "expectation"> {
  /** How far each thing is from the statement. */
  readonly offences: ReadonlyMap<string, number>;
}
