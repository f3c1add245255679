/** Replays random logs, and compares every number with a naive evaluation of the documented rules. */
import type { Acl } from "../../../src/judge/access/access";
import { createDecider, type KeyedAcl, type LoggedPolicy } from "../../../src/review/traffic/decider";
import { Replay } from "../../../src/review/traffic/replay";
import type { LoggedRequest } from "../../../src/review/traffic/request";
import { randomFrom, seed, type Random } from "../../support/seed";

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
/** At least one of the values, in their order. */
const some = <T>(random: Random, values: readonly T[]): T[] => {
  const chosen = values.filter(() => random() < 0.5);
  return chosen.length > 0 ? chosen : [pick(random, values)];
};

const countries = ["DE", "FR", "US"];
const asns = [64500, 64501, 64502];
const hosts = ["a.example.com", "b.example.com"];
const prints = ["0".repeat(32), "1".repeat(32)];
const blocks = ["10.0.0.0/8", "10.1.0.0/16", "192.0.2.0/24", "203.0.113.7/32"];
const addresses = ["10.1.2.3", "10.9.9.9", "192.0.2.1", "203.0.113.7", "8.8.8.8"];
const sixBlocks = ["2001:db8::/32", "2001:db8:1::/48"];
const sixAddresses = ["2001:db8::1", "2001:db8:1::1", "2a00::1"];

/** All facts, as only the edge sees them. */
interface Truth {
  readonly api: "management" | "authentication";
  readonly ip: string;
  readonly country: string;
  readonly asn: number;
  readonly hostname: string;
  readonly ja3: string;
}

type Criteria = Record<string, readonly (string | number)[]>;

function randomCriteria(random: Random): Criteria {
  const all: Criteria = {
    geo_country_codes: some(random, countries),
    asns: some(random, asns),
    hostnames: some(random, hosts),
    ja3_fingerprints: some(random, prints),
    ipv4_cidrs: some(random, blocks),
    ipv6_cidrs: some(random, sixBlocks),
  };
  const names = some(random, Object.keys(all)).slice(0, 2);
  return Object.fromEntries(names.map((name) => [name, all[name]!]));
}

function randomAcl(random: Random, priority: number): KeyedAcl {
  const match = randomCriteria(random);
  // With several excluded signals, the documentation leaves the meaning open.
  const [excluded] = Object.entries(randomCriteria(random));
  const away = { redirect: true, redirect_uri: "https://x.example" };
  const action = pick(random, [{ block: true }, { allow: true }, { log: true }, away]);
  const rule = {
    action,
    scope: pick(random, ["tenant", "authentication", "management"]),
    match,
    ...(excluded && pick(random, [true, false]) && { not_match: Object.fromEntries([excluded]) }),
  };
  return { key: `acl ${priority}`, active: pick(random, [true, true, false]), priority, rule };
}

/** The documented semantics, written for few facts and without any care for speed. */
function outcomeOf(acls: readonly Acl[], truth: Truth): string {
  for (const { active, rule } of acls.toSorted((a, b) => Number(a.priority) - Number(b.priority))) {
    if (!active || !(rule.scope === "tenant" || rule.scope === truth.api)) continue;
    const match = rule.match as Criteria;
    const not = rule.not_match as Criteria | undefined;
    const signals = new Set(Object.keys(match).map((name) => name.replace(/^ipv[46]/, "ip")));
    const isMatch = [...signals].every((signal) =>
      Object.keys(match).some(
        (name) => name.replace(/^ipv[46]/, "ip") === signal && hasEntry(name, match[name]!, truth),
      ),
    );
    if (!isMatch || (not && Object.keys(not).some((name) => hasEntry(name, not[name]!, truth)))) continue;
    const [flag] = Object.keys(rule.action);
    if (flag === "log") continue;
    return flag!;
  }
  return "allow";
}

function hasEntry(name: string, entries: readonly (string | number)[], truth: Truth): boolean {
  if (name.startsWith("ip")) return entries.some((block) => isIn(String(block), truth.ip));
  const { country, asn, hostname, ja3 } = truth;
  const fact = { geo_country_codes: country, asns: asn, hostnames: hostname, ja3_fingerprints: ja3 }[name]!;
  return entries.includes(fact);
}

/** By prefixes of texts, which suffices for these blocks. */
function isIn(block: string, ip: string): boolean {
  const prefixes: Record<string, string> = {
    "10.0.0.0/8": "10.",
    "10.1.0.0/16": "10.1.",
    "192.0.2.0/24": "192.0.2.",
    "203.0.113.7/32": "203.0.113.7",
    "2001:db8::/32": "2001:db8:",
    "2001:db8:1::/48": "2001:db8:1:",
  };
  return ip.startsWith(prefixes[block]!);
}

const named = { hostname: [...hosts, "c.example.com"], ja3: [...prints, "2".repeat(32)] };
const others = { asn: [...asns, 1], country: [...countries, "JP"], ...named };

function randomTruth(random: Random): Truth {
  return {
    api: pick(random, ["management", "authentication"]),
    ip: pick(random, [...addresses, ...sixAddresses]),
    country: pick(random, others.country),
    asn: pick(random, others.asn),
    hostname: pick(random, others.hostname),
    ja3: pick(random, others.ja3),
  };
}

/** The ASN is never in the log, other facts are there sometimes. */
function logged(truth: Truth, random: Random) {
  const has = () => pick(random, [true, true, true, false]);
  return {
    ip: truth.ip,
    ...(has() && { country: truth.country }),
    ...(has() && { hostname: truth.hostname }),
    ...(has() && { ja3: truth.ja3 }),
  };
}

/** Every value of the facts that the log does not have. */
function truthsOf(truth: Truth, known: object): Truth[] {
  const open = (name: keyof typeof others) => (name in known ? [truth[name]] : others[name]);
  return open("country").flatMap((country) =>
    open("hostname").flatMap((hostname) =>
      open("ja3").flatMap((ja3) => others.asn.map((asn) => ({ ...truth, country, hostname, ja3, asn }) as Truth)),
    ),
  );
}

const decisions: Readonly<Record<string, string>> = { allow: "let in", block: "blocked", redirect: "redirected" };

const policies = { before: [], after: [] };

/** For more than a usual run: `REPLAY_REQUESTS=1000000 npx jest test/review/traffic/replay.test.ts -t naive`. */
const requests = Number(process.env["REPLAY_REQUESTS"] ?? 6_000);

test(`agrees with a naive evaluation on ${requests} random requests`, () => {
  const random = randomFrom(28 + seed);
  const seen = new Map<string, number>();
  let missed = 0;
  for (let round = 0; round < requests / 40; round++) {
    const before = [1, 2, 3, 4].map((priority) => randomAcl(random, priority));
    // Half of the ACLs stay, so that the log is evidence about them.
    const after = before.map((acl, index) => (pick(random, [true, false]) ? acl : randomAcl(random, index + 1)));
    const decide = createDecider({ before, after, policies });
    for (let count = 0; count < 40; count++) {
      const truth = randomTruth(random);
      const known = logged(truth, random);
      const request: LoggedRequest = { apis: [truth.api], ...known };
      const all = truthsOf(truth, known);
      const passed = all.filter((one) => outcomeOf(before, one) === "allow");
      const possible = new Set((passed.length > 0 ? passed : all).map((one) => decisions[outcomeOf(after, one)]!));
      const { outcome, isContradicted } = decide(request);
      // A request that is blocked or redirected counts as blocked.
      const isRight =
        outcome === "not decidable" ||
        // The log shows the impossible, and the decision does not see it.
        (passed.length === 0 && !isContradicted) ||
        (outcome === "blocked" ? !possible.has("let in") : possible.size === 1 && possible.has(outcome));
      // A million calls of expect take longer than the comparison.
      if (!isRight || (isContradicted && passed.length > 0))
        expect({ request, before, after, outcome, isContradicted }).toEqual({ possible, passed });
      if (outcome === "not decidable" && possible.size === 1) missed++;
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
  }
  expect([...seen.keys()].toSorted()).toEqual(["blocked", "let in", "not decidable", "redirected"]);
  expect(missed / requests).toBeLessThan(0.05);
}, 3_600_000);

const ruled = (priority: number, action: object, match: object): KeyedAcl => ({
  key: `acl ${priority}`,
  active: true,
  priority,
  rule: { action, scope: "tenant", match } as Acl["rule"],
});

test.each([
  ["curl", "blocked", []],
  ["curl/8.5.0", "not decidable", ["user agent as Auth0 compares it"]],
  [undefined, "not decidable", ["user agent"]],
  ["Mozilla", "let in", []],
])("a rule about curl, and the user agent %s: %s", (agent, outcome, lacks) => {
  const decide = createDecider({ before: [], after: [ruled(1, { block: true }, { user_agents: ["curl"] })], policies });
  const request = { apis: ["authentication"], ip: "8.8.8.8", ...(agent !== undefined && { user_agent: agent }) };
  expect(decide(request as LoggedRequest)).toMatchObject({ outcome, lacks });
});

const german = { geo_country_codes: ["DE"] };
const block = ruled(1, { block: true }, german);
const now = Date.parse("2026-11-22T00:00:00Z");
const options = { before: [] as KeyedAcl[], after: [block], policies, since: -Infinity, now };
const event = (id: number, more: object = {}) => ({
  log_id: `90020${id}`,
  date: "2026-11-20T10:00:00.000Z",
  type: "s",
  ip: "203.0.113.7",
  location_info: { country_code: "DE" },
  tenant_name: "acme",
  ...more,
});

function replayed(values: readonly unknown[], more: object = {}) {
  const replay = new Replay({ ...options, ...more });
  for (const value of values) replay.value(value);
  replay.end();
  return replay;
}

const bomb = `${'{"$date":'.repeat(20_000)}1${"}".repeat(20_000)}`;
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const unknownType = (type: string) => ({ unknown: [[type, 1]] });

test.each<[string, readonly unknown[], object]>([
  [
    "an event once that streams deliver twice",
    [event(1), { log_id: "900201", data: event(1) }, event(2), event(1)],
    { requests: 2, blocked: 2, duplicates: 2 },
  ],
  [
    "an event without a log_id once, by its other id",
    [event(1), event(2, { log_id: undefined, id: "900201" }), event(3, { log_id: undefined })],
    { requests: 2, duplicates: 1 },
  ],
  [
    "hostile values as what they are",
    [
      JSON.parse(`{"log_id":"a","type":"s","tenant_name":"acme","date":${bomb}}`),
      JSON.parse(`{"log_id":"b","type":"s","tenant_name":"acme","date":1e400,"details":${deep}}`),
      JSON.parse('{"__proto__":{"log_id":"c","type":"s","date":"2026-11-20T10:00:00Z"}}'),
      event(1, { type: "__proto__" }),
      event(2, { location_info: { country_code: "__proto__" }, client_name: "__proto__", user_agent: "constructor" }),
      event(3, { ip: {}, user_agent: 5, hostname: [], security_context: null, details: "x", location_info: "DE" }),
    ],
    { requests: 4, timeless: 2, no_events: 1, ...unknownType("__proto__") },
  ],
  [
    "unknown types and times that cannot be right",
    [
      event(1, { type: "new_type" }),
      event(2, { date: "2036-01-01T00:00:00Z" }),
      event(3, { date: "yesterday" }),
      event(4, { date: "1970-01-01T00:00:00Z" }),
      event(5, { type: "gd_send_sms" }),
      { a: 1 },
    ],
    { requests: 3, timeless: 3, notices: 1, no_events: 1, ...unknownType("new_type") },
  ],
])("counts %s", (_what, values, expected) => {
  const { tally, leftOut } = replayed(values);
  const { outcomes, marks, unknownTypes } = tally;
  const found = { requests: outcomes.total, blocked: outcomes.get("blocked"), unknown: unknownTypes.top(5) };
  const [timeless, notices] = [marks.get("without_time"), marks.get("notices")];
  expect({ ...found, timeless, notices, ...Object.fromEntries(leftOut.top()) }).toMatchObject(expected);
});

const tenth = (each: number) =>
  Array.from({ length: 10 * each }, (_one, index) => event(index, { tenant_name: `t${index % 10}` }));

test.each<[string, number, object, object]>([
  ["its name", 1, { tenants: ["acme"] }, { isGuessed: false, tenant: "acme", requests: 1_000, elsewhere: 10 }],
  ["most events", 1, {}, { isGuessed: true, tenant: "acme", requests: 1_000, elsewhere: 10 }],
  ["most events after others that have several", 4, {}, { isGuessed: true, tenant: "acme", requests: 1_000 }],
  ["most events after too many others", 4, { many: 300 }, { tenant: "acme", requests: 1_000, elsewhere: 340 }],
  ["nothing", 1, { tenants: [] }, { isGuessed: true, requests: 0, elsewhere: 1_010 }],
])(
  "finds a tenant behind others by %s, and counts events that name none",
  (_, each, { many = 0, ...more }: any, expected) => {
    const own = Array.from({ length: 1_000 }, (_one, index) => event(1_000 + index));
    const late = Array.from({ length: many }, (_one, index) => event(9_000 + index, { tenant_name: `late${index}` }));
    const { tally, leftOut, isGuessed, tenant } = replayed([...tenth(each), ...own, ...late], more);
    const counted = { requests: tally.outcomes.total, elsewhere: leftOut.get("other_tenants") };
    expect({ isGuessed, tenant, ...counted }).toMatchObject(expected);
    const unnamed = replayed([...own.slice(0, 3), event(5_000, { tenant_name: undefined })]);
    expect(unnamed.tally.outcomes.total).toBe(4);
  },
);

const counts = (values: readonly unknown[], more: object) => {
  const { outcomes, marks, lacks } = replayed(values, more).tally;
  return {
    blocked: outcomes.get("blocked"),
    redirected: outcomes.get("redirected"),
    letIn: outcomes.get("let in"),
    undecided: outcomes.get("not decidable"),
    contradicted: marks.get("contradicted"),
    lacks: lacks.top(3).map(([name]) => name),
  };
};
const everybody = ruled(2, { block: true }, {});
const byNumber = (action: object) => ruled(1, action, { asns: [64_500] });
const [allowed, denied] = [byNumber({ allow: true }), byNumber({ block: true })];
const [both, noted, late] = [[allowed, everybody], byNumber({ log: true }), ruled(9, { block: true }, german)];
const elsewhere = { redirect: true, redirect_uri: "https://x.example" };
const ten = Array.from({ length: 10 }, (_one, index) => event(index, { client_id: "app" }));

test.each<[string, object, object]>([
  ["blocks what an allow let through that goes", { before: [allowed, everybody], after: [everybody] }, { blocked: 10 }],
  ["lets in what no block stopped before", { before: [denied], after: [] }, { blocked: 0, letIn: 10, undecided: 0 }],
  [
    "lets in what a block does not match that was there before",
    { before: [denied], after: [denied, { ...block, priority: 2, rule: { ...block.rule, match: { asns: [1] } } }] },
    { undecided: 10, lacks: ["AS number"] },
  ],
  ["does not decide a block by AS number", { before: [], after: [denied] }, { undecided: 10, lacks: ["AS number"] }],
  ["does not let in behind an allow that changes", { before: both, after: [noted, everybody] }, { blocked: 10 }],
  ["lets in behind an allow that stays", { before: both, after: [...both, late] }, { letIn: 10 }],
  ["counts redirects apart", { before: [], after: [ruled(1, elsewhere, german)] }, { redirected: 10, blocked: 0 }],
  ["says that there were others", { before: [block], after: [block] }, { blocked: 10, letIn: 0, contradicted: 10 }],
])("%s", (_what, sides, expected) => expect(counts(ten, sides)).toMatchObject(expected));

const policy = (selector: string | undefined, action: string, limit?: number): LoggedPolicy => {
  const name = selector ?? "unknown";
  return { name, selector, action, limit };
};
const zero = policy("default", "block", 0);
const own = policy("client_id:app", "block", 5);
const group = policy("third_party_clients", "block", 0);

test.each<[string, LoggedPolicy[], LoggedPolicy[], object]>([
  ["a new default of 0", [], [zero], { blocked: 10 }],
  ["a default that becomes 0", [policy("default", "block", 5)], [zero], { blocked: 10 }],
  ["a default of 0 that was there", [zero], [zero], { letIn: 10 }],
  ["a default of 0 beside an own policy that stays", [own], [own, zero], { letIn: 10 }],
  ["a default of 0 that an own policy no longer hides", [own, zero], [zero], { blocked: 10 }],
  ["a default of 0 that only logs", [], [policy("default", "log", 0)], { letIn: 10 }],
  ["a redirect at 0", [], [policy("default", "redirect", 0)], { redirected: 10 }],
  ["a policy of another application", [], [policy("client_id:other", "block", 0)], { letIn: 10 }],
  ["a new limit above 0", [], [policy("default", "block", 5)], { undecided: 10, lacks: ["rate of the requests"] }],
  ["a limit that rises", [policy("default", "block", 5)], [policy("default", "block", 6)], { letIn: 10 }],
  ["an untold group", [], [group], { undecided: 10, lacks: ["group of the application"] }],
  ["a policy that is known only after the apply", [], [policy(undefined, "block", 0)], { undecided: 10 }],
])("decides %s", (_what, before, after, expected) => {
  expect(counts(ten, { after: [], policies: { before, after } })).toMatchObject(expected);
});

test("does not apply limits to the Management API, and does not know the application of an event without one", () => {
  const limits = { after: [], policies: { before: [], after: [policy("client_id:app", "block", 0)] } };
  expect(counts([event(1, { type: "sapi", client_id: "app" })], limits)).toMatchObject({ letIn: 1 });
  expect(counts([event(1)], limits)).toMatchObject({ undecided: 1, lacks: ["application"] });
});
