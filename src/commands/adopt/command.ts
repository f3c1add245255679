/** `tenantform adopt`: writes a tenant down as a stack, and proves that the two are the same. */
import path from "node:path";
import * as hcl from "./hcl";
import * as typescript from "./typescript";
import { exitCodes } from "../../formats/text/command-line";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { install } from "../install/install";
import { ObstacleError, placed } from "../install/placing";
import { adoptionNotes } from "./notes";
import { kinds } from "../../judge/kinds/kinds";
import { type Terraform, terraformFor, withSearchPath } from "../../terraform";
import { explain } from "../../provider/resources/explain";
import { tenantProvider } from "../../provider/resources/provider";
import { connectionFrom } from "../../provider/resources/provider-block/connection";
import { rootOf } from "../../provider/resources/provider-block/root";
import { codeOf, linkTo, titleOf } from "../../judge/codes/codes";
import { DiagnosticError } from "../../provider/sdk/diagnostic";
import { createTenant } from "../../tenant/tenant";
import { firstLines, print } from "../../formats/text/printable";
import { withCommandPage } from "../../formats/text/url";
import { version } from "../../version";
import { cdkFor, languageIn, obstacleFor } from "./cdk";
import { declarationsOf, draftOf, isOfOrganization, type FoundObject } from "./to-declaration";
import { UserError } from "../../formats/text/user-error";
import { type Existing, goneFrom, readExisting, stacksIn } from "./already-declared";
import { free, place } from "./files";
import { readGoProviderState } from "./go-provider";
import { type Language, prove, pullState, synthesize, workingDirectory } from "./verify-plan";
import { counted } from "../../formats/text/lists";
import { entering, importCommands, refusedLines, typeNext } from "./summary";
import { survey, type Survey, type Wanted } from "./read-tenant";
import { hclFiles, typescriptFiles } from "./layout-files";
import type { Words } from "./naming";
import { type Arranged, type Declaration, type ListFile, Reference, type Written } from "./stack";

export interface AdoptFlags {
  readonly to?: string;
  readonly only?: string;
  readonly organization?: readonly string[];
  /** A state of the Go provider. */
  readonly fromState?: string;
}

interface Edge {
  readonly environment: NodeJS.ProcessEnv;
  readonly stderr: NodeJS.WriteStream;
  readonly stdout: { write(text: string): unknown };
}

type Say = (line: string) => void;

/** The most characters of a message, which may contain the output of another program. */
const mostOfLine = 16_000;

/** Returns the exit code: 0 if the plan imports everything and changes nothing. */
export async function adopt(directory: string, flags: AdoptFlags, edge: Edge): Promise<number> {
  const say: Say = (line) => print(edge.stderr, `${firstLines(line, mostOfLine)}\n`);
  try {
    return await adopted(directory, flags, edge, say);
  } catch (error) {
    say(withPageOf(error));
    return exitCodes.error;
  }
}

/** The message with the address of its page. */
function withPageOf(error: unknown): string {
  if (error instanceof UserError || error instanceof ObstacleError || isSystemError(error)) {
    return withCommandPage(error.message, "adopt", version).trimEnd();
  }
  const { code, detail } = error instanceof DiagnosticError ? error : explain(error);
  return `${titleOf(code)}: ${detail} ${linkTo(codeOf(code), version)}`;
}

/** For example, a file that nobody may read. Its message is no defect of this program. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && "syscall" in error;

/** The directory and the programs that read it. */
interface Place {
  readonly directory: string;
  readonly language: Language;
  readonly tool: Terraform | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

async function adopted(directory: string, flags: AdoptFlags, { environment, stdout }: Edge, say: Say): Promise<number> {
  const wanted = wantedBy(flags);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UserError(`${directory} is in the way: it is no folder. Move it, or name another folder.`);
  const language = languageFor(flags.to, directory);
  const cdk = cdkFor(directory);
  const obstacle = language === "typescript" ? obstacleFor(directory, cdk) : undefined;
  if (obstacle !== undefined) throw new UserError(obstacle);
  const tool = await terraformFor(environment, directory);
  const here = { directory, language, tool, environment };
  const { objects, read, host } = await source(flags, wanted, environment, say);
  const existing = await existingIn(here, say);
  const drafts = objects.map(draftOf);
  const fresh = drafts.filter((_draft, index) => !existing.declares(objects[index]!));
  const notes = adoptionNotes((kind) =>
    objects.flatMap(({ content, id }, index) =>
      drafts[index]!.kind === kind && drafts[index]!.isTyped ? [{ ...content, id }] : [],
    ),
  );
  const { listFile, reserved } =
    language === "hcl" ? { ...hcl, reserved: undefined } : { ...typescript, reserved: typescript.reservedIds };
  const declarations = declarationsOf(wanted.kinds, fresh, notes, { taken: existing.names, reserved });
  const arranged = { ...withListFiles(declarations, existing, listFile), host };
  const written =
    language === "hcl" ? hclFiles(arranged, existing) : typescriptFiles(arranged, existing, directory, cdk);
  const { files, main } = written;
  if (language === "hcl") await withProvider(directory);
  await place(directory, files);

  const gone = read ? goneFrom(existing, read, wanted) : [];
  const known = objects.length - fresh.length;
  if (known > 0) say(`${counted(known, "object")} already declared.`);
  for (const line of [...refusedLines(declarations), ...written.notes, ...gone]) say(line);
  say(
    files.size === 0
      ? "Nothing is new: no file was written."
      : `Written to ${directory}: ${[...files.keys()].join(", ")}`,
  );
  const proof = await prove({ ...here, main }, say);
  for (const line of proof.lines) say(line);
  print(stdout, `${proof.verdict}\n`);
  if (proof.isProven && declarations.length > 0) {
    const commands = importCommands(
      entering(workingDirectory({ directory, ...(main !== undefined && { main }) })),
      tool!.name,
    );
    for (const line of typeNext(commands)) say(line);
  }
  return proof.isProven ? exitCodes.fine : exitCodes.no;
}

/** Before the declarations, because it needs the most room: if the disk is full, nothing is written. */
async function withProvider(directory: string): Promise<void> {
  const made = await placed(async () => mkdirSync(directory, { recursive: true }));
  // The message of the error is written for people.
  await placed(() => install({ dir: directory })).catch(({ message }: Error) => {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw new UserError(message);
  });
}

function wantedBy({ only, organization = [] }: AdoptFlags): Wanted {
  const options = kinds.map(({ adoption }) => adoption.option);
  const named = only?.split(",").map((name) => name.trim()) ?? options;
  const strange = named.find((name) => !options.includes(name));
  if (strange !== undefined) {
    throw new UserError(
      `--only ${JSON.stringify(strange)} is not known: choose from ${options.join(", ")}, with commas between.`,
    );
  }
  const wanted = kinds.filter(({ adoption }) => named.includes(adoption.option));
  if (organization.length > 0 && !wanted.some(isOfOrganization))
    throw new UserError(`--organization chooses members, which --only ${only} leaves out: leave out one of them.`);
  return { kinds: wanted, organizations: organization };
}

function languageFor(to: string | undefined, directory: string): Language {
  if (to !== undefined && to !== "typescript" && to !== "hcl") {
    throw new UserError(`--to ${JSON.stringify(to)} is not known: choose typescript or hcl.`);
  }
  return to ?? languageIn(directory);
}

interface Source {
  readonly objects: readonly FoundObject[];
  /** Given if the tenant was read. */
  readonly read?: Survey;
  /** The tenant that was read. */
  readonly host?: string;
}

async function source(
  { fromState }: AdoptFlags,
  wanted: Wanted,
  environment: NodeJS.ProcessEnv,
  say: Say,
): Promise<Source> {
  const provider = tenantProvider(version, environment);
  if (fromState !== undefined) return { objects: await readGoProviderState(fromState, provider, wanted) };
  const connection = connectionFrom({}, environment)!;
  const tenant = createTenant({ ...connection, userAgent: `tenantform/${version}`, log: () => {} });
  const { host } = new URL(connection.endpoint);
  say(`Reading ${host} …`);
  try {
    const isEmbedded = rootOf(connection)!.protocol === "http:";
    const read = await survey(provider, tenant, { ...wanted, isEmbedded }, say);
    return { objects: read.objects, read, host };
  } finally {
    await tenant.close();
  }
}

/** Runs the programs of the directory first, because only they know what they declare. */
async function existingIn(here: Place, say: Say): Promise<Existing> {
  const { directory, language, tool, environment } = here;
  const isProgram = (file: string) =>
    existsSync(path.join(directory, file)) && /["']cdkt[fn]["']/.test(readFileSync(path.join(directory, file), "utf8"));
  for (const main of ["main.ts", "adopted.ts"].filter(isProgram)) {
    say(`Synthesizing ${main} …`);
    const trouble = await synthesize(main, here);
    if (trouble === undefined) continue;
    throw new UserError(
      `${main} cannot be synthesized, so its declarations are not known. Correct it and run adopt again. Nothing was written.\n${trouble.trim()}`,
    );
  }
  const folders = language === "hcl" ? [directory] : stacksIn(directory).map((stack) => path.join(directory, stack));
  const isInitialized = (folder: string) => existsSync(path.join(folder, ".terraform/terraform.tfstate"));
  const states: string[] = [];
  for (const folder of tool === undefined ? [] : folders.filter(isInitialized))
    states.push(...(await pullState({ program: tool!.file, directory: folder, env: withSearchPath(environment) })));
  return readExisting(directory, states);
}

/** The most entries of a list that stays in its declaration. */
const mostInPlace = 30;

/** `fileOf`: the preferred file of a long list. */
function withListFiles(
  declarations: readonly Declaration[],
  existing: Pick<Existing, "has">,
  fileOf: (attribute: string, name: Words) => string,
): Arranged {
  const listFiles: ListFile[] = [];
  const arranged = declarations.map((declaration): Declaration => {
    if (declaration.refused.length > 0) return declaration;
    const { name, values } = declaration;
    const entries = Object.entries(values).map(([attribute, value]): [string, Written] => {
      if (!Array.isArray(value) || value.length <= mostInPlace) return [attribute, value];
      const isTaken = (each: string) => existing.has(each) || listFiles.some(({ file }) => file === each);
      const file = free(fileOf(attribute, name), isTaken);
      listFiles.push({ kind: "file", attribute, name, file, entries: value as string[] });
      return [attribute, new Reference(listFiles.at(-1)!)];
    });
    return { ...declaration, values: Object.fromEntries(entries) };
  });
  return { declarations: arranged, listFiles };
}
