/** Replays logs: every form of the output, damaged logs, privacy, and evidence in a review. */
import { sentence } from "../../src/impact/words/words";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { Values } from "../../src/impact/model";
import { review } from "../../src/review/command";
import { toJson } from "../../src/review/json";
import { pagesOf } from "../../src/review/render/layout";
import { toText } from "../../src/review/render/text";
import { replay, type ReplayFlags } from "../../src/review/replay/command";
import { createProgress } from "../../src/review/replay/progress";
import { replayLogs, sinceIn } from "../../src/review/replay/read";
import { mainLines } from "../../src/review/replay/sections";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";
import { openFolder, printed } from "./support/command";
import { acl, block, change, kept, plan, planText } from "./support/plan";
import { faultOf, replayFaultOf, replaySchema, schema } from "./support/schema";

const { at, put, read } = openFolder();
const now = Date.parse("2026-11-22T00:00:00Z");

const nets = (action: object) =>
  acl(2, { action, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { description: "Nets" });
const german = acl(1, { action: block, match: { geo_country_codes: ["DE"] } }, { description: "<b>@all" });
const changes = [
  change("tenant_network_acl.de", null, german),
  change("tenant_network_acl.nets", nets({ log: true }), nets(block)),
];
const file = put("plan.json", planText(changes));

const secrets = ["auth0|secret-user", "person@example.com", "203.0.113.77", "2001:db8:1:2::3"];
const hour = 3_600_000;
const start = now - 100 * hour;

/** 100 hours with one request an hour from Germany, one from the network, and three token requests. */
const events = Array.from({ length: 500 }, (_, index) => {
  const kind = index % 5;
  return {
    log_id: `9002026${index}`,
    date: new Date(start + Math.floor(index / 5) * hour).toISOString(),
    type: kind < 2 ? "s" : "seccft",
    ip: kind === 0 ? "203.0.113.77" : kind === 1 ? "198.51.100.9" : "2001:db8:1:2::3",
    client_id: "app",
    client_name: "<script>alert(1)</script>|@team\u001b[31m",
    user_agent: kind === 0 ? "a](javascript:x)\u202e `b` | @me" : "Chrome 120.0.0 / Mac OS X 10.15.7",
    user_id: kind < 2 ? "auth0|secret-user" : "",
    user_name: "person@example.com",
    hostname: "acme.eu.auth0.com",
    location_info: { country_code: kind === 0 ? "DE" : "US" },
  };
});
const passed = (id: number, limit: object) => ({
  log_id: `90020260000${id}`,
  date: events[0]!.date,
  type: "api_limit",
  details: { limit },
});
const linesOf = (all: readonly object[]) => all.map((event) => JSON.stringify(event)).join("\n");
const lines = linesOf([...events, passed(1, { bucket: "default" }), passed(2, { bucket: "<img src=x>" })]);

interface Reading {
  readonly logs: readonly string[];
  readonly changes?: readonly Values[];
  readonly since?: number;
  readonly signal?: AbortSignal;
  readonly host?: string;
  readonly stdin?: Readable;
  readonly onProgress?: () => void;
}

async function reviewed({ logs, changes: own = changes, host, stdin, onProgress, ...more }: Reading) {
  const [tenant] = tenantsIn([{ name: "plan", plan: plan(own) }]);
  const options = {
    logs,
    remote: new Map(host === undefined ? [] : [[tenant!, { from: { host, isCommon: true } }]]),
    now,
    progress: { update: onProgress ?? (() => {}), end() {} },
    signal: new AbortController().signal,
    ...more,
  };
  const reports = await replayLogs([tenant!], { stdin: stdin ?? Readable.from([]), environment: {} }, options);
  const traffic = reports.get(tenant!)!;
  return { traffic, whole: reviewTenant(tenant!, { traffic }).whole };
}

const replayed = (flags: ReplayFlags) => printed((edge) => replay([file], flags, edge));

test("replays a compressed log in every form, without users, addresses or active text", async () => {
  const logs = [put("week.jsonl.gz", gzipSync(lines))];
  const outputs = ["out.txt", "out.md", "out.json", "out.html"];
  expect(await replayed({ logs, output: outputs.map(at) })).toEqual({ code: 0, stdout: "", stderr: "" });
  const [text, markdown, json, html] = outputs.map(read) as [string, string, string, string];
  for (const output of [text, markdown, json, html]) {
    for (const secret of secrets) expect(output).not.toContain(secret);
    for (const hostile of ["\u202e", "\u001b"]) expect(output).not.toContain(hostile);
  }
  expect(text).toContain("The plan blocks 200 of 500 logged requests in 4 days that are allowed now (1 user).\n");
  expect(text).toContain("203.0.113.0/24");
  expect(text).toContain("The log has 2 api_limit events.");
  expect(text).toContain(
    '"Nets" (priority 2) changes from log to block: it matches 100 of 500 logged requests (20 %), 1 known user',
  );
  // Nothing is active in a span of code.
  expect(markdown.replace(/`[^`]*`/g, "")).not.toMatch(/<script|<b>|@team|[^\\]\]\(/);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain("<svg");
  expect(html).not.toMatch(/<b>@all|<img/);
  expect(replayFaultOf(JSON.parse(json))).toBeUndefined();
  expect(JSON.parse(json).replays).toMatchObject([
    { api_limits: 2, requests: 500, newly_blocked: { count: 200, users: 1 } },
  ]);
});

test("describes the same traffic in the schemas of replays and of reviews", () => {
  const { name, ...properties } = replaySchema.$defs["replay"]!.properties!;
  const { traffic, traffic_group: group } = schema.$defs;
  expect(name).toBeDefined();
  expect({ properties, required: replaySchema.$defs["replay"]!.required }).toEqual({
    properties: traffic!.properties,
    required: ["name", ...traffic!.required!],
  });
  expect(replaySchema.$defs["traffic_group"]).toEqual(group);
});

test.each<[string, ReplayFlags, string]>([
  ["no log", {}, "Give the log"],
  ["a missing log", { logs: [at("absent.jsonl")] }, "does not exist"],
  ["users outside of a terminal", { logs: [file], show: "users" }, "works only on a terminal"],
  ["a format of reviews", { logs: [file], format: "sarif" }, "is not known: choose one of text, markdown, json, html"],
  ["a form that it cannot read", { logs: [put("logs.zip", "PK\u0003\u0004 and more")] }, "is in the form zip, which"],
])("refuses %s in one line, and links to the section", async (_, flags, words) => {
  const { code, stdout, stderr } = await replayed(flags);
  expect([code === 1 || code === 2, stdout]).toEqual([true, ""]);
  expect(stderr).toMatch(/^[^\n]+#tenantform-replay\n$/);
  expect(stderr).toContain(words);
});

test("reads the same from a folder with torn, broken and repeated files", async () => {
  const gzip = gzipSync(lines);
  put("logs/a.jsonl", lines);
  put(
    "logs/b.json",
    JSON.stringify(
      events.map(({ log_id, ...data }) => ({ log_id, data })),
      undefined,
      2,
    ),
  );
  put("logs/c.jsonl.gz", gzip.subarray(0, gzip.length - 100));
  put("logs/d.jsonl", `${lines.slice(0, 2000)}\nwords\n{"a":1}\n`);
  put("logs/e.empty", "");
  const { tally, troubles } = (await reviewed({ logs: [at("logs")] })).traffic.replayed;
  expect([tally.requests, tally.groups.get("blocks")?.count]).toEqual([500, 200]);
  expect([troubles.torn, troubles.broken, troubles.strange]).toEqual([1, 2, 1]);
  expect(troubles.duplicates).toBeGreaterThan(500);
});

test("shows the replay first in a review, and takes it as evidence", async () => {
  const logs = [put("all.jsonl", lines)];
  const { whole } = await reviewed({ logs });
  expect(whole.effects.map(({ code }) => code)).not.toContain("TNF-ENFORCEMENT-UNPROVEN");
  expect(whole.effects.map(sentence)).toContainEqual(
    expect.stringContaining('"Nets" (priority 2) changes from log to block: it matches 100 of 500'),
  );
  expect(toText(pagesOf([whole]))).toMatch(
    /\n\nLogged requests\n- The plan blocks 200 of 500 logged requests in 4 days/,
  );
  expect(faultOf(JSON.parse(JSON.stringify(toJson(whole))))).toBeUndefined();
  const { code, stdout: html } = await printed((edge) => review([file], { logs, format: "html" }, "0.0.0", edge));
  expect([code, html]).toEqual([0, expect.stringContaining("<svg")]);
  expect(html.indexOf("Logged requests")).toBeLessThan(html.indexOf("Changed objects"));
  for (const secret of secrets) expect(html + JSON.stringify(toJson(whole))).not.toContain(secret);
});

const near = (event: (typeof events)[number]) => Math.abs(Date.parse(event.date) - (now - 50 * hour)) < 40 * hour;

test.each<[string, () => Promise<Values["whole"]>, string, RegExp]>([
  [
    "without a log",
    async () => {
      const [tenant] = tenantsIn([{ name: "plan", plan: plan(changes) }]);
      return reviewTenant(tenant!, { enforcement: { level: "high" } }).whole;
    },
    "high",
    /^"Nets" \(priority 2\) changes from log to block, but the review has no log/,
  ],
  [
    "with a log that is too short",
    async () => (await reviewed({ logs: [put("short.jsonl", lines)], since: now - 48 * hour })).whole,
    "medium",
    /the log covers 47 hours of the 72 hours/,
  ],
  [
    "with a large gap in the log",
    async () => (await reviewed({ logs: [put("gap.jsonl", linesOf(events.filter((event) => !near(event))))] })).whole,
    "medium",
    /the log covers 19 hours of the 72 hours/,
  ],
])("finds an enforcement unproven %s", async (_what, whole, level, words) => {
  const { effects } = (await whole()) as { effects: { code: string; level: string; text: string }[] };
  expect(effects.filter(({ code }) => code === "TNF-ENFORCEMENT-UNPROVEN")).toMatchObject([
    { level, text: expect.stringMatching(words) },
  ]);
});

test("says in the first line what it assumes, and how many events of other tenants it left out", async () => {
  const other = { ...events[0], tenant_name: "beta", log_id: "other" };
  const logs = [put("two.jsonl", linesOf([...events.map((event) => ({ ...event, tenant_name: "acme" })), other]))];
  const asn = kept("tenant_network_acl.asn", acl(7, { action: block, match: { asns: [64_500] } }));
  const first = async (host?: string) =>
    mainLines((await reviewed({ logs, changes: [...changes, asn], ...(host && { host }) })).traffic)[0];
  expect(await first()).toBe(
    "The plan blocks 200 of 500 logged requests in 4 days that are allowed now (1 user). This assumes that no rule matches by the AS " +
      "number, which no event has. 1 event is left out, because the plan does not name its tenant, and acme has the most events of 2 tenants.",
  );
  expect(await first("beta.eu.auth0.com")).toMatch(/^The plan blocks 1 of 1 logged request .*which no event has\.$/);
});

test("ends when it is stopped, and says how far it came, also at standard input", async () => {
  const stopping = new AbortController();
  stopping.abort();
  const { traffic } = await reviewed({ logs: [put("long.jsonl", lines), file], signal: stopping.signal });
  expect(traffic.stopped).toMatch(
    /^The replay stopped reading after \d+ events, about \d+ % of the log\. 1 more file was not read\./,
  );
  const waiting = new AbortController();
  const stdin = new Readable({ read() {} });
  stdin.push(`${lines}\n`);
  const onProgress = () => void setImmediate(() => waiting.abort());
  const { stopped } = (await reviewed({ logs: ["-"], stdin, onProgress, signal: waiting.signal })).traffic;
  expect(stopped).toBe("The replay stopped reading after 502 events. The numbers cover only these events.");
});

test("shows the rate and the remaining time", () => {
  const shown: string[] = [];
  let time = 0;
  const progress = createProgress({ isTTY: true, write: (text) => shown.push(text) }, () => time);
  progress.update(0, 0);
  time = 10_000;
  progress.update(1_000_000, 0.25);
  progress.end();
  expect(shown).toEqual(["\r\u001b[K1,000,000 events, 25 %, 100,000 events/s, 30 seconds left", "\r\u001b[K"]);
});

test.each([
  ["7d", now - 7 * 24 * hour],
  ["12h", now - 12 * hour],
  ["2028-02-29", Date.parse("2028-02-29")],
  ["2026-11-15T10:00", Date.parse("2026-11-15T10:00")],
  ["2026-11-15T10:00:30.5+01:00", Date.parse("2026-11-15T09:00:30.5Z")],
])("reads --since %s", (text, time) => expect(sinceIn(text, now)).toBe(time));

test.each(["", "7", "soon", "7 weeks", "2026-02-30", "2027-02-29", "2026-13-01", "2026-11-15T25:00", "15 Nov 2026"])(
  "refuses --since %j",
  (text) => expect(() => sinceIn(text, now)).toThrow("--since"),
);
