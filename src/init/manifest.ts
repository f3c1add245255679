/** The package.json of a new project, and what an existing one lacks. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Cdk } from "../adopt/cdk";
import { typescriptProject } from "../adopt/project";
import { ownDependency } from "../install/own-package";
import { UserError } from "../text/user-error";

/** The forms that a project can have. */
export const languages = ["hcl", "cdktf", "cdktn"] as const;
export type Language = (typeof languages)[number];

export const codeHosts = ["github", "gitlab"] as const;
export type CodeHost = (typeof codeHosts)[number];

/** The runner of unit tests in TypeScript. */
export type Runner = "jest" | "vitest";

export interface Manifest {
  readonly name?: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly jest?: unknown;
}

const manifestFile = "package.json";

export const manifestText = (manifest: Manifest) => `${JSON.stringify(manifest, undefined, 2)}\n`;

/** undefined: the directory has none. */
export function readManifest(directory: string): Manifest | undefined {
  const file = path.join(directory, manifestFile);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UserError(`${file} cannot be read (${code}): make it a readable file, or name another folder.`);
  }
  try {
    const read: unknown = JSON.parse(text);
    if (isObject(read) && parts.every((part) => read[part] === undefined || isObject(read[part]))) return read;
  } catch {
    // The error below says the same for a text that is no JSON at all.
  }
  throw new UserError(`${file} is not the JSON of a package: correct the file, or name another folder.`);
}

const parts = ["scripts", "dependencies", "devDependencies"] as const;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The packages that the project names. */
export function namedIn(directory: string): ReadonlySet<string> {
  const { dependencies = {}, devDependencies = {} } = readManifest(directory) ?? {};
  return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
}

const runners: Readonly<Record<Runner, Readonly<Record<string, string>>>> = {
  jest: { "@swc/core": "^1.13.0", "@swc/jest": "^0.2.39", "@types/jest": "^30.0.0", jest: "^30.0.0" },
  vitest: { vitest: "^3.2.0" },
};

/** The package.json of a new project. `hasPlan`: whether the project has `plan.mjs`. */
export function manifestFor(directory: string, language: Language, runner: Runner, hasPlan: boolean): Manifest {
  const start: Manifest = JSON.parse(typescriptProject(directory, cdkOf(language), "main.ts")[manifestFile]!);
  const { name, scripts, dependencies, devDependencies } = start;
  const plan = hasPlan && { plan: "node plan.mjs" };
  if (language === "hcl") {
    return {
      name,
      private: true,
      scripts: { test: "node --test tenant.test.mjs", ...plan },
      devDependencies: { tenantform: ownDependency(directory) },
    };
  }
  return {
    name,
    private: true,
    scripts: { test: runner === "jest" ? "jest" : "vitest run", ...plan, ...scripts },
    dependencies,
    devDependencies: sorted({ ...devDependencies, ...runners[runner] }),
  };
}

const cdkOf = (language: Language): Cdk => (language === "hcl" ? "cdktf" : language);

const sorted = (versions: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(versions).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The entries that the package.json of the user does not have. */
export interface Missing {
  readonly scripts: Readonly<Record<string, string>>;
  /** Package names and versions. */
  readonly packages: Readonly<Record<string, string>>;
}

export function missingIn(existing: Manifest, wanted: Manifest): Missing {
  const have = { ...existing.dependencies, ...existing.devDependencies };
  const packages = { ...wanted.dependencies, ...wanted.devDependencies };
  const { test = "", ...scripts } = existing.scripts ?? {};
  const own = test === "" || test.includes(noTest) ? scripts : { test, ...scripts };
  return { scripts: without({ test: wanted.scripts!.test! }, own), packages: without(packages, have) };
}

/** `npm init` writes a script with this text. */
const noTest = "no test specified";

const without = (wanted: Readonly<Record<string, string>> = {}, existing: object = {}) =>
  Object.fromEntries(Object.entries(wanted).filter(([name]) => !Object.hasOwn(existing, name)));

/**
 * `npm install PACKAGE` in an empty folder writes a package.json with dependencies alone. Such a file gets the missing entries.
 * undefined: a person wrote this file, or it lacks nothing.
 */
export function completed(existing: Manifest, wanted: Manifest): Manifest | undefined {
  const generated = new Set(["dependencies", "devDependencies", "packageManager"]);
  if (Object.keys(existing).some((key) => !generated.has(key))) return undefined;
  const has = { ...existing.dependencies, ...existing.devDependencies };
  const dependencies = sorted({ ...without(wanted.dependencies, has), ...existing.dependencies });
  const devDependencies = sorted({ ...without(wanted.devDependencies, has), ...existing.devDependencies });
  const filled = Object.entries({ dependencies, devDependencies }).filter(
    ([, versions]) => Object.keys(versions).length > 0,
  );
  const rest = { ...wanted, ...existing, dependencies: undefined, devDependencies: undefined };
  return { ...rest, ...Object.fromEntries(filled) };
}
