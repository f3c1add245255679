/** Chooses the CDK library that a stack is written for. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const libraries = ["cdktf", "cdktn"] as const;
export type Cdk = (typeof libraries)[number];

/** Why a program with the library cannot run, and the remedy. undefined: it can. */
export function obstacleFor(directory: string, cdk: Cdk): string | undefined {
  const missing = [cdk, "constructs"].filter((name) => !canFind(directory, name));
  if (missing.length === 0) return undefined;
  const are = missing.length > 1 ? "are" : "is";
  return (
    `A stack in TypeScript needs ${missing.join(" and ")}, which ${are} not installed. ` +
    `Run \`npm install ${missing.join(" ")}\` first, or write HCL with \`--to hcl\`.`
  );
}

function canFind(directory: string, name: string): boolean {
  return [path.resolve(directory, "_"), __filename].some((from) => canResolve(createRequire(from), name));
}

/** The library that the project names, else the library that is installed there or with this package. */
export function cdkFor(directory: string): Cdk {
  const named = namedIn(path.join(directory, "package.json"));
  const own = createRequire(__filename);
  const theirs = createRequire(path.resolve(directory, "_"));
  return (
    libraries.find((library) => named.has(library)) ??
    libraries.find((library) => canResolve(theirs, library)) ??
    libraries.find((library) => canResolve(own, library)) ??
    "cdktf"
  );
}

function namedIn(file: string): Set<string> {
  try {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, "utf8")) as {
      dependencies?: object;
      devDependencies?: object;
    };
    return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  } catch {
    return new Set();
  }
}

function canResolve(from: NodeJS.Require, name: string): boolean {
  try {
    return Boolean(from.resolve(name));
  } catch {
    return false;
  }
}
