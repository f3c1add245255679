/** Replays logs with the built command: every form of the output, damaged logs, privacy, and evidence in a review. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { run } from "../support/program";
import { acl, block, change, plan, planText } from "./support/plan";
import { faultOf, replayFaultOf, replaySchema, schema } from "./support/schema";
import { toJson } from "../../src/review/json";
import { toText } from "../../src/review/render/text";
import { createProgress } from "../../src/review/replay/progress";
import { replayLogs, sinceIn } from "../../src/review/replay/read";
import { mainLines } from "../../src/review/replay/sections";
import { reviewTenant, tenantsIn } from "../../src/review/tenants";

const cli = path.join(__dirname, "../../dist/cli.js");
const quiet = { update() {}, end() {} };
const edge = { stdin: process.stdin, environment: {} };
const now = Date.parse("2026-11-22T00:00:00Z");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-replay-"));
  await writeFile(path.join(folder, "plan.json"), planText(changes));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const nets = (action: object) =>
  acl(2, { action, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { description: "Nets" });
const changes = [
  change(
    "tenant_network_acl.de",
    null,
    acl(1, { action: block, match: { geo_country_codes: ["DE"] } }, { description: "<b>@all" }),
  ),
  change("tenant_network_acl.nets", nets({ log: true }), nets(block)),
];

const secrets = ["auth0|secret-user", "person@example.com", "203.0.113.77", "2001:db8:1:2::3"];
const hour = 3_600_000;
const start = now - 100 * hour;

/** 100 hours with one request an hour from Germany, one from the network, and three token requests. */
const events = Array.from({ length: 500 }, (_, index) => {
  const at = start + Math.floor(index / 5) * hour;
  const kind = index % 5;
  return {
    log_id: `9002026${index}`,
    date: new Date(at).toISOString(),
    type: kind < 2 ? "s" : "seccft",
    ip: kind === 0 ? "203.0.113.77" : kind === 1 ? "198.51.100.9" : "2001:db8:1:2::3",
    client_id: "app",
    client_name: "<script>alert(1)</script>|@team\u001b[31m",
    user_agent: kind === 0 ? "a](javascript:x)\u202e `b` | @me" : "Chrome 120.0.0 / Mac OS X 10.15.7",
    user_id: kind < 2 ? "auth0|secret-user" : "",
    user_name: "person@example.com",
    hostname: "acme.eu.auth0.com",
    location_info: { country_code: kind === 0 ? "DE" : "FR" },
  };
});
const passed = (id: number, limit: object, more: object = {}) => ({
  log_id: `90020260000${id}`,
  date: events[0]!.date,
  type: "api_limit",
  client_id: "app",
  details: { limit, ...more },
});
const reported = [
  passed(1, { bucket: "default", global: false, size: 25 }, { policy: "rlp_1", action: "log" }),
  passed(2, { bucket: "<img src=x>", global: true, size: 100 }),
];
const lines = [...events, ...reported].map((event) => JSON.stringify(event)).join("\n");

async function reviewed(
  logs: readonly string[],
  more: { readonly since?: number; readonly signal?: AbortSignal } = {},
) {
  const tenants = tenantsIn([{ name: "plan", plan: plan(changes) }]);
  const signal = more.signal ?? new AbortController().signal;
  const options = { logs, remote: new Map(), now, progress: quiet, ...more, signal };
  const traffic = (await replayLogs(tenants, edge, options)).get(tenants[0]!)!;
  return { traffic, whole: reviewTenant(tenants[0]!, { traffic }).whole };
}

const file = async (name: string, bytes: string | Buffer) => {
  await writeFile(path.join(folder, name), bytes);
  return path.join(folder, name);
};

test("replays a compressed log in every form, without users, addresses or active text", async () => {
  await file("week.jsonl.gz", gzipSync(lines));
  const outputs = ["out.txt", "out.md", "out.json", "out.html"];
  const flags = outputs.flatMap((name) => ["--output", name]);
  const { code, stderr } = await run(
    process.execPath,
    [cli, "replay", "plan.json", "--logs", "week.jsonl.gz", ...flags],
    {
      cwd: folder,
    },
  );
  expect([code, stderr]).toEqual([0, ""]);
  const [text, markdown, json, html] = await Promise.all(
    outputs.map((name) => readFile(path.join(folder, name), "utf8")),
  );
  for (const output of [text, markdown, json, html]) {
    for (const secret of secrets) expect(output).not.toContain(secret);
    expect(output).not.toMatch(/\u202e/);
    expect(output).not.toContain("\u001b");
  }
  expect(text!.split("\n")[1]).toMatch(
    /^The plan blocks 200 of 500 logged requests in 4 days that are allowed now \(1 user\)\.$/,
  );
  expect(text).toContain("203.0.113.0/24");
  expect(text).toContain(
    "The log has 2 api_limit events. The service logs at most one a minute for each limit and application, so this is not the " +
      "number of rejected requests.",
  );
  expect(text).toContain(
    '"Nets" (priority 2) changes from log to block: it matches 100 of 500 logged requests (20 %), 1 known user',
  );
  // Nothing is active in a span of code.
  expect(markdown!.replace(/`[^`]*`/g, "")).not.toMatch(/<script|<b>|@team|[^\\]\]\(/);
  expect(html!.match(/<script/g)).toHaveLength(1);
  expect(html).not.toContain("<b>@all");
  expect(html).toContain("<svg");
  expect(html).not.toContain("<img");
  expect(replayFaultOf(JSON.parse(json!))).toBeUndefined();
  const [replay] = JSON.parse(json!).replays;
  expect(replay.api_limits).toBe(2);
  expect([replay.requests, replay.newly_blocked.count, replay.newly_blocked.users]).toEqual([500, 200, 1]);
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

test.each([
  ["no log", []],
  ["a missing log", ["--logs", "absent.jsonl"]],
  ["users outside of a terminal", ["--logs", "plan.json", "--show", "users"]],
  ["a format of reviews", ["--logs", "plan.json", "--format", "sarif"]],
])("refuses %s in one line, and links to the section", async (_, flags) => {
  const { code, stdout, stderr } = await run(process.execPath, [cli, "replay", "plan.json", ...flags], { cwd: folder });
  expect([code === 1 || code === 2, stdout, stderr.trim().split("\n").length]).toEqual([true, "", 1]);
  expect(stderr).toContain("#tenantform-replay");
});

test("reads the same from a folder with torn, broken and repeated files", async () => {
  await mkdir(path.join(folder, "logs"));
  const gzip = gzipSync(lines);
  await file("logs/a.jsonl", lines);
  await file(
    "logs/b.json",
    JSON.stringify(
      events.map(({ log_id: id, ...data }) => ({ log_id: id, data })),
      undefined,
      2,
    ),
  );
  await file("logs/c.jsonl.gz", gzip.subarray(0, gzip.length - 100));
  await file("logs/d.jsonl", `${lines.slice(0, 2000)}\nwords\n{"a":1}\n`);
  await file("logs/e.empty", "");
  const { traffic } = await reviewed([path.join(folder, "logs")]);
  const { tally, troubles } = traffic.replayed;
  expect([tally.requests, tally.groups.get("blocks")?.count]).toEqual([500, 200]);
  expect([troubles.torn, troubles.broken, troubles.strange]).toEqual([1, 2, 1]);
  expect(troubles.duplicates).toBeGreaterThan(500);
});

test("shows the replay first in a review, and takes it as evidence", async () => {
  const { whole } = await reviewed([await file("all.jsonl", lines)]);
  expect(whole.effects.map(({ code }) => code)).not.toContain("TNF-ENFORCEMENT-UNPROVEN");
  expect(whole.effects.map(({ text }) => text)).toContainEqual(
    expect.stringContaining('"Nets" (priority 2) changes from log to block: it matches 100 of 500'),
  );
  expect(toText([whole])).toMatch(/\n\nLogged requests\n- The plan blocks 200 of 500 logged requests in 4 days/);
  expect(faultOf(JSON.parse(JSON.stringify(toJson(whole))))).toBeUndefined();
  const flags = ["--logs", "all.jsonl", "--format", "html"];
  const { code, stdout: html } = await run(process.execPath, [cli, "review", "plan.json", ...flags], { cwd: folder });
  expect([code, html]).toEqual([0, expect.stringContaining("<svg")]);
  expect(html.indexOf("Logged requests")).toBeLessThan(html.indexOf("Changed objects"));
  for (const secret of secrets) expect(html + JSON.stringify(toJson(whole))).not.toContain(secret);
});

test("finds an enforcement unproven without a log, with a log that is too short, and with one that has a large gap", async () => {
  const effect = (one: Awaited<ReturnType<typeof reviewed>>["whole"]) =>
    one.effects.filter(({ code }) => code === "TNF-ENFORCEMENT-UNPROVEN").map(({ level, text }) => [level, text]);
  const [tenant] = tenantsIn([{ name: "plan", plan: plan(changes) }]);
  expect(effect(reviewTenant(tenant!, { enforcement: { level: "high" } }).whole)).toEqual([
    ["high", expect.stringMatching(/^"Nets" \(priority 2\) changes from log to block, but the review has no log/)],
  ]);
  const { whole } = await reviewed([await file("short.jsonl", lines)], { since: now - 48 * hour });
  expect(effect(whole)).toEqual([["medium", expect.stringContaining("the log covers 47 hours of the 72 hours")]]);
  const ends = events.filter(({ date }) => Math.abs(Date.parse(date) - (now - 50 * hour)) >= 40 * hour);
  const gap = await reviewed([await file("gap.jsonl", ends.map((event) => JSON.stringify(event)).join("\n"))]);
  expect(effect(gap.whole)).toEqual([["medium", expect.stringContaining("the log covers 19 hours of the 72 hours")]]);
});

test("says in the first line what it assumes, and how many events of other tenants it left out", async () => {
  const elsewhere = { tenant_name: "beta", log_id: "other" };
  const all = [...events.map((event) => ({ ...event, tenant_name: "acme" })), { ...events[0], ...elsewhere }];
  const asn = acl(7, { action: block, match: { asns: [64_500] } });
  const own = [...changes, change("tenant_network_acl.asn", asn, asn)];
  const tenants = tenantsIn([{ name: "plan", plan: plan(own) }]);
  const logs = [await file("two.jsonl", all.map((event) => JSON.stringify(event)).join("\n"))];
  const options = { logs, remote: new Map(), now, progress: quiet, signal: new AbortController().signal };
  const report = (await replayLogs(tenants, edge, options)).get(tenants[0]!)!;
  expect(mainLines(report)[0]).toBe(
    "The plan blocks 200 of 500 logged requests in 4 days that are allowed now (1 user). This assumes that no rule matches by the AS " +
      "number, which no event has. 1 event is left out, because the plan does not name its tenant, and acme has the most events of 2 tenants.",
  );
  const from = { host: "beta.eu.auth0.com", isCommon: true };
  const read = { ...options, remote: new Map([[tenants[0]!, { from }]]) };
  expect(mainLines((await replayLogs(tenants, edge, read)).get(tenants[0]!)!)[0]).toMatch(
    /^The plan blocks 1 of 1 logged request .*which no event has\.$/,
  );
});

test("names a file in a form that it cannot read, and the remedy", async () => {
  const zip = await file("logs.zip", "PK\u0003\u0004 and more");
  await expect(reviewed([zip])).rejects.toThrow(
    `--logs ${zip} is in the form zip, which a replay cannot read: give JSON or gzip.`,
  );
});

test("ends when it is stopped, and says how far it came", async () => {
  const stopping = new AbortController();
  stopping.abort();
  const { traffic } = await reviewed([await file("long.jsonl", lines), path.join(folder, "plan.json")], {
    signal: stopping.signal,
  });
  expect(traffic.stopped).toMatch(
    /^The replay stopped reading after \d+ events, about \d+ % of the log\. 1 more file was not read\./,
  );
});

test("does not wait for standard input when it is stopped", async () => {
  const stopping = new AbortController();
  const stdin = new Readable({ read() {} });
  stdin.push(`${lines}\n`);
  const progress = { update: () => void setImmediate(() => stopping.abort()), end() {} };
  const tenants = tenantsIn([{ name: "plan", plan: plan(changes) }]);
  const options = { logs: ["-"], remote: new Map(), now, progress, signal: stopping.signal };
  const traffic = (await replayLogs(tenants, { stdin, environment: {} }, options)).get(tenants[0]!)!;
  expect(traffic.stopped).toBe("The replay stopped reading after 502 events. The numbers cover only these events.");
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
  ["2026-11-15", Date.parse("2026-11-15")],
  ["2028-02-29", Date.parse("2028-02-29")],
  ["2026-11-15T10:00", Date.parse("2026-11-15T10:00")],
  ["2026-11-15T10:00:30.5+01:00", Date.parse("2026-11-15T09:00:30.5Z")],
])("reads --since %s", (text, time) => expect(sinceIn(text, now)).toBe(time));

test.each(["", "7", "soon", "7 weeks", "2026-02-30", "2027-02-29", "2026-13-01", "2026-11-15T25:00", "15 Nov 2026"])(
  "refuses --since %j",
  (text) => expect(() => sinceIn(text, now)).toThrow("--since"),
);
