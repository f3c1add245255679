/** Chooses the CDK library that a stack is written for. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const libraries = ["cdktf", "cdktn"] as const;
export type Cdk = (typeof libraries)[number];

/** The language of the files in the directory; TypeScript by default. */
export const languageIn = (directory: string): "typescript" | "hcl" =>
  existsSync(directory) && readdirSync(directory).some((file) => file.endsWith(".tf")) ? "hcl" : "typescript";

/** Why a program with the library cannot run, and the remedy. undefined: it can. */
export function obstacleFor(directory: string, cdk: Cdk): string | undefined {
  const places = [path.resolve(directory), __dirname];
  const missing = [cdk, "constructs"].filter((name) => !places.some((from) => isInstalled(from, name)));
  if (missing.length === 0) return undefined;
  const are = missing.length > 1 ? "are" : "is";
  return (
    `A stack in TypeScript needs ${missing.join(" and ")}, which ${are} not installed. ` +
    `Run \`npm install ${missing.join(" ")}\` first, or write HCL with \`--to hcl\`.`
  );
}

/** The library that the project names, else the library that is installed there or with this package. */
export function cdkFor(directory: string): Cdk {
  const named = namedIn(path.join(directory, "package.json"));
  return (
    libraries.find((library) => named.has(library)) ??
    libraries.find((library) => isInstalled(path.resolve(directory), library)) ??
    libraries.find((library) => isInstalled(__dirname, library)) ??
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

/** Node 20 remembers that it did not find a package, so its lookup would fail after `npm install` in the same process. */
function isInstalled(directory: string, name: string): boolean {
  if (existsSync(path.join(directory, "node_modules", name, "package.json"))) return true;
  const parent = path.dirname(directory);
  return parent !== directory && isInstalled(parent, name);
}
