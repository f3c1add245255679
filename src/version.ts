/** The version in package.json. */
import { readFileSync } from "node:fs";
import path from "node:path";

// A bundle has no package.json, so the build replaces this name by the version.
declare const bundledVersion: string | undefined;

export const version: string =
  typeof bundledVersion === "string"
    ? bundledVersion
    : (JSON.parse(readFileSync(path.join(__dirname, "../package.json"), "utf8")) as { version: string }).version;
