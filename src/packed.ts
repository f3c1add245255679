/** In place of provider.ts in the script: the provider as the script's last comment, compiled when it is first needed. */
import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { codeCache } from "./code-cache";

// Of the comment; the build puts a digest of it in place of this name.
declare const packedDigest: string;

/** Milliseconds after which most of what a process needs has run, and is worth keeping. */
const warm = 100;
const opening = "\n/*provider:";

function unpack(): typeof import("./provider") {
  const script = readFileSync(__filename, "latin1");
  const start = script.lastIndexOf(opening) + opening.length;
  const code = script.slice(start, script.lastIndexOf("*/")).replaceAll("*\u0001/", "*/");
  const cache = codeCache(`${packedDigest}-${process.version}-${process.arch}`);
  const cachedData = cache.read();
  const compiled = new Script(`(function (module, require) {${code}\n})`, { filename: __filename, cachedData });
  if (cachedData === undefined || compiled.cachedDataRejected) {
    setTimeout(() => cache.keep(compiled.createCachedData()), warm).unref();
  }
  const module = { exports: {} };
  compiled.runInThisContext()(module, require);
  return module.exports as typeof import("./provider");
}

export const { tenantCalls } = unpack();
