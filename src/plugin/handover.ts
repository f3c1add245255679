/** Hands a note from one process of a run of Terraform to the next one. */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { parentProcess, sendsCalls } from "./command";

/*
 * Only this user can read the folder and its notes. The name of a note has the process id of Terraform and its start time. So
 * another run with the same process id does not find it. If files cannot be written or read, there is no note.
 */

export interface Run {
  readonly folder: string;
  /** Identifies Terraform among all processes of the system. */
  readonly parent: string;
  readonly now: number;
}

/**
 * Undefined unless Terraform applies, and the system tells when Terraform started. Without a refresh, a tainted object looks like a
 * new one, so its plan must leave no note.
 */
export function thisApply(): Run | undefined {
  const user = process.getuid?.();
  const parent = sendsCalls() ? parentProcess() : undefined;
  if (user === undefined || parent === undefined) return undefined;
  return { folder: path.join(os.tmpdir(), `tenantform-${user}`), parent, now: Date.now() };
}

/** Terraform may wait for hours until the user approves the apply. */
const longest = 24 * 60 * 60 * 1000;
const mostBytes = 1024 * 1024;

/** `topic`: distinguishes the notes of one run. `runOf` returns undefined if the run has no notes. */
export function handover(topic: string, runOf: () => Run | undefined = thisApply) {
  const noteOf = ({ folder, parent }: Run) => {
    const hash = createHash("sha256").update(JSON.stringify([parent, topic]));
    return path.join(folder, hash.digest("hex").slice(0, 32));
  };
  let known: { readonly run: Run | undefined } | undefined;
  const thisRun = () => (known ??= { run: runOf() }).run;
  return {
    /** Two processes that leave a note on one topic leave none. */
    leave: (note: string): void => void quietly(() => leaveNote(note, thisRun(), noteOf)),
    /** The note, which is deleted. */
    take: (): string | undefined => quietly(() => takeNote(thisRun(), noteOf)),
  };
}

type NoteOf = (run: Run) => string;

function leaveNote(note: string, run: Run | undefined, noteOf: NoteOf): void {
  if (!run) return;
  const { folder, now } = run;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isPrivate(folder)) return;
  for (const name of readdirSync(folder)) quietly(() => removeOld(path.join(folder, name), now));
  try {
    writeFileSync(noteOf(run), note, { flag: "wx", mode: 0o600 });
  } catch {
    rmSync(noteOf(run));
  }
}

function takeNote(run: Run | undefined, noteOf: NoteOf): string | undefined {
  if (!run || !isPrivate(run.folder)) return undefined;
  const file = noteOf(run);
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size, mtimeMs } = fstatSync(descriptor);
    return size <= mostBytes && run.now - mtimeMs < longest ? readFileSync(descriptor, "utf8") : undefined;
  } finally {
    closeSync(descriptor);
    rmSync(file);
    // Another run may have a note in it.
    quietly(() => rmdirSync(run.folder));
  }
}

function removeOld(file: string, now: number): void {
  if (now - lstatSync(file).mtimeMs >= longest) rmSync(file);
}

/** Anybody may create a folder of this name in the temporary folder. */
function isPrivate(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  const isDirectory = (mode & constants.S_IFMT) === constants.S_IFDIR;
  return isDirectory && uid === process.getuid?.() && (mode & 0o077) === 0;
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
