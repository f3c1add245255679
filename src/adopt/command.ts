/** `tenantform adopt`: a living tenant written down as a stack, and the proof that the stack is the tenant. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { connectionFrom } from "../resources/provider-block/connection";
import { explain } from "../resources/explain";
import { ObstacleError } from "../install/obstacle";
import { withSearchPath } from "../program-environment";
import { DiagnosticError } from "../sdk/diagnostic";
import { createTenant } from "../tenant/tenant";
import { terraforms, type Terraform } from "../terraform";
import { print } from "../text/printable";
import { version } from "../version";
import { declarationsOf, draftsOf, type Draft, type KnownKey } from "./draft";
import { AdoptError } from "./error";
import { place } from "./files";
import * as hcl from "./hcl";
import { hostFor } from "./cdk";
import { counted, gone, outlookWords, readWords, refusedWords } from "./summary";
import { present, statedIds } from "./existing";
import { openProgress, type Progress } from "./progress";
import { prove } from "./proof";
import { remarksOn } from "./notes";
import { arrange } from "./shared";
import { kinds, survey, type Kind, type Survey, type Wanted } from "./survey";
import { takenOver } from "./go-provider";
import { pullState } from "./terraform";
import { stackName } from "./project";
import * as typescript from "./typescript";
import { writtenInHcl, writtenInTypescript, type Written } from "./written";

export interface AdoptFlags {
  readonly to?: string;
  readonly only?: string;
  readonly organization?: readonly string[];
  /** Of the Go provider for the same service. */
  readonly fromState?: string;
}

interface Edge {
  readonly environment: NodeJS.ProcessEnv;
  readonly stderr: NodeJS.WriteStream;
  readonly stdout: { write(text: string): unknown };
}

type Language = "typescript" | "hcl";

/** The exit code: 0 where the plan imports, and does nothing else. */
export async function adopt(directory: string, flags: AdoptFlags, edge: Edge): Promise<number> {
  const progress = openProgress(edge.stderr, edge.environment);
  try {
    return await adopted(directory, flags, edge, progress);
  } catch (error) {
    progress.line(inWords(error));
    return 1;
  }
}

function inWords(error: unknown): string {
  if (error instanceof AdoptError || error instanceof ObstacleError || isOfSystem(error)) return error.message;
  const { summary, detail } = error instanceof DiagnosticError ? error : explain(error);
  return `${summary}: ${detail}`;
}

/** Such as a file that may not be read: in words already, and no defect of ours. */
const isOfSystem = (error: unknown): error is Error => error instanceof Error && "syscall" in error;

async function adopted(
  directory: string,
  flags: AdoptFlags,
  { environment, stdout }: Edge,
  progress: Progress,
): Promise<number> {
  const wanted = wantedBy(flags);
  const language = languageFor(flags.to, directory);
  const tool = await terraformFor(directory, environment);
  const source =
    flags.fromState === undefined ? await living(wanted, environment, progress) : elsewhere(flags.fromState, wanted);
  const there = present(directory, await stated(directory, language, tool, environment));
  const fresh = source.drafts.filter(({ id }) => !there.knows(id));
  const reserved = language === "typescript" ? typescript.reservedIds : undefined;
  const declarations = declarationsOf(fresh, remarksOn(source), there.names, reserved);
  const arranged = arrange(declarations, there, language === "hcl" ? hcl.rollFile : typescript.rollFile);
  const written: Written =
    language === "hcl"
      ? writtenInHcl(arranged, there)
      : writtenInTypescript(arranged, there, directory, hostFor(directory));
  const lost = source.read ? gone(there, source.read, wanted) : { files: [], notes: [] };
  const files = new Map([...written.files, ...lost.files]);
  await place(directory, files);

  const known = source.drafts.length - fresh.length;
  if (known > 0) progress.line(`${counted(known, "object")} of these are declared already.`);
  for (const line of [...refusedWords(arranged.declarations), ...written.notes, ...lost.notes]) progress.line(line);
  progress.line(
    files.size === 0
      ? "Nothing is new: no file was written."
      : `Written to ${directory}: ${[...files.keys()].join(", ")}`,
  );
  const proof = await prove(
    { directory, language, main: written.main, tool, environment, expected: arranged.declarations.length },
    progress,
  );
  for (const line of proof.lines) progress.line(line);
  print(stdout, `${proof.verdict}\n`);
  return proof.isAsPromised ? 0 : 1;
}

async function terraformFor(directory: string, environment: NodeJS.ProcessEnv): Promise<Terraform | undefined> {
  for await (const tool of terraforms(environment, existsSync(directory) ? directory : undefined)) return tool;
  return undefined;
}

function wantedBy({ only, organization = [] }: AdoptFlags): Wanted {
  const named = only?.split(",").map((name) => name.trim()) ?? [...kinds];
  const strange = named.find((name) => !kinds.includes(name as Kind));
  if (strange !== undefined) {
    throw new AdoptError(
      `--only ${JSON.stringify(strange)} is not known: choose from ${kinds.join(", ")}, with commas between.`,
    );
  }
  return { kinds: new Set(named as Kind[]), organizations: organization };
}

/** What is there goes on in its language; TypeScript otherwise. */
function languageFor(to: string | undefined, directory: string): Language {
  if (to !== undefined && to !== "typescript" && to !== "hcl") {
    throw new AdoptError(`--to ${JSON.stringify(to)} is not known: choose typescript or hcl.`);
  }
  if (to !== undefined) return to;
  return existsSync(directory) && readdirSync(directory).some((file) => file.endsWith(".tf")) ? "hcl" : "typescript";
}

/** What is to be declared, and what it is judged by. */
interface Source {
  readonly drafts: readonly Draft[];
  readonly acls: Survey["acls"];
  readonly policies: Survey["policies"];
  readonly keys: readonly KnownKey[];
  /** Where the tenant was asked. */
  readonly read?: Survey;
}

function elsewhere(file: string, wanted: Wanted): Source {
  return takenOver(file, wanted.kinds, wanted.organizations);
}

async function living(wanted: Wanted, environment: NodeJS.ProcessEnv, progress: Progress): Promise<Source> {
  const read = await ask(wanted, environment, progress);
  for (const line of readWords(read)) progress.line(line);
  return { acls: read.acls, policies: read.policies, keys: read.keys, drafts: draftsOf(read), read };
}

async function ask(wanted: Wanted, environment: NodeJS.ProcessEnv, progress: Progress): Promise<Survey> {
  const connection = connectionFrom({}, environment)!;
  let answered = 0;
  let all = 0;
  const began = Date.now();
  const tenant = createTenant({
    ...connection,
    userAgent: `tenantform/${version}`,
    log: (_level, _message, fields) => {
      if (fields?.status !== 200 || !String(fields.path).startsWith("/")) return;
      progress.show(++answered, Math.max(all, answered), "requests");
    },
  });
  progress.line(`Asking ${new URL(connection.endpoint).host} …`);
  try {
    const read = await survey(tenant, wanted, (outlook) => {
      const each = (Date.now() - began) / Math.max(1, answered);
      all = answered + outlook.requests;
      for (const line of outlookWords(outlook, each)) progress.line(line);
    });
    progress.clear();
    return read;
  } finally {
    await tenant.close();
  }
}

async function stated(
  directory: string,
  language: Language,
  tool: Terraform | undefined,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const working = language === "hcl" ? directory : path.join(directory, "cdktf.out/stacks", stackName);
  if (tool === undefined || !existsSync(path.join(working, ".terraform/terraform.tfstate"))) return [];
  return statedIds(await pullState({ program: tool.file, directory: working, env: withSearchPath(env) }));
}
