/** The words of one kind of facts. */
import type { Effect } from "../effect";

export interface Template<F> {
  /** One or more sentences. For an effect on people, one without the cause. */
  readonly sentence: (facts: F, effect: Effect) => string;
  /** Without entries of rules and names of people. Left out: the sentence has none. */
  readonly brief?: (facts: F, effect: Effect) => string;
  /** The people or requests, in the constants of the configuration. Left out: no people. */
  readonly who?: (facts: F, effect: Effect) => string | undefined;
}
