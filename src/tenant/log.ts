/** The client's log. */
import { legible } from "./secrets";

export type Level = "trace" | "debug" | "info" | "warn" | "error";
export type Log = (level: Level, message: string, fields?: Record<string, unknown>) => void;

/** The same log without secrets and control characters. */
export function legibleLog(log: Log): Log {
  const shown = ([name, value]: [string, unknown]) => [name, typeof value === "string" ? legible(value) : value];
  return (level, message, fields) =>
    log(level, legible(message), fields && Object.fromEntries(Object.entries(fields).map(shown)));
}
