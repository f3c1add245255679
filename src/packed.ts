/** In place of provider.ts in the script: the provider as the script's last comment, compiled when it is first needed. */
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { codeCache } from "./code-cache";

// Of the comment; the build puts a digest of it in place of this name.
declare const packedDigest: string;

/** Milliseconds after which most of what a process needs has run, and is worth keeping. */
const warm = 100;
/**
 * The space for new objects would grow from 1 MB to 16, twice, while what a process needs fits into the first: 8 MB at the peak of
 * 100 creates, for a tenth of its work at most. Set before any code is compiled: kept code is checked against the flags.
 */
const thrift = "--semi-space-growth-factor=1";
/**
 * undici's parser is WebAssembly. Node 20 would compile it a second time in the background: 70 ms of processor time and 35 MB,
 * to speed up the parsing of a few kilobytes.
 */
const compileOnce = "--liftoff-only";
const opening = "\n/*provider:";

function unpack(): typeof import("./provider") {
  const script = readFileSync(__filename, "latin1");
  const start = script.lastIndexOf(opening) + opening.length;
  const code = script.slice(start, script.lastIndexOf("*/")).replaceAll("*\u0001/", "*/");
  for (const flag of [thrift, compileOnce]) setFlagsFromString(flag);
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
