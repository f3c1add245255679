/** Runs before each test file: fast-check need not shrink a counterexample that nobody reads. */
import fc from "fast-check";

fc.configureGlobal({ endOnFailure: true });
