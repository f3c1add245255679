/** Replays logs in a review: every form of the output, logs that are not read, privacy, and the time of --since. */
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { Values } from "../../src/judge/impact/model";
import { review, type ReviewFlags } from "../../src/review/commands/command";
import { trafficOf } from "../../src/review/commands/replay";
import { trafficSection } from "../../src/review/report/traffic";
import { reviewInput } from "../../src/review/input/review-input";
import { tenantsIn } from "../../src/review/input/tenants";
import { openFolder, printed } from "./support/command";
import { acl, block, kept } from "./support/objects";
import { change, configured, constant, plan, planText } from "./support/plan";
import { faultOf } from "./support/schema";

const { at, put, read } = openFolder();
const now = Date.parse("2026-11-22T00:00:00Z");

const nets = (action: object) =>
  acl(2, { action, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { description: "Nets" });
const german = acl(1, { action: block, match: { geo_country_codes: ["DE"] } }, { description: "<b>@all" });
const logged = change("tenant_network_acl.nets", nets({ log: true }), nets(block));
const changes = [change("tenant_network_acl.de", null, german), logged];
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
const passed = (id: number) => ({ log_id: `90020260000${id}`, date: events[0]!.date, type: "api_limit" });
const linesOf = (all: readonly object[]) => all.map((event) => JSON.stringify(event)).join("\n");
const lines = linesOf([...events, passed(1), passed(2)]);

interface Reading {
  readonly logs: readonly string[];
  readonly changes?: readonly Values[];
  readonly since?: string;
  readonly host?: string;
}

async function replayed({ logs, changes: own = changes, host, since }: Reading) {
  const [tenant] = tenantsIn([{ name: "plan", plan: plan(own) }]);
  const edge = { stdin: Readable.from([lines]), environment: {} };
  const input = reviewInput(tenant!, host === undefined ? undefined : { from: { host, isCommon: true } });
  const reports = await trafficOf([input], { logs, ...(since && { since }) }, edge, now);
  return reports.get(input)!;
}

const linesIn = (report: Awaited<ReturnType<typeof replayed>>) => trafficSection(report).rows.map(([line]) => line);

const reviewed = (flags: ReviewFlags) => printed((edge) => review([file], flags, "0.0.0", edge));

test("shows a compressed log first in every form, without users, addresses or active text", async () => {
  const logs = [put("week.jsonl.gz", gzipSync(lines))];
  const outputs = ["out.txt", "out.md", "out.json", "out.html"];
  expect(await reviewed({ logs, output: outputs.map(at) })).toEqual({ code: 0, stdout: "", stderr: "" });
  const [text, markdown, json, html] = outputs.map(read) as [string, string, string, string];
  for (const output of [text, markdown, json, html]) {
    for (const secret of secrets) expect(output).not.toContain(secret);
    for (const hostile of ["\u202e", "\u001b"]) expect(output).not.toContain(hostile);
  }
  expect(text).toContain(
    "\nLogged requests\n- 500 logged requests in 4 days: 200 surely blocked, 300 surely let in, 0 not decidable from a log.\n",
  );
  expect(text).toMatch(
    /- Blocked by: "<b>@all" \(priority 1\) \(100\), "Nets" \(priority 2\) \(100\)\.\n- 1 user sent them\./,
  );
  expect(text).toContain("The log has 2 api_limit events.");
  // Nothing is active in a span of code.
  expect(markdown.replace(/`[^`]*`/g, "")).not.toMatch(
    /<script|<b>|@team|[^\\]\]\((?!https:\/\/github\.com\/tenantform\/)/,
  );
  expect(html).not.toMatch(/<script>alert|<b>@all/);
  expect(html.indexOf("Logged requests")).toBeLessThan(html.indexOf("Order of evaluation"));
  expect(faultOf(JSON.parse(json))).toBeUndefined();
  expect(JSON.parse(json).traffic).toMatchObject({
    requests: 500,
    blocked: 200,
    redirected: 0,
    let_in: 300,
    not_decidable: 0,
    api_limits: 2,
    denied: { users: 1, countries: { DE: 100, US: 100 } },
  });
});

const blocking = (match: Values, rule: Values = {}) =>
  change("tenant_network_acl.one", null, acl(1, { action: block, match, ...rule }));
const away = { action: { redirect: true, redirect_uri: "https://x.example" } };
const wide = { geo_country_codes: ["US"] };
const ofTwo = linesOf([...events, { ...events[0], tenant_name: "beta", log_id: "other" }]);
const noCountry = events.map((event, index) => (index < 10 ? { ...event, location_info: null } : event));

const iran = [blocking({ geo_country_codes: ["IR"] })];
const opening = [
  change("tenant_network_acl.one", acl(1, { action: block, match: { geo_country_codes: ["IR"] } }), null),
];
const few = lines.split("\n").slice(0, 99).join("\n");
const none = /\(IR\)\.$/;
const allOf = /In your log: 0 of 500 requests to sign-in and tokens\.$/;

// Without a log, a country is high, whatever its share.
test.each<[string, readonly Values[], string, string, RegExp]>([
  ["no event of the country", iran, lines, "low", allOf],
  ["a fifth of the events", [blocking({ geo_country_codes: ["DE"] })], lines, "high", /log: 100 of 500 requests/],
  ["most events", [blocking(wide)], lines, "critical", /log: 400 of 500 requests/],
  ["most events redirected", [blocking(wide, away)], lines, "critical", /^Redirects .* log: 400 of 500 requests/],
  ["no event of the API", [blocking({ geo_country_codes: ["IR"] }, { scope: "management" })], lines, "medium", none],
  ["few events", iran, few, "high", none],
  ["an attribute that no event has", [blocking({ asns: [1] })], lines, "medium", /: 0 of 500 .*, and 500 that the log/],
  ["a region of another country", [blocking({ geo_subdivision_codes: ["IR-07"] })], lines, "low", allOf],
  ["events without a country: between 0 and 2 %", iran, linesOf(noCountry), "medium", /: 0 of 500 .*, and 10 that/],
  ["events of two tenants, and a plan that names none", iran, ofTwo, "high", none],
  ["an opening", opening, lines, "high", /^Allows .*\(IR\)\.$/],
])("takes the level of a block from the log: %s", async (what, own, log, level, line) => {
  const [plans, logs] = [put("levels.json", planText(own)), [put("levels.jsonl", log)]];
  const { stdout } = await printed((edge) => review([plans], { logs, format: "json" }, "0.0.0", edge));
  const outcomes = JSON.parse(stdout).effects.filter(({ facts }: { facts: Values }) => facts["kind"] === "outcome");
  expect([what, outcomes.map((one: Values) => [one["level"], one["text"]])]).toEqual([
    what,
    [[level, expect.stringMatching(line)]],
  ]);
});

test("tells tenants apart by what their logs show, and says it", async () => {
  const opens = [change("tenant_network_acl.one", acl(1, { action: block, match: { asns: [1] } }), null)];
  const plans = ["acme", "beta", "gamma"].map((name) => {
    const { configuration } = configured({ tenant: { domain: constant(`${name}.eu.auth0.com`) } });
    return put(`${name}.json`, planText(opens, { configuration }));
  });
  const logs = [put("levels.jsonl", lines)];
  const { stdout } = await printed((edge) => review(plans, { logs }, "0.0.0", edge));
  expect(stdout).toMatch(/^2 of 3 tenants: the same effects\.\n/);
  expect(stdout).toContain("2 of 3 tenants: beta (beta.eu.auth0.com), gamma (gamma.eu.auth0.com)");
  expect(stdout).toMatch(/Differs from most tenants\n- 500 logged requests in 4 days: 0 surely blocked/);
});

test("reads the limits of a plan", async () => {
  const zero = { action: "block", limit: 0 };
  const policy = { resource: "oauth_authentication_api", consumer: "client", consumer_selector: "default" };
  const limits = [change("tenant_rate_limit_policy.all", null, { id: null, ...policy, configuration: zero })];
  const report = await replayed({ logs: ["-"], changes: limits });
  expect(linesIn(report).slice(0, 2)).toEqual([
    "500 logged requests in 4 days: 500 surely blocked, 0 surely let in, 0 not decidable from a log.",
    "Blocked by: policy tenant_rate_limit_policy.all (500).",
  ]);
});

test.each<[string, ReviewFlags, RegExp]>([
  ["a missing log", { logs: [at("absent.jsonl")] }, /does not exist/],
  ["a form that it cannot read", { logs: [put("logs.zip", "PK\u0003\u0004 and more")] }, /has no log event that/],
  ["a tar archive", { logs: [put("logs.tar.gz", gzipSync(lines))] }, /logs\.tar\.gz is a tar archive: extract it/],
  [
    "a log of another program",
    { logs: [put("other.jsonl", '{"te\\u001bxt":1}\n{"a":2}')] },
    /has no log event that the review can read\. Its first key is "te\\u001bxt"\. Give a JSON object.*Google Cloud Logging, Loki/,
  ],
  ["an empty log", { logs: [put("empty.jsonl", "")] }, /has no log event that the review can read\. Give a JSON/],
  ["an empty one of two", { logs: [put("full.jsonl", lines), at("empty.jsonl")] }, /empty\.jsonl has no log/],
  ["--since without a log", { since: "7d" }, /--since needs --logs/],
  ["--same-as with a file for its text", { sameAs: "a.json", output: "b.md" }, /leave out --output/],
  ["--same-as with a format", { sameAs: "a.json", format: "json" }, /leave out --format/],
])("refuses %s in one line, with exit code 2", async (_, flags, words) => {
  const { code, stdout, stderr } = await reviewed(flags);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^[^\n]+#tenantform-review\n$/);
  expect(stderr).toMatch(words);
});

test("reads the same from a folder with torn, broken and repeated files", async () => {
  const gzip = gzipSync(lines);
  put("logs/a.jsonl", lines);
  const wrapped = events.map(({ log_id, ...data }) => ({ log_id, data }));
  put("logs/b.json", JSON.stringify(wrapped, undefined, 2));
  put("logs/c.jsonl.gz", gzip.subarray(0, gzip.length - 100));
  put("logs/d.jsonl", `${lines.slice(0, 2000)}\nwords\n{"a":1}\n`);
  put("logs/e.empty", "");
  put("logs/.hidden", "words\n");
  const { tally, leftOut } = (await replayed({ logs: [at("logs")] })).replay;
  expect([tally.outcomes.total, tally.outcomes.get("blocked")]).toEqual([500, 200]);
  expect([leftOut.get("torn"), leftOut.get("broken"), leftOut.get("no_events")]).toEqual([1, 2, 1]);
  expect(leftOut.get("duplicates")).toBeGreaterThan(500);
});

test("says in the first line what the log lacks, and how many events of other tenants it left out", async () => {
  const other = { ...events[0], tenant_name: "beta", log_id: "other" };
  const logs = [put("two.jsonl", linesOf([...events.map((event) => ({ ...event, tenant_name: "acme" })), other]))];
  const asn = change("tenant_network_acl.asn", null, acl(7, { action: block, match: { asns: [64_500] } }));
  const same = kept("tenant_network_acl.asn", acl(7, { action: block, match: { asns: [64_500] } }));
  const first = async (more: Values, host?: string) =>
    linesIn(await replayed({ logs, changes: [...changes, more], ...(host && { host }) }))[0];
  const left =
    "1 event is left out, because the plan does not name its tenant, and acme has the most events of 2 tenants.";
  expect(await first(asn)).toBe(
    `500 logged requests in 4 days: 200 surely blocked, 0 surely let in, 300 not decidable from a log (it lacks the AS number). ${left}`,
  );
  expect(await first(same)).toContain("200 surely blocked, 300 surely let in, 0 not decidable from a log.");
  expect(await first(same, "beta.eu.auth0.com")).toMatch(/^1 logged request: 1 surely blocked/);
});

test.each([
  ["2d", 240],
  ["48h", 240],
  ["2026-11-20", 240],
  ["2026-11-20T01:00:00+01:00", 240],
  ["2026-11-21T22:30:00.5Z", 5],
])("counts only the events since %s", async (since, count) => {
  const { tally, leftOut } = (await replayed({ logs: ["-"], since })).replay;
  expect([tally.outcomes.total, leftOut.get("before_since")]).toEqual([count, 502 - count]);
});

test.each(["7", "soon", "7 weeks", "2026-02-30", "2026-13-01", "2026-11-15T25:00:00Z", "2026-11-15T10:00"])(
  "refuses --since %j",
  async (since) => {
    const { code, stderr } = await reviewed({ logs: [at("full.jsonl")], since });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--since ${JSON.stringify(since)} is no time`)]);
  },
);
