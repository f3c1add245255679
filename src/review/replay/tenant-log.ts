/** Reads the log of the environment's tenant, within its quota. */
import type { LogRecord } from "../../tenant/logs";
import type { ValueSink } from "../../traffic/values";
import { ask } from "../ask";

interface TenantLogOptions {
  readonly since: number;
  readonly signal: AbortSignal;
  /** Called after each page. */
  report(): void;
}

/** Returns how far it came if it was stopped. */
export function readTenantLog(
  environment: NodeJS.ProcessEnv,
  sink: ValueSink,
  { since, signal, report }: TenantLogOptions,
): Promise<string | undefined> {
  return ask(environment, async ({ logs }) => {
    const first = await logs.firstSince(new Date(since));
    if (!first) return undefined;
    sink.value(first);
    let last = first;
    for (let id = idOf(first); id !== undefined; id = idOf(last)) {
      const page = await logs.after(id);
      for (const event of page) sink.value(event);
      const newest = page.at(-1);
      if (!newest || idOf(newest) === id) return undefined;
      last = newest;
      report();
      if (signal.aborted) return stoppedWords(last);
    }
    return undefined;
  });
}

function idOf(event: LogRecord): string | undefined {
  const id = event["log_id"] ?? event["_id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

function stoppedWords(last: LogRecord): string {
  const date = typeof last["date"] === "string" ? last["date"].slice(0, 30) : "an unknown time";
  return `The replay stopped reading at the events of ${date}. The numbers cover only the events before that. To read the rest, give --since ${date}.`;
}
