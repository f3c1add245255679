/** The shipped provider as a process: its start, its clients and its end. */
import { testProcessLife } from "../plugin/support/process-life";
import { executable } from "../support/installation";

testProcessLife(() => executable);
