/** Arranges declarations in files, in HCL or TypeScript. */
import { kinds } from "../../judge/kinds/kinds";
import type { Cdk } from "./cdk";
import { providerIn } from "./configuration";
import type { Existing } from "./already-declared";
import { free, type Files } from "./files";
import * as hcl from "./hcl";
import { kebabCase, snakeCase } from "./naming";
import {
  gitignore,
  mainTs,
  providerTf,
  requirementTf,
  adoptedMain,
  partsFolder,
  stackOf,
  loadsParts,
  typescriptProject,
} from "./project";
import type { Arranged, Declaration } from "./stack";
import { listFileText, partText } from "./typescript";

/** The declarations, and the tenant that was read. */
type Adopted = Arranged & { readonly host?: string | undefined };

export interface StackFiles {
  readonly files: Files;
  /** Work that is left to a person, because existing files stay unchanged. */
  readonly notes: readonly string[];
  /** The program of a stack in TypeScript. */
  readonly main?: string;
}

const movesHead = `# In the directory or backend of the other state, these blocks move the objects to this provider. Elsewhere they do nothing, and
# Terraform imports the objects.
`;

function partsOf({ declarations }: Arranged) {
  const parts = kinds.map((kind) => ({ kind, own: declarations.filter((one) => one.kind === kind) }));
  return parts.filter(({ own }) => own.length > 0);
}

export function hclFiles(arranged: Adopted, existing: Existing): StackFiles {
  const files = new Map<string, string>();
  const isTaken = (name: string) => existing.has(name) || files.has(name);
  const add = (file: string, content: string) => files.set(free(file, isTaken), content);
  const provided = providerFile(existing, arranged.host);
  if (provided) add(...provided);
  for (const { kind, own } of partsOf(arranged)) {
    const { head, file } = kind.adoption;
    add(`${snakeCase(file)}.tf`, [`# ${head}\n`, ...own.map(hcl.resource)].join("\n"));
  }
  const adopted = arranged.declarations.filter(({ refused }) => refused.length === 0);
  if (adopted.length > 0) {
    add("imports.tf", ["# Remove this file after the apply.\n", ...adopted.map(hcl.importBlock)].join("\n"));
  }
  const moves = new Set(adopted.flatMap(hcl.moves));
  if (moves.size > 0) add("moves.tf", [movesHead, ...moves].join("\n"));
  for (const list of arranged.listFiles) files.set(list.file, hcl.listFileText(list));
  if (!existing.has(".gitignore")) add(".gitignore", gitignore.hcl);
  return { files, notes: leftBehind(adopted, existing) };
}

/** A configuration requires its providers in one place. If the user's files have that place, an override adds this provider. */
function providerFile(
  { configurations }: Existing,
  host: string | undefined,
): [file: string, content: string] | undefined {
  const own = configurations.filter(({ file }) => !file.includes("/"));
  const found = providerIn(own.flatMap(({ blocks }) => blocks));
  if (found === "declared") return undefined;
  return found === "required"
    ? ["tenant_override.tf", requirementTf]
    : ["provider.tf", `${requirementTf}\n${providerTf(host)}`];
}

/** Resources that move, and that the configuration still declares for the other provider. */
function leftBehind(declarations: readonly Declaration[], { configurations }: Existing): string[] {
  const origins = declarations.flatMap(({ origin }) => (origin ? [origin.moved ?? [], origin.removed].flat() : []));
  const resources = new Set(origins.map((address) => address.replace(/\[.*$/s, "")));
  return configurations.flatMap(({ file, blocks }) =>
    blocks.flatMap(({ type, labels, line }) => {
      const address = labels.join(".");
      return type === "resource" && resources.has(address) ? [`${file}:${line}: remove ${address}, which moves`] : [];
    }),
  );
}

export function typescriptFiles(arranged: Adopted, existing: Existing, directory: string, cdk: Cdk): StackFiles {
  const files = new Map<string, string>();
  const isTaken = (name: string) => existing.has(name) || files.has(name);
  for (const { kind, own } of partsOf(arranged)) {
    const { head, file: words } = kind.adoption;
    const file = free(`${partsFolder}/${kebabCase(words)}.ts`, isTaken);
    const name = file.slice(partsFolder.length + 1, -3).split("-");
    files.set(file, partText({ head, name, declarations: own }, cdk));
  }
  for (const list of arranged.listFiles) files.set(list.file, listFileText(list));
  const main = mainOf(existing);
  const project = {
    ...typescriptProject(directory, cdk, main),
    ".gitignore": gitignore.typescript,
    [main]: mainTs(cdk, main, arranged.host),
  };
  for (const [file, content] of Object.entries(project)) if (!existing.has(file)) files.set(file, content);
  const stays = `Your program stays unchanged. ${adoptedMain} declares a separate stack, "${stackOf(main)}".`;
  return { files, notes: main === adoptedMain ? [stays] : [], main };
}

/** `cdktf.json` names the program of the project, which may be one of the user. */
function mainOf(existing: Existing): string {
  const app = existing.text("cdktf.json");
  const isTheirs =
    (existing.has("main.ts") && !existing.text("main.ts")?.includes(loadsParts)) ||
    (app !== undefined && !/\bmain\.ts\b/.test(app));
  return isTheirs ? adoptedMain : "main.ts";
}
