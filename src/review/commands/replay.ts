/** Reads logs, and replays them against the plans of each tenant. */
import { createReadStream, readdirSync, statSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import * as z from "zod";
import { statesOf, type TenantObject } from "../../judge/impact/state";
import { amount, clipped } from "../../formats/text/lists";
import { block, isMarked } from "../../judge/impact/model";
import { print } from "../../formats/text/printable";
import { forms } from "../traffic/event";
import type { LoggedPolicy } from "../traffic/decider";
import { Replay, type TrafficReport } from "../traffic/replay";
import { tenantOfHost } from "../traffic/request";
import { readValues, type ValueSink } from "../traffic/values";
import { textsOf } from "../../formats/text/decoded";
import { UserError, unreadFile } from "../../formats/text/user-error";
import type { Edge } from "../input/input";
import type { ReviewInput } from "../input/review-input";

/** Reads the logs once, and replays them for all tenants. `logs`: files, folders, and `-` for standard input. */
export async function trafficOf(
  inputs: readonly ReviewInput[],
  { logs = [], since }: { readonly logs?: readonly string[]; readonly since?: string },
  edge: Edge,
  now = Date.now(),
): Promise<ReadonlyMap<ReviewInput, TrafficReport>> {
  const from = since === undefined ? -Infinity : sinceIn(since, now);
  // Events are garbage at once. A small space for new objects keeps the memory low, and costs no time.
  setFlagsFromString("--semi-space-growth-factor=1");
  const prepared = inputs.map((input) => prepare(input, inputs.length));
  const replays = prepared.map(({ sides }) => new Replay({ ...sides, now, since: from }));
  const first = replays[0]!;
  let shown = performance.now();
  const sink: ValueSink = {
    value(value) {
      for (const replay of replays) replay.value(value);
      if (performance.now() - shown < 10_000) return;
      print(process.stderr, `${amount(first.events)} events were read.\n`);
      shown = performance.now();
    },
    broken: () => replays.forEach((replay) => replay.broken()),
    torn: () => replays.forEach((replay) => replay.torn()),
  };
  for (const name of logs) {
    const before = first.events;
    await readLog(name, edge, sink);
    if (first.events === before) throw nothingRead(name, first.strangeKey);
  }
  for (const replay of replays) replay.end();
  return new Map(prepared.map(({ input, acls }, index) => [input, { replay: replays[index]!, acls }]));
}

function nothingRead(name: string, key: string | undefined): UserError {
  const seen = key === undefined ? "" : ` Its first key is ${JSON.stringify(clipped(key))}.`;
  return new UserError(
    `--logs ${name} has no log event that the review can read.${seen} Give a JSON object on each line, or one JSON value up to 256 MB, ` +
      `plain or compressed with gzip, in a form of ${forms}. \`jq -c '.[]'\` writes a list in lines.`,
  );
}

function prepare(input: ReviewInput, count: number) {
  const { tenantAddress, versions, asked } = input;
  const states = statesOf(input);
  // A plan without a host is for the tenant that --tenant read.
  const host = tenantAddress.kind === "host" ? tenantAddress.host.replace(/:\d+$/, "") : (asked?.from?.host ?? "");
  const names = [tenantOfHost(host)].filter((name) => name !== undefined);
  const policiesOf = ({ policies = [] }: typeof states.before) => policies.map(loggedPolicy);
  return {
    input,
    acls: new Map([...versions.before, ...versions.after].map((acl) => [acl.key, acl])),
    sides: {
      ...versions,
      policies: { before: policiesOf(states.before), after: policiesOf(states.after) },
      // With one tenant the plan's host may be a custom domain, but a name of the service is certain.
      ...((names.length > 0 || count > 1) && { tenants: names }),
    },
  };
}

function loggedPolicy({ address, values, sensitive }: TenantObject): LoggedPolicy {
  const { consumer_selector: selector } = values;
  const configuration = block(values["configuration"]);
  const { action, limit } = typeof configuration === "object" ? configuration : {};
  const shown = typeof selector === "string" && !isMarked(sensitive, "consumer_selector") ? selector : "";
  const number = typeof limit !== "number" && (typeof limit !== "string" || limit === "") ? NaN : Number(limit);
  return {
    name: address ?? shown,
    selector: typeof selector === "string" ? selector : undefined,
    action: typeof action === "string" ? action : undefined,
    limit: Number.isNaN(number) ? undefined : number,
  };
}

/** The file, or all files below the folder, in the order of their names. Throws if it does not exist. */
function filesAt(name: string): string[] {
  if (!statSync(name).isDirectory()) return [name];
  const files = readdirSync(name, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile()).toSorted();
}

async function readLog(name: string, edge: Edge, sink: ValueSink): Promise<void> {
  try {
    for (const file of name === "-" ? [name] : filesAt(name)) await readFile(file, edge, sink);
  } catch (error) {
    const { code, path: file = name } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw unreadFile(`--logs ${file}`, error, "give a file, a folder, or - for standard input");
  }
}

async function readFile(name: string, edge: Edge, sink: ValueSink): Promise<void> {
  if (/\.(tar(\.\w{1,4})?|tgz|tbz2?|txz)$/i.test(name))
    throw new UserError(`--logs ${name} is a tar archive: extract it, and give the folder with its files.`);
  const input = name === "-" ? (edge.stdin as Readable) : createReadStream(name);
  let isTorn = false;
  const torn = () => void (isTorn = true);
  try {
    await readValues(textsOf(input, torn), { ...sink, torn });
  } finally {
    input.destroy();
  }
  if (isTorn) sink.torn();
}

const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

const instant = z.iso.date().or(z.iso.datetime({ offset: true }));

/** A duration before now such as 7d, a date, which begins in UTC, or a time in RFC 3339. */
function sinceIn(text: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,6})([dhms])$/.exec(text) ?? [];
  if (count) return now - Number(count) * units[unit]!;
  if (instant.safeParse(text).success) return Date.parse(text);
  const remedy = "give one such as 7d, 12h, 2026-11-15 or 2026-11-15T10:00:00Z.";
  throw new UserError(`--since ${JSON.stringify(text)} is no time: ${remedy}`, "usage");
}
