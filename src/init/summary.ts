/** Says what init wrote, and what to type next. */
import path from "node:path";
import { shellWord } from "../text/shell-word";
import { stackName } from "../adopt/project";
import { entering, importCommands, typeNext, type Command } from "../adopt/summary";
import type { Terraform } from "../terraform";
import { textOf, type Choice } from "./choices";
import type { Manager } from "./manager";
import { readManifest, type Language, type Missing } from "./manifest";

const purposes: Readonly<Record<string, string>> = {
  "main.ts": "writes the stack for Terraform",
  "main.tf": "ACLs, rate limits, and expectations that must stay true",
  "tenant.tf": "ACLs, rate limits, and expectations that must stay true",
  "tenant.ts": "ACLs, rate limits, and expectations that must stay true",
  "jest.config.json": "compiles the test",
  "tenant.test.ts": "tests the stack without a tenant",
  "tenant.test.mjs": "tests a plan on an embedded tenant",
  "plan.mjs": "plans on an embedded tenant",
  "review.sh": "plans and reviews, for the pipeline",
  ".github/workflows/tenant.yml": "tests and reviews every pull request",
  ".gitlab-ci.yml": "tests and reviews every merge request",
  "tenant.gitlab-ci.yml": "tests and reviews every merge request",
};

export interface Written {
  readonly directory: string;
  readonly language: Choice<Language>;
  readonly files: readonly string[];
  /** Files that existed before. */
  readonly left: readonly string[];
  /** package.json got entries. */
  readonly isCompleted: boolean;
}

export function writtenLines({ directory, language, files, left, isCompleted }: Written): string {
  const place = path.resolve(directory);
  const width = Math.max(...files.map(({ length }) => length), 0);
  const lines = [
    files.length > 0
      ? `Written to ${place}, for ${language.value} (${language.because}):`
      : `Nothing is new in ${place}: no file was written.`,
    ...files.map((file) => `  ${file.padEnd(width)}  ${purposes[file] ?? ""}`.trimEnd()),
    ...(isCompleted ? ["Added the missing scripts and packages to package.json, which had only dependencies."] : []),
    ...(left.length > 0 ? [`Left unchanged, because they exist: ${left.join(", ")}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Where the pipeline must be, if the code host does not look for it in the directory. */
export function placeLines(directory: string, repository: string | undefined, pipeline: string | undefined): string[] {
  if (pipeline === undefined) return [];
  const folder = path.resolve(directory);
  const at = path
    .relative(repository ?? folder, path.join(folder, pipeline))
    .split(path.sep)
    .join("/");
  if (pipeline.endsWith("gitlab-ci.yml") && (pipeline.startsWith("tenant") || at !== pipeline)) {
    return [`Add this to .gitlab-ci.yml of the repository: include: [{ local: ${JSON.stringify(`/${at}`)} }]`];
  }
  if (at === pipeline) return [];
  return [`GitHub runs workflows of the top folder only: move ${at} to ${pipeline} of the repository.`];
}

/** A pipeline has only the files of the repository. */
export function outsideLines(
  directory: string,
  repository: string | undefined,
  pipeline: string | undefined,
): string[] {
  const { dependencies, devDependencies } = readManifest(directory) ?? {};
  const { tenantform: from = "" } = { ...dependencies, ...devDependencies };
  if (pipeline === undefined || !from.startsWith("file:")) return [];
  const folder = path.resolve(directory);
  const below = path.relative(repository ?? folder, path.resolve(folder, from.slice("file:".length)));
  if (below.split(path.sep)[0] !== ".." && !path.isAbsolute(below)) return [];
  return [
    `package.json takes tenantform from ${from}, which is outside of the repository, so \`npm ci\` fails in the pipeline: commit a package that ` +
      "`npm pack` makes, or depend on a release.",
  ];
}

export interface Next {
  readonly directory: string;
  readonly language: Language;
  readonly manager: Manager;
  readonly missing: Missing;
  readonly tool: Terraform | undefined;
  readonly isAdopted: boolean;
  /** The packages are installed. */
  readonly isInstalled: boolean;
}

export function nextLines(next: Next): string[] {
  const { directory, manager, missing, tool, isInstalled } = next;
  const remedies = remediesFor(missing);
  const enter = entering(directory);
  const first = `${remedies.length > 0 ? "" : enter}${isInstalled ? "" : `${manager.command} install && `}`;
  const commands = commandsFor(next).map(([command, purpose], index): Command => [
    index === 0 ? first + command : command,
    purpose,
  ]);
  return [
    ...(remedies.length > 0
      ? ["", "package.json is yours and stays unchanged. Add what it lacks:", `  ${enter}${remedies.join(" && ")}`]
      : []),
    ...(tool === undefined
      ? ["", "Neither terraform nor tofu runs here: install Terraform 1.5 or newer, or OpenTofu."]
      : []),
    ...typeNext(commands),
    "",
  ];
}

function remediesFor({ scripts, packages }: Missing): string[] {
  const set = Object.entries(scripts).map(([name, command]) => shellWord(`scripts.${name}=${command}`));
  const add = Object.entries(packages).map(([name, version]) => shellWord(`${name}@${version}`));
  return [
    ...(add.length > 0 ? [`npm install --save-dev ${add.join(" ")}`] : []),
    ...(set.length > 0 ? [`npm pkg set ${set.join(" ")}`] : []),
  ];
}

function commandsFor({ language, manager, tool, isAdopted }: Next): readonly Command[] {
  const test: Command = [
    `${manager.command} test`,
    language === "hcl" ? "tests a plan on an embedded tenant" : "tests the stack without a tenant",
  ];
  if (isAdopted) {
    return [test, ...importCommands(language === "hcl" ? "" : `cd cdktf.out/stacks/${stackName} && `, tool?.name)];
  }
  return [
    test,
    ["node plan.mjs", "plans the stack on an embedded tenant"],
    ["npx tenantform review plan.json", "shows what the plan does"],
  ];
}

/** Whether the program of the project does not load the stack. */
export function lacksStack(directory: string): boolean {
  const main = textOf(path.join(directory, "main.ts"));
  return main !== "" && textOf(path.join(directory, "tenant.ts")) !== "" && !main.includes("./tenant");
}

export function leftLines(directory: string, wanted: ReadonlyMap<string, string>): string[] {
  const present = new Set(textOf(path.join(directory, ".gitignore")).split(/\r?\n/));
  const lacking = (wanted.get(".gitignore") ?? "").split("\n").filter((line) => line !== "" && !present.has(line));
  return [
    ...(lacksStack(directory)
      ? ['main.ts is yours: import TenantStack from "./tenant" there, and write new TenantStack(app, "tenant").']
      : []),
    ...(lacking.length > 0
      ? [`.gitignore is yours. Add lines for state, plans and credentials: ${lacking.join(" ")}`]
      : []),
  ];
}
