/** Where the client tells what it does. */
import { legible } from "./secrets";

export type Level = "trace" | "debug" | "info" | "warn" | "error";
export type Log = (level: Level, message: string, fields?: Record<string, unknown>) => void;

/** The same log, in which no secret and no control character can stand. */
export function legibleLog(log: Log): Log {
  const shown = ([name, value]: [string, unknown]) => [name, typeof value === "string" ? legible(value) : value];
  return (level, message, fields) =>
    log(level, legible(message), fields && Object.fromEntries(Object.entries(fields).map(shown)));
}
