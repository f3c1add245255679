/** Infers from the directory what the user did not choose. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { cdkFor, type Cdk } from "../adopt/cdk";
import { configurationFiles } from "../hcl/files";
import { UserError } from "../text/user-error";
import { codeHosts, languages, namedIn, type CodeHost, type Language, type Runner } from "./manifest";

export interface Choice<T> {
  readonly value: T;
  /** Why, for the output of the command. */
  readonly because: string;
}

export function languageFor(directory: string, given: string | undefined): Choice<Language> {
  if (given !== undefined) return { value: oneOf("--language", languages, given), because: "--language" };
  const named = namedIn(directory);
  const library = (["cdktf", "cdktn"] as const).find((name) => named.has(name));
  if (library) return { value: library, because: `package.json names ${library}` };
  if (configurationIn(directory).length > 0) {
    return { value: "hcl", because: "the folder has .tf files" };
  }
  return { value: cdkFor(directory), because: "--language chooses another" };
}

export const runnerFor = (directory: string): Runner => (namedIn(directory).has("vitest") ? "vitest" : "jest");

/** undefined: the user needs no pipeline. */
export function codeHostFor(directory: string, given: string | undefined): CodeHost | undefined {
  if (given === "none") return undefined;
  if (given !== undefined) return oneOf("--ci", [...codeHosts, "none"] as const, given) as CodeHost;
  const root = repositoryOf(directory) ?? directory;
  if ([root, directory].some((folder) => existsSync(path.join(folder, ".gitlab-ci.yml")))) return "gitlab";
  return /^\s*url\s*=.*gitlab/im.test(textOf(path.join(root, ".git/config"))) ? "gitlab" : "github";
}

/** The folder of the git repository that contains the directory. */
export function repositoryOf(directory: string): string | undefined {
  const folder = path.resolve(directory);
  if (existsSync(path.join(folder, ".git"))) return folder;
  const above = path.dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

/** The files of HCL in the directory itself. */
export const configurationIn = (directory: string): string[] =>
  existsSync(directory) ? configurationFiles(readdirSync(directory)) : [];

/** Empty if there is no such file. */
export function textOf(file: string): string {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : "";
}

function oneOf<T extends string>(option: string, known: readonly T[], given: string): T {
  const found = known.find((one) => one === given);
  if (found !== undefined) return found;
  throw new UserError(`${option} ${JSON.stringify(given)} is not known: choose ${known.join(", ")}.`);
}

export const isCdk = (language: Language): language is Cdk => language !== "hcl";
