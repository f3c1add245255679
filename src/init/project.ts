/** Collects the files of a new project. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { blocksIn } from "../hcl/files";
import { Unreadable, type Block } from "../hcl/tree";
import { isThere } from "../adopt/files";
import type { Cdk } from "../adopt/cdk";
import { providerIn } from "../adopt/configuration";
import { gitignore, requirementTf, typescriptProject } from "../adopt/project";
import { UserError } from "../text/user-error";
import { codeHostFor, configurationIn, isCdk, repositoryOf, runnerFor, textOf } from "./choices";
import type { Manager } from "./manager";
import { manifestFor, manifestText, readManifest, type Language, type Manifest, type Runner } from "./manifest";
import { filled, isWritable, pipelineFile, pipelineFiles } from "./pipeline";

export interface Wanted {
  /** Path -> content, package.json included. */
  readonly files: ReadonlyMap<string, string>;
  readonly manifest: Manifest;
  /** The file with the jobs of the code host. */
  readonly pipeline: string | undefined;
  /** Files of the user that belong to the same configuration. */
  readonly others: readonly string[];
}

interface Wishes {
  readonly adopt?: boolean;
  readonly ci?: string;
  /** The tenant, if the environment names one. */
  readonly domain?: string | undefined;
}

/** The plan of another tenant says that this domain must be replaced. */
const exampleDomain = "acme.eu.auth0.com";

export function wantedFiles(directory: string, language: Language, manager: Manager, wishes: Wishes): Wanted {
  const isAdopted = wishes.adopt === true;
  const runner = runnerFor(directory);
  const hasPlan = !(isAdopted && isCdk(language));
  const manifest = manifestFor(directory, language, runner, hasPlan);
  const others = language === "hcl" ? configurationIn(directory) : [];
  const existing = others.map((file) => blocksAt(path.join(directory, file)));
  const jobs = pipelineOf(directory, language, manager, wishes.ci);
  const domain = wishes.domain || exampleDomain;
  const files = {
    ...(isCdk(language)
      ? cdkFiles(directory, language, runner, isAdopted, domain)
      : hclFiles(existing, isAdopted, domain)),
    ...(hasPlan && { "plan.mjs": planMjs(language) }),
    "package.json": manifestText(manifest),
    ...jestSettings(directory, language, runner),
    ".gitignore": `${gitignore[language === "hcl" ? "hcl" : "typescript"]}${ignored[language]}`,
    ...jobs.files,
  };
  return { files: new Map(Object.entries(files)), manifest, pipeline: jobs.main, others };
}

/** The stack and its test in TypeScript. */
function cdkFiles(
  directory: string,
  cdk: Cdk,
  runner: Runner,
  isAdopted: boolean,
  domain: string,
): Record<string, string> {
  const { "cdktf.json": settings = "", "tsconfig.json": compiler = "" } = typescriptProject(directory, cdk, "main.ts");
  const { compilerOptions, ...rest } = JSON.parse(compiler) as { compilerOptions: object };
  const types = runner === "jest" ? ["node", "jest"] : ["node"];
  // The runner compiles each file alone.
  const options = { ...compilerOptions, isolatedModules: true, types };
  const vitest = runner === "vitest" ? 'import { expect, test } from "vitest";\n' : "";
  const values = { cdk, runner, vitest, domain: JSON.stringify(domain) };
  return {
    "cdktf.json": settings,
    "tsconfig.json": `${JSON.stringify({ compilerOptions: options, ...rest }, undefined, 2)}\n`,
    ...(!isAdopted && { "main.ts": filled("cdk/main.ts", values), "tenant.ts": filled("cdk/tenant.ts", values) }),
    // An adopted stack gets tests that are true for every tenant in use: nobody knows yet what must stay true for this one.
    "tenant.test.ts": filled(isAdopted ? "cdk/adopted.test.ts" : "cdk/tenant.test.ts", values),
  };
}

/** The stack and its test in HCL. `existing`: the blocks of each file of the user's configuration. */
function hclFiles(existing: readonly (readonly Block[])[], isAdopted: boolean, domain: string): Record<string, string> {
  const provider = providerIn(existing.flat());
  if (isAdopted || provider === "declared") return { "tenant.test.mjs": filled("hcl/adopted.test.mjs") };
  const backend = "\n  # Add a backend, so that your pipeline finds the state.\n}\n\n";
  // A configuration requires its providers in one place, and an override adds to it.
  const isTaken = provider === "required";
  const terraform = isTaken ? "" : requirementTf.replace(/\}\n$/, backend);
  return {
    [existing.length === 0 ? "main.tf" : "tenant.tf"]: filled("hcl/tenant.tf", {
      terraform,
      domain: JSON.stringify(domain),
    }),
    ...(isTaken && { "tenant_override.tf": requirementTf }),
    "tenant.test.mjs": filled("hcl/tenant.test.mjs"),
  };
}

/** The script that plans the stack on an embedded tenant. */
const planMjs = (language: Language) =>
  isCdk(language)
    ? filled("plan.mjs", { copy: "", prepare: filled("cdk/prepare.mjs") })
    : filled("plan.mjs", { copy: "cpSync, ", prepare: filled("hcl/prepare.mjs") });

function blocksAt(file: string): readonly Block[] {
  try {
    return blocksIn(textOf(file), file);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new UserError(
      `${file} is not a configuration (${error.message.replace(/\.$/, "")}): correct the file first.`,
    );
  }
}

function pipelineOf(directory: string, language: Language, { name: manager }: Manager, ci: string | undefined) {
  const repository = path.resolve(repositoryOf(directory) ?? directory);
  const below = path.relative(repository, path.resolve(directory)).split(path.sep).join("/") || ".";
  const codeHost = codeHostFor(directory, ci);
  if (codeHost === undefined || !isWritable(below)) return { files: {}, main: undefined };
  const top = path.join(repository, ".gitlab-ci.yml");
  // A file that init wrote before has these jobs.
  const isIncluded = isThere(top) && !textOf(top).includes("review tenant:");
  const pipeline = { codeHost, language, manager, below, isIncluded };
  return { files: pipelineFiles(pipeline), main: pipelineFile(pipeline) };
}

/** Jest refuses settings in two places. */
function jestSettings(directory: string, language: Language, runner: Runner): Record<string, string> {
  if (!isCdk(language) || runner !== "jest" || readManifest(directory)?.jest !== undefined) return {};
  const isOther = (file: string) => /^jest\.config\.\w+$/.test(file) && file !== "jest.config.json";
  if (existsSync(directory) && readdirSync(directory).some(isOther)) return {};
  return { "jest.config.json": `${JSON.stringify({ transform: { "\\.ts$": "@swc/jest" } }, undefined, 2)}\n` };
}

/** Plans hold sensitive values, and files with environment variables hold credentials. */
const artifacts = "plan\nplan.json\nplan.txt\nreview.md\n.env\n*.env\n";

const ignored: Readonly<Record<Language, string>> = {
  cdktf: artifacts,
  cdktn: artifacts,
  hcl: `node_modules/\n${artifacts}`,
};
