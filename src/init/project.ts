/** Collects the files of a new project. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { blocksIn } from "../hcl/files";
import { Unreadable, type Block } from "../hcl/tree";
import { isThere } from "../adopt/files";
import { gitignore } from "../adopt/project";
import { InitError } from "./error";
import { cdkFiles } from "./cdk";
import { codeHostFor, configurationIn, isCdk, repositoryOf, runnerFor, textOf } from "./choices";
import type { Language } from "./language";
import { hclFiles } from "./hcl";
import type { Manager } from "./manager";
import { completed, manifestFor, manifestText, readManifest, type Manifest } from "./manifest";
import { isWritable, pipelineFile, pipelineFiles } from "./pipeline";
import { planMjs } from "./plan-script";

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
      ? cdkFiles(directory, language, runner, { isAdopted, domain })
      : hclFiles(domain, isAdopted, existing)),
    ...(hasPlan && { "plan.mjs": planMjs(language) }),
    "package.json": manifestText(manifest),
    ...jestSettings(directory, manifest),
    ".gitignore": `${gitignore[language === "hcl" ? "hcl" : "typescript"]}${ignored[language]}`,
    ...jobs.files,
  };
  return { files: new Map(Object.entries(files)), manifest, pipeline: jobs.main, others };
}

function blocksAt(file: string): readonly Block[] {
  try {
    return blocksIn(textOf(file), file);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new InitError(
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
function jestSettings(directory: string, { jest }: Manifest): Record<string, string> {
  const existing = readManifest(directory);
  if (jest === undefined || existing === undefined || existing.jest !== undefined) return {};
  if (completed(existing, {})) return {};
  const isOther = (file: string) => /^jest\.config\.\w+$/.test(file) && file !== "jest.config.json";
  if (existsSync(directory) && readdirSync(directory).some(isOther)) return {};
  return { "jest.config.json": `${JSON.stringify(jest, undefined, 2)}\n` };
}

/** Plans hold sensitive values, and files with environment variables hold credentials. */
const artifacts = "plan\nplan.json\nreview.md\n.env\n*.env\n*.tfvars\n";

const ignored: Readonly<Record<Language, string>> = {
  cdktf: artifacts,
  cdktn: artifacts,
  hcl: `node_modules/\n${artifacts}`,
};
