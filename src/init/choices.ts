/** Infers from the directory what the user did not choose. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { cdkFor, type Cdk } from "../adopt/cdk";
import { configurationFiles } from "../hcl/files";
import { isDomain } from "../resources/provider-block/root";
import { UserError } from "../text/user-error";
import { codeHosts, languages, namedIn, type CodeHost, type Language, type Runner } from "./manifest";

export interface Choice<T> {
  readonly value: T;
  /** Why, for the output of the command. */
  readonly because: string;
}

export function languageFor(directory: string, given: string | undefined): Choice<Language> {
  if (given === "typescript") return { value: cdkFor(directory), because: "the library for --language typescript" };
  if (given !== undefined && !languages.some((one) => one === given)) {
    throw new UserError(
      `--language ${JSON.stringify(given)} is not known: choose typescript or hcl (or the library: cdktf, cdktn).`,
    );
  }
  if (given !== undefined) return { value: given as Language, because: "--language" };
  const named = namedIn(directory);
  const library = (["cdktf", "cdktn"] as const).find((name) => named.has(name));
  if (library) return { value: library, because: `package.json names ${library}` };
  const because = configurationIn(directory).length > 0 ? "the folder has .tf files" : "--language chooses another";
  return { value: "hcl", because };
}

/** The domain of TENANT_DOMAIN. Throws an UserError without the value, which may hold a password, if that is no host name. */
export function domainIn({ TENANT_DOMAIN: domain }: NodeJS.ProcessEnv): string | undefined {
  if (!domain || isDomain(domain)) return domain || undefined;
  throw new UserError(
    "TENANT_DOMAIN is no host name: give the bare host name, such as acme.eu.auth0.com, without https:// and path.",
  );
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
