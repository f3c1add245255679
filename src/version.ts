/** The product's version, as package.json has it. */
import { readFileSync } from "node:fs";
import path from "node:path";

// A bundle stands alone, without package.json: there the build puts the version in place of this name.
declare const bundledVersion: string | undefined;

export const version: string =
  typeof bundledVersion === "string"
    ? bundledVersion
    : (JSON.parse(readFileSync(path.join(__dirname, "../package.json"), "utf8")) as { version: string }).version;
