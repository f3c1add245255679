/**
 * Reads the errors of a run of `terraform plan`: from its text, or from the stream of `terraform plan -json`. Terraform writes a plan
 * file also if a provider refuses a change, but the file has neither the error nor the refused change. `--plan-output` brings the error.
 *
 *     Error: A plan would lock Terraform out            summary
 *       with tenant_network_acl.wall,                   address
 *       on main.tf line 3, in resource …:               place
 *     The ACL blocks …                                  detail
 */
import { stripVTControlCharacters } from "node:util";
import { isCode } from "../../judge/codes/codes";
import { readText, type Edge } from "./input";
import type { RunError } from "./plan";

export async function readRun(file: string, edge: Edge): Promise<RunError[]> {
  const text = await readText(file, edge);
  return (text.split("\n").some((line) => line.startsWith('{"@level"')) ? inStream(text) : inText(text)).map(coded);
}

/** Tenantform's provider ends each message with the link to the section of its code. */
function coded(error: RunError): RunError {
  const { groups: { detail, code } = {} } =
    /^(?<detail>.*?)\s*https:\S+#(?<code>tnf-[a-z-]+)$/.exec(error.detail) ?? {};
  const known = code?.toUpperCase();
  return known !== undefined && isCode(known) ? { ...error, detail: detail!, code: known } : error;
}

interface Line {
  readonly diagnostic?: {
    readonly severity?: unknown;
    readonly summary?: unknown;
    readonly detail?: unknown;
    readonly address?: unknown;
  };
}

function inStream(text: string): RunError[] {
  return text.split("\n").flatMap((line): RunError[] => {
    const { diagnostic: found } = lineIn(line);
    if (found?.severity !== "error") return [];
    const { address } = found;
    const [summary, detail] = [found.summary, found.detail].map((part) =>
      typeof part === "string" ? joined(part) : "",
    );
    return [{ summary: summary!, detail: detail!, ...(typeof address === "string" && { address }) }];
  });
}

function lineIn(line: string): Line {
  try {
    return { ...(JSON.parse(line) as Line) };
  } catch {
    // A wrapper or a warning about the settings of the machine writes other lines.
    return {};
  }
}

/** The frame around a diagnostic. */
const frame = /^[│╷╵] ?/;

function inText(text: string): RunError[] {
  const lines = stripVTControlCharacters(text).split(/\r?\n/);
  const found: { summary: string; lines: string[] }[] = [];
  let isOpen = false;
  for (const framed of lines) {
    const line = framed.replace(frame, "");
    const [, level, summary] = /^(Error|Warning): (.*)$/.exec(line) ?? [];
    if (level !== undefined || framed.startsWith("╵")) isOpen = level === "Error";
    if (level === "Error") found.push({ summary: summary!, lines: [] });
    else if (isOpen) found.at(-1)!.lines.push(line);
  }
  return found.map(({ summary, lines: own }) => {
    const [, address] = /^ {2}with (.+?),$/m.exec(own.join("\n")) ?? [];
    const detail = own.filter((line) => !/^ {2}(?:with|on) |^ +(?:\d+:|├|│|└)/.test(line)).join("\n");
    return { summary, detail: joined(detail), ...(address !== undefined && { address }) };
  });
}

const joined = (text: string) => text.replace(/\s+/g, " ").trim();
