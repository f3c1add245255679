/** Which of the two hosts a stack is for. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Host } from "./typescript";

const hosts = ["cdktf", "cdktn"] as const;

/** The one that the project names; else the one that is installed there, or with this package; cdktf where both are. */
export function hostFor(directory: string): Host {
  const named = namedIn(path.join(directory, "package.json"));
  const own = createRequire(__filename);
  const theirs = createRequire(path.resolve(directory, "_"));
  return (
    hosts.find((host) => named.has(host)) ??
    hosts.find((host) => canResolve(theirs, host)) ??
    hosts.find((host) => canResolve(own, host)) ??
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
