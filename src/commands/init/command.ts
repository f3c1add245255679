/**
 * `tenantform init`: copies a folder of `examples/start` into a project. Replaces three words: the library, the tenant, and the folder in
 * the pipeline. A project with a stack of its own gets only the pipeline and what it needs.
 */
import { isRecord } from "../../formats/text/record";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { cdkFor, languageIn } from "../adopt/cdk";
import { isThere, place } from "../adopt/files";
import { entering, typeNext, type Command } from "../adopt/summary";
import { install } from "../install/install";
import { placed } from "../install/placing";
import { isDomain } from "../../provider/resources/provider-block/root";
import { writeWhole } from "../../formats/text/whole-file";
import { print, shellWord } from "../../formats/text/printable";
import { oneOf, UserError } from "../../formats/text/user-error";
import { ownDependency } from "../install/own-package";

interface InitFlags {
  readonly language?: string;
  readonly ci?: string;
  /** `false`: installs no packages. */
  readonly install?: boolean;
}

type Edge = Pick<NodeJS.Process, "env" | "stderr" | "stdout">;

/** Rejects with what prevents it. */
export const init = (directory: string, flags: InitFlags, edge: Edge) =>
  placed(() => initialized(directory, flags, edge));

interface Project {
  /** Absolute. */
  readonly folder: string;
  /** The top folder of the repository, or else `folder`. */
  readonly repository: string;
  /** `folder` below `repository`, with slashes. */
  readonly below: string;
  readonly language: "hcl" | "typescript";
  readonly library: "cdktf" | "cdktn";
  readonly host: "github" | "gitlab";
  /** The project has a stack of its own. */
  readonly hasStack: boolean;
}

async function initialized(directory: string, flags: InitFlags, { env, stderr, stdout }: Edge): Promise<void> {
  const project = projectIn(directory, flags);
  const { below, folder, repository, language, library, hasStack } = project;
  const files = wantedFiles(project, domainIn(env));
  const manifest = path.posix.join(below, "package.json");
  const testFile = [...files.keys()].find((file) => /\.test\.m?[jt]s$/.test(file));
  const text = completed(folder, files.get(manifest)!, hasStack, testFile && path.posix.basename(testFile));
  files.delete(manifest);
  const kept = [...files.keys()].filter((file) => isThere(path.join(repository, file)));
  const fresh = new Map([...files].filter(([file]) => !kept.includes(file)));
  await place(repository, fresh);
  if (text !== undefined) writeWhole(path.join(folder, "package.json"), text);

  const isNew = fresh.size > 0 || text !== undefined;
  const name = language === "hcl" ? "hcl" : library;
  const lines = [
    isNew ? `Written to ${repository}, for ${name}:` : `Nothing is new in ${repository}.`,
    ...[...fresh.keys()].map((file) => `  ${file}`),
    ...(text === undefined ? [] : ["  package.json"]),
    ...(kept.length > 0 ? [`Left unchanged, because they exist: ${kept.join(", ")}`] : []),
    ...[...fresh.keys()]
      .filter((file) => /.\.gitlab-ci\.yml$/.test(file))
      .map((file) => `Add this to .gitlab-ci.yml: include: [{ local: ${JSON.stringify(`/${file}`)} }]`),
    ...(name === "cdktf" && !hasStack
      ? ["HashiCorp archived cdktf in December 2025. Its successor cdktn works too: --language cdktn."]
      : []),
    ...(name === "cdktn" && isOld(process.versions.node)
      ? [`cdktn-cli needs Node 22.19 or newer, and this is Node ${process.versions.node}.`]
      : []),
  ];
  print(stdout, `${lines.join("\n")}\n`);
  if (flags.install !== false) installPackages(directory, folder, env, stderr);
  if (language === "hcl" && !hasStack) await install({ dir: folder });
  print(stdout, [...typeNext(commandsFor(project, directory, flags.install === false)), ""].join("\n"));
}

const languages = ["typescript", "hcl", "cdktf", "cdktn"] as const;

function projectIn(directory: string, { language, ci }: InitFlags): Project {
  const folder = path.resolve(directory);
  if (languages.some((one) => one === directory) && language === undefined) {
    throw new UserError(`${directory} is a language: write --language ${directory}, or ./${directory} for a folder.`);
  }
  const chosen = oneOf(language ?? languageIn(folder), languages, "--language");
  const repository = repositoryOf(folder) ?? folder;
  const below = path.relative(repository, folder).split(path.sep).join("/") || ".";
  // Terminals and code hosts read more than text in such a name.
  if (/[$\p{C}]/u.test(directory + below)) {
    throw new UserError(
      `${JSON.stringify(directory)} has characters that a pipeline would replace: name another folder.`,
    );
  }
  const names = isThere(folder) ? readdirSync(folder) : [];
  const stack = path.join(folder, "tenant.ts");
  if (
    chosen !== "hcl" &&
    !names.includes("main.ts") &&
    names.includes("tenant.ts") &&
    !textOf(stack).includes("TenantStack")
  )
    throw new UserError(
      `${stack} is in the way, because the stack of the project has that name: rename it, or name another folder.`,
    );
  return {
    folder,
    repository,
    below,
    language: chosen === "hcl" ? "hcl" : "typescript",
    library: chosen === "cdktf" || chosen === "cdktn" ? chosen : cdkFor(folder),
    host: oneOf(ci ?? hostOf(repository), ["github", "gitlab"], "--ci"),
    hasStack: names.some((name) =>
      chosen === "hcl" ? name.endsWith(".tf") : name === "main.ts" || name === "cdktf.json",
    ),
  };
}

/** Whether the command line of cdktn does not run on it. */
function isOld(node: string): boolean {
  const [major, minor] = node.split(".").map(Number) as [number, number];
  return major < 22 || (major === 22 && minor < 19);
}

/** The folder of the git repository that contains the folder. */
function repositoryOf(folder: string): string | undefined {
  if (isThere(path.join(folder, ".git"))) return folder;
  const above = path.dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}

const textOf = (file: string) => (isThere(file) ? readFileSync(file, "utf8") : "");

function hostOf(repository: string): string {
  const remotes = statSync(path.join(repository, ".git"), { throwIfNoEntry: false })?.isDirectory();
  const isGitLab = remotes && /^\s*url\s*=.*gitlab/im.test(textOf(path.join(repository, ".git/config")));
  return isGitLab || isThere(path.join(repository, ".gitlab-ci.yml")) ? "gitlab" : "github";
}

/** Throws a UserError without the value, which may hold a password, if TENANT_DOMAIN is no host name. */
function domainIn({ TENANT_DOMAIN: domain }: NodeJS.ProcessEnv): string {
  if (!domain) return exampleDomain;
  if (isDomain(domain)) return domain;
  throw new UserError(
    `TENANT_DOMAIN is no host name: give the bare host name, such as ${exampleDomain}, without https:// and path.`,
  );
}

const exampleDomain = "acme.eu.auth0.com";

/** Path below the repository -> text. A project with a stack of its own gets what the pipeline needs. */
function wantedFiles({ below, hasStack, host, language, library, repository }: Project, domain: string) {
  const templates = path.join(__dirname, "templates", language);
  const tag = below === "." ? "tenant" : below.replaceAll("/", "-");
  const top = textOf(path.join(repository, ".gitlab-ci.yml"));
  const pipelines = {
    github: `.github/workflows/${tag}.yml`,
    // A repository can have a .gitlab-ci.yml of its own, which then includes ours.
    gitlab: top === "" || top.includes("review tenant:") ? ".gitlab-ci.yml" : `${tag}.gitlab-ci.yml`,
  };
  const names = [`${host}.yml`, "review.sh", "gitignore", "package.json"];
  const others = readdirSync(templates).filter((name) => !names.includes(name) && !/^git(hub|lab)\.yml$/.test(name));
  const files = [...names, ...(hasStack ? [] : others)].map((name): [string, string] => {
    const text = readFileSync(path.join(templates, name), "utf8");
    // npm leaves a .gitignore out of packages.
    if (name !== `${host}.yml`) return [path.posix.join(below, name.replace(/^gitignore/, ".$&")), worded(text)];
    // Every JSON string is a YAML string with the same meaning.
    const inFolder = text.replace("FOLDER: .", () => `FOLDER: ${JSON.stringify(below)}`);
    return [pipelines[host], inFolder.replace("TAG: tenant", () => `TAG: ${JSON.stringify(tag)}`)];
  });
  function worded(text: string): string {
    const named = text.replaceAll(exampleDomain, domain);
    if (library === "cdktf") return named;
    const versions = /(?<="cdktn(?:-cli)?": )"\^0\.21\.0"/g;
    return named.replace(/cdktf(?!\.(?:json|out)\b)/g, "cdktn").replace(versions, '"^0.24.0"');
  }
  return new Map(files);
}

/** The manager writes to standard error, so that standard output has only results. */
function installPackages(directory: string, cwd: string, env: NodeJS.ProcessEnv, stderr: NodeJS.WriteStream): void {
  print(stderr, "Installing packages with npm …\n");
  // Also if NODE_ENV is `production`. Windows starts its command files only in a shell; the arguments are constants.
  const args = ["install", "--include=dev", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", args, { cwd, env, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (status === 0) return;
  throw new UserError(
    `npm install failed. All files are written. Correct the cause, then run \`cd ${shellWord(directory)} && npm install\`.`,
  );
}

function commandsFor(
  { folder, language, library, hasStack }: Project,
  directory: string,
  mustInstall: boolean,
): Command[] {
  const first = `${entering(directory)}${mustInstall ? "npm install && " : ""}`;
  const review = "shows what the plan does";
  const scripts = (read(path.join(folder, "package.json"))?.["scripts"] ?? {}) as Record<string, string>;
  const test = besideOwn in scripts ? `npm run ${besideOwn}` : "npm test";
  if (hasStack) return [[`${first}git add . && git commit`, "its pull request runs the pipeline"]];
  if (language === "hcl") {
    return [
      [`${first}${test}`, "tests a plan on an embedded tenant"],
      ["node plan.mjs", "plans on an embedded tenant, without an account"],
      ["npx tenantform review plan.json", review],
    ];
  }
  return [
    [`${first}${test}`, "tests the stack without a tenant"],
    [`npx ${library} diff`, "plans on an embedded tenant, without an account"],
    ["npx tenantform review cdktf.out", review],
    [`npx ${library} deploy`, "applies it there"],
  ];
}

// The package.json of a project: gets the entries that it lacks, and keeps the others.

type Manifest = Readonly<Record<string, unknown>>;

const parts = ["scripts", "dependencies", "devDependencies"] as const;

/** The script of the template's test in a project whose `test` is its own. */
const besideOwn = "test:tenant";

/** The pipelines run this script too, so that they are not green without the stack's test. */
function testBeside(
  all: Readonly<Record<string, string>>,
  lacking: readonly (readonly [string, string])[],
  testFile: string | undefined,
): Record<string, string> {
  const ours = new Map(lacking).get("test");
  if (ours === undefined || testFile === undefined || all["test"]!.includes(ours)) return {};
  return { [besideOwn]: `${ours} ${testFile}`, ...all };
}

/**
 * The new text, or undefined if the file lacks nothing. `wanted`: the text of the template, of which `onlyTool` takes this package alone.
 * `testFile`: the test that the template brings.
 */
function completed(folder: string, wanted: string, onlyTool: boolean, testFile?: string): string | undefined {
  const template = JSON.parse(wanted) as Manifest;
  const existing = read(path.join(folder, "package.json"));
  const has = Object.assign({}, ...parts.slice(1).map((part) => existing?.[part])) as object;
  const whole: Record<string, unknown> = { ...(existing?.name === undefined && !onlyTool && template), ...existing };
  for (const part of parts) {
    const present = (existing?.[part] ?? {}) as Record<string, string>;
    const lacking = Object.entries(template[part] ?? {}).filter(
      ([name]) => !(name in (part === "scripts" ? {} : has)) && (!onlyTool || name === "tenantform"),
    );
    // `npm init` writes a test that only fails.
    const own = Object.entries(present).filter(([, text]) => !text.includes("no test specified"));
    const all = Object.fromEntries([...lacking, ...own]);
    if (part === "scripts") Object.assign(all, testBeside(all, lacking, testFile));
    if (part !== "scripts" && lacking.some(([name]) => name === "tenantform")) all.tenantform = ownDependency(folder);
    if (Object.keys(all).length > 0) whole[part] = all;
  }
  const text = JSON.stringify(whole, undefined, 2);
  // A person's file keeps its form.
  return text === JSON.stringify(existing, undefined, 2) ? undefined : `${text}\n`;
}

/** undefined: there is none. */
function read(file: string): Manifest | undefined {
  if (!isThere(file)) return undefined;
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isRecord(found) && parts.every((part) => found[part] === undefined || isRecord(found[part]))) return found;
  } catch {
    // The error below says the same for a text that is no JSON at all.
  }
  throw new UserError(`${file} is not the JSON of a package: correct the file, or name another folder.`);
}
