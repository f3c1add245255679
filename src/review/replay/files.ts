/** Reads the files of a log, until they end or the reading is stopped. */
import type { Readable } from "node:stream";
import { chunksOf, UnreadableForm, sourcesAt, type Source } from "../../traffic/source";
import type { ValueReader } from "../../traffic/value-reader";
import { createValueReader, type ValueSink } from "../../traffic/values";
import { ReviewError } from "../error";
import type { Edge } from "../input";
import type { Progress } from "./progress";

/** The files below the names. `-`: standard input. */
export function filesOf(names: readonly string[], edge: Edge): Source[] {
  return names.flatMap((name) => {
    if (name === "-") return [{ name: "standard input", open: () => edge.stdin as Readable }];
    try {
      return sourcesAt(name);
    } catch (error) {
      throw cannotRead(name, error as NodeJS.ErrnoException);
    }
  });
}

const cannotRead = (name: string, { code, message }: NodeJS.ErrnoException) =>
  new ReviewError(
    code === "ENOENT"
      ? `--logs ${name} does not exist: give a file, a folder, or - for standard input.`
      : `--logs ${name} cannot be read (${code ?? message}).`,
  );

interface ReadingOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Returns how far it came if it was stopped. `events`: the events so far. */
export async function readFiles(
  sources: readonly Source[],
  sink: ValueSink,
  events: () => number,
  { progress, signal }: ReadingOptions,
): Promise<string | undefined> {
  const total = sources.every(({ size }) => size !== undefined)
    ? sources.reduce((sum, { size }) => sum + size!, 0)
    : undefined;
  let read = 0;
  for (const [index, source] of sources.entries()) {
    const pushed = (bytes: number) => {
      read += bytes;
      progress.update(events(), total ? read / total : undefined);
    };
    await readSource(source, createValueReader(sink), signal, pushed);
    if (signal.aborted) return stoppedWords(events(), total && read / total, sources.length - index - 1);
  }
  return undefined;
}

/** `pushed`: is given the compressed bytes of each chunk. */
async function readSource(
  { name, open }: Source,
  reader: ValueReader,
  signal: AbortSignal,
  pushed: (bytes: number) => void,
): Promise<void> {
  const end = { isTorn: false };
  const input = open();
  // Standard input may wait for its next bytes forever.
  const stop = () => void input.destroy();
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of chunksOf(input, end)) {
      reader.push(chunk.bytes);
      pushed(chunk.read);
      if (signal.aborted) return;
    }
    reader.end(end.isTorn);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof UnreadableForm)
      throw new ReviewError(
        `--logs ${name} is in the form ${error.form}, which a replay cannot read: give JSON or gzip.`,
      );
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw cannotRead(name, error as NodeJS.ErrnoException);
  } finally {
    signal.removeEventListener("abort", stop);
    input.destroy();
  }
}

function stoppedWords(events: number, share: number | undefined, files: number): string {
  const part = share === undefined ? "" : `, about ${Math.floor(share * 100)} % of the log`;
  const rest = files > 0 ? ` ${files} more ${files === 1 ? "file was" : "files were"} not read.` : "";
  return `The replay stopped reading after ${events.toLocaleString("en-US")} events${part}.${rest} The numbers cover only these events.`;
}
