/** Put before each test file: a property that has failed is not shrunk, for nobody reads it. */
import fc from "fast-check";

fc.configureGlobal({ endOnFailure: true });
