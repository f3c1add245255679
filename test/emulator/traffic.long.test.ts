/** The made-up week: its form, and that its file is what an enforcing tenant would have written. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { createEmulator, type LogEvent, type Seed } from "../../src/emulator/emulator";
import { writeTraffic } from "../../src/emulator/traffic/file";
import { usualStart, week, type MadeRequest } from "../../src/emulator/traffic/week";
import { visit } from "./traffic-client";

const folder = mkdtempSync(path.join(tmpdir(), "tenantform-traffic-"));
afterAll(() => rmSync(folder, { recursive: true }));

const size = 4000;
const made: readonly MadeRequest[] = [...week({ requests: size, seed: 7 })];
const share = (matches: (one: MadeRequest) => boolean) => made.filter(matches).length / made.length;

test("makes exactly as many requests as asked for, in order of time, within a week", () => {
  const times = made.map(({ at }) => at);
  expect(times.length).toBe(size);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times[0]).toBeGreaterThanOrEqual(usualStart);
  expect(times.at(-1)).toBeLessThan(usualStart + 7 * 24 * 3_600_000);
});

test("makes the same week for the same seed, and another one for another seed", () => {
  expect([...week({ requests: size, seed: 7 })]).toEqual(made);
  expect([...week({ requests: size, seed: 8 })]).not.toEqual(made);
});

test("uses only addresses and names that nobody has", () => {
  const unassigned = /^(192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89]\.\d+)\.\d+$|^2001:db8:/;
  const others = made.filter(({ origin }) => !unassigned.test(origin.ip!) || !unassigned.test(origin.connecting_ip!));
  expect(others).toEqual([]);
  for (const { participants, origin } of made) {
    expect(`${participants.user_name ?? "a@b.example"} ${origin.hostname}`).toMatch(/\.example .*\.example$/);
  }
});

test("is diurnal, skewed over countries and people, and has attackers", () => {
  const germans = made.filter(({ origin, participants }) => origin.country === "DE" && participants.user_id);
  const isAwake = ({ at }: MadeRequest) => (new Date(at).getUTCHours() + 1) % 24 >= 7;
  expect(germans.filter(isAwake).length / germans.length).toBeGreaterThan(0.85);
  expect(share(({ origin }) => origin.country === "US")).toBeGreaterThan(
    5 * share(({ origin }) => origin.country === "AU"),
  );
  const users = new Map<string, number>();
  for (const { participants } of made) {
    if (participants.user_id) users.set(participants.user_id, (users.get(participants.user_id) ?? 0) + 1);
  }
  const counts = [...users.values()].toSorted((a, b) => b - a);
  const most = counts.slice(0, Math.ceil(counts.length / 5)).reduce((sum, count) => sum + count, 0);
  expect(most / counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0.4);
  expect(share(({ origin }) => origin.ip!.startsWith("203.0.113."))).toBeGreaterThan(0.02);
  expect(share(({ origin }) => origin.ip === "192.0.2.66")).toBeGreaterThan(0.01);
});

const seed: Seed = {
  network_acls: [
    {
      id: "acl_1111111111111111111111",
      description: "watch",
      priority: 1,
      rule: { scope: "authentication", action: { log: true }, match: { geo_country_codes: ["SC", "PA"] } },
    },
    {
      id: "acl_2222222222222222222222",
      description: "no scanners",
      priority: 2,
      rule: { scope: "tenant", action: { block: true }, match: { ipv4_cidrs: ["192.0.2.64/26"], asns: [65542] } },
    },
    {
      id: "acl_3333333333333333333333",
      description: "no registration",
      priority: 3,
      rule: { scope: "dynamic_client_registration", action: { block: true }, match_all: true },
    },
  ] as never,
  rate_limit_policies: [
    {
      id: "rlp_111111111111111111111",
      consumer_selector: "third_party_clients",
      configuration: { action: "block", limit: 10 },
    },
  ],
  flags: ["tenant_acl_match_all"],
};

test("the file of a week is the log of a tenant that gets its requests", async () => {
  const file = path.join(folder, "week.jsonl.gz");
  const written = await writeTraffic(file, { requests: size, seed: 7 }, seed);
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  const events = lines.map((line) => JSON.parse(line) as LogEvent);
  expect(written).toEqual({ requests: size, stopped: expect.any(Number), events: events.length });

  let now = usualStart;
  const tenant = createEmulator({ seed, enforce: true, now: () => now });
  let stopped = 0;
  for (const request of made) {
    now = request.at;
    if ((await visit(tenant, request)) !== 204) stopped++;
  }
  expect(stopped).toBe(written.stopped);
  expect(stopped).toBeGreaterThan(50);
  expect(tenant.log.events()).toEqual(events);
  const types = new Set(events.map(({ type }) => type));
  expect([...types]).toEqual(expect.arrayContaining(["acls_summary", "api_limit", "sapi", "seccft", "s", "fp", "fu"]));
});

test("writes plain JSON lines under another name", async () => {
  const file = path.join(folder, "week.jsonl");
  const { events } = await writeTraffic(file, { requests: 200, seed: 1 });
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines.length).toBe(events);
  expect(lines.map((line) => Object.keys(JSON.parse(line)).includes("log_id"))).not.toContain(false);
});
