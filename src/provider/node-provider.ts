/** Loads tenant-calls.ts in Node, where the build puts it into a file of its own: with settings for V8 and a cache for compiled code. */
import * as nodeModule from "node:module";
import { setFlagsFromString } from "node:v8";
import { cacheFolder } from "./plugin/cache-folder";

const flags = [
  // V8 would let the space for new objects grow from 1 MB to 16 MB. A process needs 1 MB: this saves 8 MB at the peak of 100 creates.
  "--semi-space-growth-factor=1",
  // Most functions of a short process do not repay their optimization: 4 MB. A long proof is still optimized, 40 times later.
  "--interrupt-budget=5000000",
  // Node 20 would compile undici's parser (WebAssembly) a second time: 70 ms of processor time and 35 MB for a few kilobytes of input.
  "--liftoff-only",
];

/** Since Node 22.8. Node itself obeys NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE. */
const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };

// Only now, because V8 rejects compiled code that was cached under other flags: also the code that Node brings for its own modules.
for (const flag of flags) setFlagsFromString(flag);
const folder = enableCompileCache && cacheFolder("node", process.env);
if (folder) enableCompileCache(folder);

export const { tenantCalls } = require("./provider.cjs") as typeof import("./tenant-calls");
