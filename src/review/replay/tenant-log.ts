/** Reads the log of the environment's tenant, within its quota. */
import type { LogRecord } from "../../tenant/logs";
import { oneLine } from "../../text/printable";
import type { ValueSink } from "../../traffic/values";
import { ask } from "../ask";

interface TenantLogOptions {
  readonly since: number;
  readonly signal: AbortSignal;
  /** Called after each page. */
  report(): void;
}

export interface Stopped {
  /** Why, and how far the reading came. */
  readonly words: string;
  /** Whether an error ended it, not Ctrl-C. */
  readonly isFailed: boolean;
}

/** Returns undefined if it read everything. */
export function readTenantLog(
  environment: NodeJS.ProcessEnv,
  sink: ValueSink,
  { since, signal, report }: TenantLogOptions,
): Promise<Stopped | undefined> {
  return ask(environment, async ({ logs }) => {
    const first = await orStopped(() => logs.firstSince(new Date(since)), signal);
    if (first === isStopped) return { words: stoppedWords(undefined), isFailed: false };
    if (!first) return undefined;
    sink.value(first);
    let last = first;
    const pages = new Set<string>();
    for (let id = idOf(first); id !== undefined; id = idOf(last)) {
      try {
        const page = await orStopped(() => logs.after(id!), signal);
        if (page === isStopped) return { words: stoppedWords(last), isFailed: false };
        for (const event of page) sink.value(event);
        const newest = page.at(-1);
        if (!newest || idOf(newest) === id) return undefined;
        pages.add(id);
        if (pages.has(idOf(newest) ?? "")) return { words: repeatedWords(newest), isFailed: true };
        last = newest;
        report();
      } catch (error) {
        // The events so far took API calls, so they are not thrown away.
        return { words: failedWords(last, error as Error), isFailed: true };
      }
    }
    return undefined;
  });
}

const isStopped = Symbol("stopped");

/** Does not wait for a response, because the tenant may make the client wait for minutes. */
async function orStopped<Value>(read: () => Promise<Value>, signal: AbortSignal): Promise<Value | typeof isStopped> {
  if (signal.aborted) return isStopped;
  let stop = () => {};
  const stopping = new Promise<typeof isStopped>((resolve) => (stop = () => resolve(isStopped)));
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([read(), stopping]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function idOf(event: LogRecord): string | undefined {
  const id = event["log_id"] ?? event["_id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

function stoppedWords(last: LogRecord | undefined): string {
  return last === undefined
    ? "The replay stopped before the first event."
    : `The replay stopped reading at the events of ${dateOf(last)}. ${restWords(last)}`;
}

function failedWords(last: LogRecord, { message }: Error): string {
  return `The replay stopped reading at the events of ${dateOf(last)}, because the tenant could not be read (${oneLine(message).replace(/\.$/, "")}). ${restWords(last)}`;
}

function repeatedWords(newest: LogRecord): string {
  return `The replay stopped reading, because the pages of the tenant's log go in a circle: the page after the events of ${dateOf(newest)} ended with an event that an earlier page had. The numbers cover only the events so far.`;
}

function restWords(last: LogRecord): string {
  return `The numbers cover only the events before that. To read the rest, give --since ${dateOf(last)}.`;
}

const dateOf = ({ date }: LogRecord) => (typeof date === "string" ? date.slice(0, 30) : "an unknown time");
