/** `tenantform init`: starts a project with a stack, an expectation, a test and the review of pull requests. */
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { exitCodes } from "../text/exit-codes";
import { UserError } from "../text/user-error";
import { isThere, place } from "../adopt/files";
import { install } from "../install/install";
import { ObstacleError, placed } from "../install/placing";
import { terraformFor } from "../terraform";
import { withCommandPage } from "../text/page";
import { isPrintable, print } from "../text/printable";
import { version } from "../version";
import { domainIn, isCdk, languageFor, repositoryOf } from "./choices";
import { installPackages, isInstalled, managerFor } from "./manager";
import { completed, manifestText, missingIn, readManifest, type Manifest, type Missing } from "./manifest";
import { wantedFiles } from "./project";
import { lacksStack, leftLines, nextLines, outsideLines, placeLines, writtenLines } from "./summary";

export interface InitFlags {
  readonly language?: string;
  /** Writes down the tenant of the environment instead of a new stack. */
  readonly adopt?: boolean;
  readonly ci?: string;
  /** `false`: installs no packages. */
  readonly install?: boolean;
}

interface Edge {
  readonly environment: NodeJS.ProcessEnv;
  readonly stderr: NodeJS.WriteStream;
  readonly stdout: { write(text: string): unknown };
}

/** Returns the exit code: 0 if the project is complete. */
export async function init(directory: string, flags: InitFlags, edge: Edge): Promise<number> {
  try {
    return await initialized(directory, flags, edge);
  } catch (error) {
    const isKnown = error instanceof UserError || error instanceof ObstacleError;
    if (!isKnown && !(error instanceof Error && "syscall" in error)) throw error;
    print(edge.stderr, withCommandPage((error as Error).message, "init", version));
    return exitCodes.error;
  }
}

async function initialized(directory: string, flags: InitFlags, edge: Edge): Promise<number> {
  const { environment, stderr, stdout } = edge;
  const isAdopted = flags.adopt === true;
  await demandFolder(directory);
  const language = languageFor(directory, flags.language);
  const manager = managerFor(directory, environment);
  const adoption = isAdopted ? await import("../adopt/command.js") : undefined;
  adoption?.demandConnection(environment);

  const wanted = wantedFiles(directory, language.value, manager, { ...flags, domain: domainIn(environment) });
  const { fresh, kept } = parted(directory, wanted.files);
  await place(directory, fresh);
  const { missing, isCompleted } = await completePackage(directory, wanted.manifest);
  const left = [...wanted.others, ...kept].filter((file) => !isCompleted || file !== "package.json");
  print(stdout, writtenLines({ directory, language, files: [...fresh.keys()], left, isCompleted }));
  const notes = [
    ...placeLines(directory, repositoryOf(directory), wanted.pipeline),
    ...leftLines(directory, wanted.files),
    ...outsideLines(directory, repositoryOf(directory), wanted.pipeline),
  ];
  for (const line of notes) print(stdout, `${line}\n`);

  if (flags.install !== false && !isInstalled(directory, manager)) {
    print(stderr, `Installing packages with ${manager.name} …\n`);
    await installPackages(directory, manager, environment);
  }
  if (language.value === "hcl") await placed(() => install({ dir: directory }));
  const code =
    (await adoption?.adopt(directory, { to: isCdk(language.value) ? "typescript" : "hcl", next: false }, edge)) ?? 0;
  if (code !== 0) return code;
  const tool = await terraformFor(environment, directory);
  const next = nextLines({
    directory,
    language: language.value,
    manager,
    missing,
    tool,
    isAdopted,
    isInstalled: isInstalled(directory, manager),
  });
  print(stdout, next.join("\n"));
  return Object.keys({ ...missing.scripts, ...missing.packages }).length > 0 || lacksStack(directory)
    ? exitCodes.no
    : exitCodes.fine;
}

async function demandFolder(directory: string): Promise<void> {
  if (directory === "") throw new UserError("The directory has an empty name: name a folder, or none for this one.");
  if (!isPrintable(directory)) {
    throw new UserError(`${JSON.stringify(directory)} has characters that no terminal shows: name another folder.`);
  }
  const found = await placed(async () => statSync(directory, { throwIfNoEntry: false }));
  if (found?.isDirectory() === false) {
    throw new UserError(`${directory} is a file: name a folder, or move the file.`);
  }
}

/** The files that are missing, and those that exist. */
function parted(directory: string, files: ReadonlyMap<string, string>) {
  const kept = [...files.keys()].filter((file) => isThere(path.join(directory, file)));
  return { fresh: new Map([...files].filter(([file]) => !kept.includes(file))), kept };
}

async function completePackage(
  directory: string,
  wanted: Manifest,
): Promise<{ readonly missing: Missing; readonly isCompleted: boolean }> {
  const existing = readManifest(directory) ?? wanted;
  const whole = completed(existing, wanted);
  if (whole === undefined) return { missing: missingIn(existing, wanted), isCompleted: false };
  const file = path.join(directory, "package.json");
  const staged = `${file}-${randomUUID()}`;
  await placed(async () => {
    try {
      writeFileSync(staged, manifestText(whole), { flag: "wx" });
      renameSync(staged, file);
    } finally {
      rmSync(staged, { force: true });
    }
  });
  return { missing: missingIn(whole, wanted), isCompleted: true };
}
