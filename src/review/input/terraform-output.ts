/**
 * Reads the errors of a run of `terraform plan`: from its text, from the stream of `terraform plan -json`, or from a mix of both. Terraform
 * writes a plan file also if a provider refuses a change, but the file has neither the error nor the refused change. `--plan-output`
 * brings the error. Each line is read by itself: other programs write between them, before them, and in another encoding.
 *
 *     Error: A plan would lock Terraform out            summary
 *       with tenant_network_acl.wall,                   address
 *       on main.tf line 3, in resource …:               place
 *     The ACL blocks …                                  detail
 */
import { stripVTControlCharacters } from "node:util";
import { isCode } from "../../judge/codes/codes";
import { jsonIn } from "../../formats/text/record";
import { UserError } from "../../formats/text/user-error";
import { readText, type Edge } from "./input";
import type { RunError } from "./plan";

/** What is known of a run of `terraform plan`. */
export interface Run {
  /** The file with its output, as text or as a stream. */
  readonly output?: string | undefined;
  /** 0, and 2 with -detailed-exitcode: it planned. */
  readonly exitCode?: number | undefined;
}

/** The errors of the run, at least one if it failed, and the warning with effects of a run that failed. Throws a UserError if the output is not that of a run that ended. */
export async function readRun({ output, exitCode = 0 }: Run, edge: Edge): Promise<RunError[]> {
  const hasFailed = ![0, 2].includes(exitCode);
  const ended = [{ summary: `terraform plan ended with the exit code ${exitCode}`, detail: "" }];
  if (output === undefined) return hasFailed ? ended : [];
  const text = await readText(output, edge);
  const lines = text.split(/\r\n|\r|\n/);
  const messages = lines.map(messageIn);
  const written = lines.filter((_, index) => !messages[index]).map(bareLine);
  const all = [...messages.flatMap((one) => (one ? messageOf(one) : [])), ...inText(written)].map(coded);
  const found = all.filter(({ isWarning, code }) => !isWarning || code === "TNF-PLAN-EFFECTS");
  if (found.some(({ isWarning }) => !isWarning)) return found;
  if (hasFailed) return ended;
  if (messages.some((one) => one?.type === "change_summary") || isFinished(written)) return [];
  throw new UserError(
    `${output} is not the output of a plan that ended: it has neither an error nor a last line such as "Plan: 1 to add" or "No changes". Give the whole output of \`terraform plan\`, with \`2>&1\`.`,
    "input",
  );
}

/** Tenantform's provider ends each message with the link to the section of its code. */
function coded(error: RunError): RunError {
  const { groups: { detail, code } = {} } =
    /^(?<detail>.*?)\s*https:\S+#(?<code>tnf-[a-z-]+)$/.exec(error.detail) ?? {};
  const known = code?.toUpperCase();
  return known !== undefined && isCode(known) ? { ...error, detail: detail!, code: known } : error;
}

/** A line of the stream. */
interface Message {
  readonly "@level"?: unknown;
  readonly "@message"?: unknown;
  readonly type?: unknown;
  readonly diagnostic?: { readonly [part in "severity" | "summary" | "detail" | "address"]?: unknown } | null;
}

/** A log puts a time before each line. */
function messageIn(line: string): Message | undefined {
  const start = line.indexOf("{");
  if (start === -1 || /[^\s\d:.,+TZ[\]-]/.test(line.slice(0, start))) return undefined;
  const read = jsonIn(line.slice(start)) as Message | undefined;
  return read && ("@level" in read || "diagnostic" in read) ? read : undefined;
}

function messageOf({ diagnostic: found, ...message }: Message): RunError[] {
  const severity = found?.severity ?? message["@level"];
  if (severity !== "error" && severity !== "warning") return [];
  const summary = joined(found?.summary) || joined(message["@message"]) || "an error without a text";
  const address = found?.address;
  return [
    {
      summary,
      detail: joined(found?.detail),
      ...(typeof address === "string" && { address }),
      ...(severity === "warning" && { isWarning: true }),
    },
  ];
}

/** The time before a line, or the stack that `cdktf` puts before it, with the frame around a diagnostic. */
const before =
  /^(?:\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]? ?)?(?:[^│╷╵]{0,80}[│╷╵] ?)?/;

interface Line {
  readonly text: string;
  readonly closes: boolean;
}

function bareLine(line: string): Line {
  const bare = stripVTControlCharacters(line);
  return { text: bare.replace(before, ""), closes: /^[^│]*╵/.test(bare) };
}

function inText(lines: readonly Line[]): RunError[] {
  const found: { level: string; summary: string; lines: string[] }[] = [];
  let isOpen = false;
  for (const { text, closes } of lines) {
    const [, level, summary = ""] = /^(Error|Warning|panic): (.*)$/.exec(text) ?? [];
    if (level !== undefined || closes) isOpen = level === "Error" || level === "Warning";
    if (level !== undefined) found.push({ level, summary: level === "panic" ? text : summary, lines: [] });
    else if (isOpen) found.at(-1)!.lines.push(text);
  }
  return found.map(({ level, summary, lines: own }) => {
    const [, address] = /^ {2}with (.+?),$/m.exec(own.join("\n")) ?? [];
    const detail = own.filter((line) => !/^ {2}(?:with|on) |^ +(?:\d+:|├|│|└)/.test(line)).join("\n");
    return {
      summary,
      detail: joined(detail),
      ...(address !== undefined && { address }),
      ...(level === "Warning" && { isWarning: true as const }),
    };
  });
}

/** Terraform writes the number of changes before an error, too: it says then that it encountered a problem. `cdktf` puts the stack before each line. */
const isFinished = (lines: readonly Line[]): boolean =>
  lines.some(({ text }) => last.test(text)) &&
  !lines.some(({ text }) => text.includes("planned the following actions, but then encountered a problem"));

const last =
  /(?:^|\s)(?:Plan: \d+ to |No changes\. |Saved the plan to: |You can apply this plan to save these new output values|This is a refresh-only plan)/;

const joined = (text: unknown) => (typeof text === "string" ? text.replace(/\s+/g, " ").trim() : "");
