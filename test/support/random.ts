/** fast-check with the seed of the run. */
import fc from "fast-check";
import { seed } from "./seed";

fc.configureGlobal({ seed });

export default fc;
