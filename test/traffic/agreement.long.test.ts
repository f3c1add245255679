/** The replay of an embedded tenant's week, compared event by event with the responses of enforcing tenants. */
import { createEmulator, type EmulatorOptions, type LogEvent, type Seed } from "../../src/emulator/emulator";
import { seededRandom } from "../../src/emulator/state/identity";
import { week } from "../../src/emulator/traffic/week";
import { createDecider, type ChangeKind } from "../../src/traffic/decider";
import { readEvent } from "../../src/traffic/request";
import { visit } from "../emulator/traffic-client";

/** For more than a usual run: `TRAFFIC_REQUESTS=200000 npx jest test/traffic/agreement.test.ts`. */
const requests = Number(process.env["TRAFFIC_REQUESTS"] ?? 2000);

interface Rule {
  readonly scope: "tenant" | "authentication" | "management" | "dynamic_client_registration";
  readonly action: Record<string, unknown>;
  readonly match?: Record<string, unknown>;
  readonly not_match?: Record<string, unknown>;
  readonly match_all?: true;
}

const aclsOf = (...rules: Rule[]) =>
  rules.map((rule, index) => ({
    id: `acl_111111111111111111111${index + 1}`,
    description: `rule ${index + 1}`,
    active: true,
    priority: 10 * (index + 1),
    rule,
  }));
type Acls = ReturnType<typeof aclsOf>;

const block = { block: true };
const browser = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";

const before = aclsOf(
  { scope: "authentication", action: { log: true }, match: { geo_country_codes: ["SC", "PA"] } },
  { scope: "tenant", action: block, match: { ipv4_cidrs: ["192.0.2.64/27"] } },
  { scope: "authentication", action: { allow: true }, match: { geo_country_codes: ["NL"] } },
  { scope: "authentication", action: block, match: { asns: [64499], geo_country_codes: ["JP"] } },
);

/** Changes whose outcome the log decides, and changes that depend on facts that it lacks. */
const changes: Record<string, Acls> = {
  "blocks countries, networks and fingerprints": aclsOf(
    { scope: "authentication", action: block, match: { geo_country_codes: ["SC", "PA"] } },
    { scope: "tenant", action: block, match: { ipv4_cidrs: ["192.0.2.64/27", "198.18.0.0/20"] } },
    { scope: "authentication", action: { allow: true }, match: { geo_country_codes: ["NL"] } },
    { scope: "tenant", action: block, match: { ipv6_cidrs: ["2001:db8:2::/48"], hostnames: ["acme.tenant.example"] } },
  ),
  "opens a country and redirects another, outside the management API": aclsOf(
    { scope: "tenant", action: block, match: { ipv4_cidrs: ["192.0.2.64/27"] } },
    {
      scope: "authentication",
      action: { redirect: true, redirect_uri: "https://a.example" },
      match: { geo_country_codes: ["GB"] },
      not_match: { hostnames: ["login.acme.example"] },
    },
    { scope: "management", action: block, not_match: { ipv4_cidrs: ["192.0.2.11/32"] } },
    { scope: "dynamic_client_registration", action: block, match: { geo_country_codes: ["DE"] } },
  ),
  "depends on AS numbers, regions and user agents": aclsOf(
    { scope: "tenant", action: block, match: { ipv4_cidrs: ["192.0.2.64/27"] } },
    { scope: "authentication", action: block, match: { asns: [64500, 65540] } },
    { scope: "authentication", action: block, match: { geo_subdivision_codes: ["US-CA"] } },
    { scope: "tenant", action: block, match: { user_agents: [browser, "acme-backend/4.2"] } },
    { scope: "tenant", action: block, not_match: { geo_country_codes: ["US", "DE", "GB", "FR", "IN", "BR", "JP"] } },
  ),
};

interface Visited {
  readonly status: number;
  /** Left out: the tenant stopped the request. */
  readonly event?: LogEvent;
}

const counting = new Set(["acls_summary", "api_limit"]);

/** Sends a week to an enforcing tenant. */
async function visitWith(seed: Seed): Promise<{ visited: Visited[]; log: LogEvent[] }> {
  let now = 0;
  const options: EmulatorOptions = { seed, enforce: true, now: () => now, random: seededRandom(1) };
  const tenant = createEmulator(options);
  const visited: Visited[] = [];
  const log: LogEvent[] = [];
  for (const request of week({ requests, seed: 11 })) {
    now = request.at;
    const status = await visit(tenant, request);
    const written = tenant.log.events();
    const event = written.find(({ type }) => !counting.has(type));
    log.push(...written);
    visited.push({ status, ...(event && { event }) });
    tenant.log.clear();
  }
  return { visited, log };
}

const kindOf = (status: number): ChangeKind | undefined =>
  status === 403 ? "blocks" : status === 302 ? "redirects" : undefined;

const logged = ({ type, log_id, ...fields }: LogEvent) => ({ type, id: log_id, fields });

describe("a week of an enforcing tenant", () => {
  const past = visitWith({ network_acls: before as never });

  test("every request leaves an event unless the tenant stops it", async () => {
    const { visited } = await past;
    expect(visited.map(({ status, event }) => (event === undefined) === (status === 403))).not.toContain(false);
    expect(visited.filter(({ event }) => event === undefined).length).toBeGreaterThan(requests / 100);
  });

  test.each(Object.entries(changes))("the replay agrees with the tenant when a change %s", async (name, after) => {
    const [{ visited }, future] = await Promise.all([past, visitWith({ network_acls: after as never })]);
    const decide = createDecider(before, after);
    const counts = { certain: 0, changed: 0, possible: 0 };
    for (const [index, { event }] of visited.entries()) {
      if (event === undefined) continue;
      const { request } = readEvent(logged(event));
      const decision = decide(request!);
      const real = kindOf(future.visited[index]!.status);
      const told = { event, isCertain: decision.isCertain, changes: [...decision.changes], real };
      expect({ ...told, wasDenied: decision.wasDenied }).toMatchObject({ wasDenied: false });
      if (decision.isCertain) {
        expect({ ...told, changes: [...decision.changes][0] }).toMatchObject({ changes: real });
        counts.certain++;
      } else {
        if (real !== undefined) expect(told.changes).toContain(real);
        counts.possible++;
      }
      if (real !== undefined) counts.changed++;
    }
    expect(counts.certain).toBeGreaterThan(requests / 20);
    expect(counts.changed).toBeGreaterThan(requests / 50);
    if (name.startsWith("depends")) expect(counts.possible).toBeGreaterThan(requests / 20);
  });

  test("the summaries of the tenant count the requests that match each rule", async () => {
    const { visited, log } = await past;
    const matched = log
      .filter(({ type }) => type === "acls_summary")
      .flatMap(({ details }) => (details as { stats: { acl_id: string; match: { successes: number } }[] }).stats)
      .filter(({ acl_id }) => acl_id === before[1]!.id)
      .reduce((sum, { match }) => sum + match.successes, 0);
    const scanned = [...week({ requests, seed: 11 })].filter(({ origin }) => origin.ip === "192.0.2.66").length;
    expect(visited.filter(({ status }) => status === 403).length).toBeGreaterThanOrEqual(scanned);
    expect(matched).toBe(scanned);
  });
});
