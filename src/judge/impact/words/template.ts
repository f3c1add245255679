/** The words of one kind of facts. */
import type { Effect } from "../effect";

/** What a sentence needs beside the facts. */
export type Beside = Pick<Effect, "assumptions" | "cause" | "certainty">;

export interface Template<F> {
  /** One or more sentences. For an effect on people, one without the cause. */
  readonly sentence: (facts: F, beside: Beside) => string;
  /** Without entries of rules and names of people. Left out: the sentence has none. */
  readonly brief?: (facts: F, beside: Beside) => string;
  /** The people or requests, in the constants of the configuration. Left out: no people. */
  readonly who?: (facts: F) => string | undefined;
}
