/** The events that network ACLs and rate limit policies leave in the tenant's log. The tenant has no login, so 404 means that a request reached it. */
import { appendTo, mostEvents, type LogEvent } from "../../src/emulator/enforcement/event";
import type { EmulatorOptions, Seed } from "../../src/emulator/emulator";
import { createTenant, read, root, type Tenant } from "./client";

const start = Date.parse("2026-11-02T08:00:00.000Z");
const from = (origin: string): Record<string, string> => ({ "x-tenantform-origin": origin });

/** A tenant that enforces, with a clock that only the test moves. */
async function enforcing(options: EmulatorOptions = {}) {
  let time = start;
  const tenant = await createTenant({ enforce: true, now: () => time, ...options });
  const visit = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    read(await tenant.fetch(new Request(root + path, { method, headers })));
  return { tenant, visit, wait: (ms: number) => void (time += ms) };
}

const eventsOf = ({ log }: Tenant, type: string): LogEvent[] => log.filter((event) => event.type === type);

const acl = (action: object, match: object, more: object = {}) => ({
  description: "d",
  active: true,
  rule: { scope: "tenant", action, match },
  ...more,
});

const seeded = (...network_acls: object[]): Seed => ({ network_acls }) as Seed;

describe("acls_summary", () => {
  test("counts for each period what each rule matched and evaluated, in monitoring and in blocking", async () => {
    const managed = { scope: "management", action: { block: true }, match: { asns: [1] } };
    const seed = seeded(
      acl({ log: true }, { geo_country_codes: ["DE", "FR"] }, { priority: 1, description: "watch" }),
      acl({ block: true }, { geo_country_codes: ["DE"] }, { priority: 2, description: "no DE" }),
      { description: "", priority: 3, rule: managed },
    );
    const { tenant, visit, wait } = await enforcing({ seed });
    tenant.reset();
    for (const country of ["DE", "DE", "FR", "IT"]) await visit("/authorize", from(`country=${country}`));
    wait(600_000 - 1);
    await visit("/authorize", from("country=DE"));
    expect(eventsOf(tenant, "acls_summary")).toEqual([]);
    wait(1);
    await visit("/authorize", from("country=FR"));
    const [watch, block] = tenant.store.networkAcls.values();
    const count = (matched: number, evaluated: number) => ({
      match: { successes: matched },
      total_request_count: { successes: evaluated },
    });
    expect(eventsOf(tenant, "acls_summary")).toMatchObject([
      {
        date: "2026-11-02T08:10:00.000Z",
        details: {
          start_time: "2026-11-02T08:00:00.000Z",
          end_time: "2026-11-02T08:10:00.000Z",
          stats: [
            { acl_id: watch!.id, description: "watch", priority: 1, action: "log", ...count(4, 5) },
            { acl_id: block!.id, description: "no DE", priority: 2, action: "block", ...count(3, 5) },
          ],
        },
      },
    ]);
    wait(600_000);
    await visit("/authorize");
    expect(eventsOf(tenant, "acls_summary")).toMatchObject([{}, { details: { stats: [count(1, 1)] } }]);
    // A period without a match leaves nothing.
    wait(600_000);
    await visit("/authorize");
    expect(eventsOf(tenant, "acls_summary")).toHaveLength(2);
  });
});

describe("rate limit policies", () => {
  const policy = (consumer_selector: string, configuration: object) => ({ consumer_selector, configuration });
  const limited = (...policies: object[]) => enforcing({ seed: { rate_limit_policies: policies as never } });
  const statuses = async (visit: (path: string, headers: Record<string, string>) => Promise<{ status: number }>) => {
    const found: number[] = [];
    for (let count = 0; count < 4; count++) {
      found.push((await visit("/authorize?client_id=app", from(""))).status);
    }
    return found;
  };

  test("block rejects the requests beyond the limit of a second, and logs at most once a minute", async () => {
    const { tenant, visit, wait } = await limited(policy("client_id:app", { action: "block", limit: 2 }));
    expect(await statuses(visit)).toEqual([404, 404, 429, 429]);
    wait(1000);
    expect(await statuses(visit)).toEqual([404, 404, 429, 429]);
    const { id } = tenant.store.rateLimitPolicies.values()[0]!;
    expect(eventsOf(tenant, "api_limit")).toMatchObject([
      {
        client_id: "app",
        hostname: "127.0.0.1",
        details: {
          policy: id,
          action: "block",
          limit: { bucket: "client_id:app", global: false, size: 2 },
          request: { method: "GET", path: "/authorize" },
        },
      },
    ]);
    expect(eventsOf(tenant, "api_limit")[0]).not.toHaveProperty("ip");
    expect(tenant.requests.at(-1)).toMatchObject({ status: 429, acl: `rejected by ${id}` });
    wait(59_000);
    expect(await statuses(visit)).toEqual([404, 404, 429, 429]);
    expect(eventsOf(tenant, "api_limit").length).toBe(2);
  });

  test("log lets every request through and logs the same", async () => {
    const { tenant, visit } = await limited(policy("default", { action: "log", limit: 1 }));
    expect(await statuses(visit)).toEqual([404, 404, 404, 404]);
    expect(eventsOf(tenant, "api_limit")).toMatchObject([{ details: { action: "log", limit: { size: 1 } } }]);
  });

  test("redirects /authorize, and rejects token requests with an OAuth error", async () => {
    const redirect = { action: "redirect", limit: 0, redirect_uri: "https://a.example/busy" };
    const { tenant, visit } = await limited(policy("default", redirect));
    const moved = await visit("/authorize?client_id=app");
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "https://a.example/busy"]);
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: tenant.clientId });
    const refused = await read(await tenant.fetch(new Request(`${root}/oauth/token`, { method: "POST", body: form })));
    expect([refused.status, refused.body.error, refused.headers.get("retry-after")]).toEqual([
      429,
      "too_many_requests",
      "1",
    ]);
    expect(refused.headers.get("auth0-ratelimit")).toBe("client;q=0;t=1;r=0");
  });

  test("the first level with a policy decides; a group shares its counter, clients under default do not", async () => {
    const { visit } = await limited(
      policy("client_id:tpa_free", { action: "allow" }),
      policy("third_party_clients", { action: "block", limit: 1 }),
      policy("cimd_clients", { action: "block", limit: 0 }),
      policy("default", { action: "block", limit: 1 }),
    );
    const ask = async (client: string, path = "/authorize") =>
      (await visit(`${path}?client_id=${encodeURIComponent(client)}`)).status;
    expect([await ask("tpa_free"), await ask("tpa_free")]).toEqual([404, 404]);
    expect([await ask("tpa_a"), await ask("tpa_b")]).toEqual([404, 429]);
    expect(await ask("https://app.example/metadata")).toBe(429);
    expect([await ask("a"), await ask("b"), await ask("a")]).toEqual([404, 404, 429]);
    expect([await ask("a", "/userinfo"), await ask("a", "/login")]).toEqual([404, 404]);
  });
});

test("keeps the last events", () => {
  const log: LogEvent[] = [];
  const append = appendTo(log);
  for (let index = 0; index < mostEvents + 5; index++) append({ date: "", type: String(index) });
  expect([log.length, log[0]!.type]).toEqual([mostEvents, "5"]);
});
