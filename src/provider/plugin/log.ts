/** Writes log lines that Terraform reads: one JSON object per line on stderr, in the format of hclog. */
import { printableLines } from "../../formats/text/printable";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** Writes one line if its level is enabled. The caller keeps secrets out of message and fields. */
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;

export interface LogOptions {
  /** The lowest level written. Default: `TF_LOG_PROVIDER`, else `TF_LOG`, else off. */
  level?: LogLevel | "off";
  /** Shown by Terraform in front of the message. */
  module?: string;
  /** Writes one line that includes its newline. Default: to stderr. */
  write?: (line: string) => void;
  now?: () => Date;
}

const levels = ["trace", "debug", "info", "warn", "error"] as const;

/** The level the environment asks for. `JSON` and every misspelt word count as trace, as in Terraform itself. */
export function logLevel(env: Readonly<NodeJS.ProcessEnv>): LogLevel | "off" {
  const wanted = (env.TF_LOG_PROVIDER || env.TF_LOG || "off").toLowerCase();
  return wanted === "off" ? "off" : (levels.find((level) => level === wanted) ?? "trace");
}

export function createLog({
  level: least = logLevel(process.env),
  module = "provider.tenant",
  write = (line) => void process.stderr.write(line),
  now = () => new Date(),
}: LogOptions = {}): Log {
  return (level, message, fields) => {
    if (least === "off" || levels.indexOf(level) < levels.indexOf(least)) return;
    const line = {
      ...fields,
      "@level": level,
      "@message": message,
      "@module": module,
      "@timestamp": now().toISOString().replace("Z", "000Z"),
    };
    write(`${JSON.stringify(line, readable)}\n`);
  };
}

function readable(_name: string, value: unknown): unknown {
  if (value instanceof Error) return printableLines(value.stack ?? String(value));
  if (typeof value === "string") return printableLines(value);
  return typeof value === "bigint" ? value.toString() : value;
}
