/** The provider as it is shipped, as a process: how it begins, whom it lets in, how it ends. */
import { testProcessLife } from "../plugin/support/process-life";
import { executable } from "../support/installation";

testProcessLife(() => executable);
