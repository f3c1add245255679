/** The tenant's log: which requests leave which events, and how clients read them. */
import { createEmulator, type EmulatorOptions, type LogEvent, type Seed } from "../../src/emulator/emulator";
import { createLogIds, mostEvents } from "../../src/emulator/logs/log";
import { matcherOf } from "../../src/emulator/logs/query";
import { summaryOf } from "../../src/emulator/logs/event";
import { createTenant, read, requestToken, root, send, type Tenant } from "./client";

const start = Date.parse("2026-11-02T08:00:00.000Z");
const from = (origin: string, event?: string): Record<string, string> => ({
  "x-tenantform-origin": origin,
  ...(event !== undefined && { "x-tenantform-event": event }),
});

/** A tenant that enforces, with a clock that only the test moves. */
async function enforcing(options: EmulatorOptions = {}) {
  let time = start;
  const tenant = await createTenant({ enforce: true, now: () => time, ...options });
  tenant.log.clear();
  const visit = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    read(await tenant.fetch(new Request(root + path, { method, headers })));
  return { tenant, visit, wait: (ms: number) => void (time += ms) };
}

const eventsOf = ({ log }: Tenant, type: string): LogEvent[] => log.events().filter((event) => event.type === type);

const acl = (action: object, match: object, more: object = {}) => ({
  description: "d",
  active: true,
  rule: { scope: "tenant", action, match },
  ...more,
});

const seeded = (...network_acls: object[]): Seed => ({ network_acls }) as Seed;

const login = "type=s; user_id=auth0|1; user_name=ada@users.example; client_id=app; connection=Users";

describe("events of requests", () => {
  test("a stated login has the facts of its request, the user agent only as a summary", async () => {
    const { tenant, visit } = await enforcing();
    const chrome = `"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0.1 Safari/537.36"`;
    const facts = `ip=203.0.113.7; connecting_ip=198.51.100.1; country=de; asn=64500; subdivision=DE-BE`;
    const tls = `ja3=${"a".repeat(32)}; ja4=t13d1516h2_8daaf6152771_02713d6af862`;
    const origin = `${facts}; hostname=login.acme.example; ${tls}; user_agent=${chrome}`;
    expect((await visit("/authorize?client_id=app", from(origin, login))).status).toBe(204);
    expect(tenant.log.events()).toEqual([
      {
        date: "2026-11-02T08:00:00.000Z",
        type: "s",
        description: "Successful login",
        connection: "Users",
        strategy: "auth0",
        strategy_type: "database",
        client_id: "app",
        client_name: "",
        ip: "203.0.113.7",
        user_agent: "Chrome 120.0.1 / Windows 10.0.0",
        details: {},
        hostname: "login.acme.example",
        user_id: "auth0|1",
        user_name: "ada@users.example",
        security_context: { ja3: "a".repeat(32), ja4: "t13d1516h2_8daaf6152771_02713d6af862" },
        location_info: { country_code: "DE", country_name: "Germany" },
        tenant_name: "embedded-tenant",
        environment_name: "local",
        $event_schema: { version: "1.0.0" },
        log_id: expect.stringMatching(/^90020261102080000000\d{36}$/),
        _id: expect.any(String),
        isMobile: false,
      },
    ]);
  });

  test.each([
    ["fp", ["security_context"], ["hostname", "client_ip"]],
    ["sertft", ["client_ip"], ["hostname", "security_context"]],
    ["seacft", ["client_ip", "hostname", "security_context"], []],
    ["slo", ["hostname"], ["client_ip", "security_context"]],
  ])("%s has only the facts of its schema", async (type, present, absent) => {
    const { tenant, visit } = await enforcing();
    const origin = `ip=203.0.113.7; ja3=${"a".repeat(32)}; hostname=h.example`;
    expect((await visit("/x", from(origin, `type=${type}`))).status).toBe(204);
    const names = Object.keys(tenant.log.events()[0]!);
    expect(names).toEqual(expect.arrayContaining(present));
    expect(absent.filter((name) => names.includes(name))).toEqual([]);
  });

  test("token requests leave seccft or feccft, and only successful writes of the management API leave sapi", async () => {
    const { tenant, visit } = await enforcing();
    expect((await requestToken(tenant)).status).toBe(200);
    expect((await requestToken(tenant, { client_secret: "wrong" })).status).toBe(401);
    const headers = { "user-agent": "curl/8.7.1", ...from("ip=192.0.2.1") };
    await tenant.call("POST", "/network-acls", acl({ log: true }, { asns: [1] }), headers);
    expect((await tenant.call("GET", "/network-acls")).status).toBe(200);
    expect((await tenant.call("POST", "/network-acls", {})).status).toBe(400);
    await visit("/oidc/register", from("ip=203.0.113.7", "type=sapi"), "POST");
    const named = { client_id: tenant.clientId, client_name: "Ready client" };
    const sent = { method: "post", path: "/api/v2/network-acls", ip: "192.0.2.1", userAgent: "curl/8.7.1" };
    expect(tenant.log.events()).toMatchObject([
      { type: "seccft", ...named },
      { type: "feccft", ...named },
      {
        type: "sapi",
        ...named,
        ip: "192.0.2.1",
        user_agent: "Other 0.0.0 / Other 0.0.0",
        details: { request: sent, response: { statusCode: 201 } },
      },
      { type: "sapi", details: { request: { method: "post", path: "/oidc/register" } } },
    ]);
  });

  test("a request that an ACL blocks or redirects leaves no event of its own", async () => {
    const action = { redirect: true, redirect_uri: "https://a.example" };
    const { tenant, visit } = await enforcing({
      seed: seeded(
        acl({ block: true }, { geo_country_codes: ["DE"] }, { priority: 1 }),
        acl(action, { geo_country_codes: ["FR"] }, { priority: 2 }),
      ),
    });
    for (const [country, status] of Object.entries({ DE: 403, FR: 302, IT: 204 })) {
      expect((await visit("/authorize", from(`country=${country}`, login))).status).toBe(status);
    }
    expect(tenant.log.events().map(({ location_info }) => location_info)).toMatchObject([{ country_code: "IT" }]);
  });

  test.each(["type=acls_summary", "type=nonsense", "user_id=1", "type=s; shoe=44", "type"])(
    "refuses the event header %j, and says so in the request log",
    async (header) => {
      const { tenant, visit } = await enforcing();
      const { status, body } = await visit("/authorize", { "x-tenantform-event": header });
      expect([status, body.message]).toEqual([400, expect.stringContaining("x-tenantform-event: ")]);
      expect(tenant.requests.at(-1)!.acl).toBe("the header x-tenantform-event is invalid");
      expect(tenant.log.events()).toEqual([]);
    },
  );

  test("keeps no log without enforcement, and empties it at a reset", async () => {
    const quiet = await createTenant();
    await quiet.fetch(new Request(`${root}/authorize`, { headers: from("", login) }));
    expect([(await quiet.call("GET", "/logs")).body, quiet.log.events()]).toEqual([[], []]);
    const { tenant, visit } = await enforcing();
    await visit("/authorize", from("", login));
    tenant.reset();
    expect(tenant.log.events()).toEqual([]);
  });
});

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
      found.push((await visit("/authorize?client_id=app", from("", "type=s"))).status);
    }
    return found;
  };

  test("block rejects the requests beyond the limit of a second, and logs at most once a minute", async () => {
    const { tenant, visit, wait } = await limited(policy("client_id:app", { action: "block", limit: 2 }));
    expect(await statuses(visit)).toEqual([204, 204, 429, 429]);
    wait(1000);
    expect(await statuses(visit)).toEqual([204, 204, 429, 429]);
    expect(eventsOf(tenant, "s").length).toBe(4);
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
    expect(await statuses(visit)).toEqual([204, 204, 429, 429]);
    expect(eventsOf(tenant, "api_limit").length).toBe(2);
  });

  test("log lets every request through and logs the same", async () => {
    const { tenant, visit } = await limited(policy("default", { action: "log", limit: 1 }));
    expect(await statuses(visit)).toEqual([204, 204, 204, 204]);
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
    // The tenant has no login, so 404 means that the request reached it.
    expect([await ask("tpa_free"), await ask("tpa_free")]).toEqual([404, 404]);
    expect([await ask("tpa_a"), await ask("tpa_b")]).toEqual([404, 429]);
    expect(await ask("https://app.example/metadata")).toBe(429);
    expect([await ask("a"), await ask("b"), await ask("a")]).toEqual([404, 404, 429]);
    expect([await ask("a", "/userinfo"), await ask("a", "/login")]).toEqual([404, 404]);
  });
});

describe("reading the log", () => {
  const events = (count: number) => async (tenant: Tenant) => {
    for (let index = 0; index < count; index++) {
      tenant.log.append({ date: new Date(start + index * 1000).toISOString(), type: index % 2 ? "s" : "fp" });
    }
  };
  const logged = async (count: number) => {
    const tenant = await createTenant();
    await events(count)(tenant);
    return tenant;
  };
  const idsOf = (list: readonly LogEvent[]) => list.map(({ log_id }) => log_id);

  test("by checkpoint loses no event and repeats none while new ones arrive", async () => {
    const tenant = await logged(230);
    const seen: string[] = [tenant.log.events()[0]!.log_id];
    let path = `/logs?from=${seen[0]}&take=100&sort=date:-1&q=type:x&page=99`;
    const sizes: number[] = [];
    for (let round = 0; round < 5; round++) {
      const { status, body, headers } = await tenant.call("GET", path);
      expect(status).toBe(200);
      seen.push(...idsOf(body));
      sizes.push(body.length);
      if (round < 3) await events(5)(tenant);
      const next = /^<(.+)>; rel="next"$/.exec(headers.get("link")!)![1]!;
      if (body.length === 0) expect(next).toBe(root + `/api/v2${path}`);
      path = next.slice(`${root}/api/v2`.length);
    }
    expect(sizes).toEqual([100, 100, 39, 5, 0]);
    expect(seen).toEqual(idsOf(tenant.log.events()));
  });

  test("by search pages from the newest event, at most 1,000 events far", async () => {
    const tenant = await logged(1100);
    const all = idsOf(tenant.log.events()).toReversed();
    expect(idsOf((await tenant.call("GET", "/logs")).body)).toEqual(all.slice(0, 50));
    expect(idsOf((await tenant.call("GET", "/logs?page=9&per_page=100")).body)).toEqual(all.slice(900, 1000));
    expect(idsOf((await tenant.call("GET", "/logs?sort=date:1&per_page=1")).body)).toEqual(all.slice(-1));
    const beyond = await tenant.call("GET", "/logs?page=10&per_page=100");
    expect([beyond.status, beyond.body.message]).toEqual([
      400,
      expect.stringContaining("Requesting page 11 exceeds the allowed maximum of 1000 records"),
    ]);
    const totals = (await tenant.call("GET", "/logs?page=1&per_page=3&include_totals=true&fields=type")).body;
    expect(totals).toEqual({
      start: 3,
      limit: 3,
      length: 3,
      total: 3,
      logs: [{ type: "fp" }, { type: "s" }, { type: "fp" }],
    });
    const without = (await tenant.call("GET", "/logs?per_page=1&fields=type,_id&include_fields=false")).body;
    expect(Object.keys(without[0])).toEqual(["date", "log_id"]);
  });

  test("reads one event, and refuses an absent one, too long pages and a token without the scope", async () => {
    const tenant = await logged(1);
    const [event] = tenant.log.events();
    expect((await tenant.call("GET", `/logs/${event!.log_id}`)).body).toEqual(event);
    expect((await tenant.call("GET", "/logs/9000")).status).toBe(404);
    for (const query of ["take=101&from=1", "per_page=101", "from=x", "sort=date", "q=(a", "q=a)", "q=NOT"]) {
      expect([query, (await tenant.call("GET", `/logs?${query}`)).status]).toEqual([query, 400]);
    }
    const { access_token } = (await requestToken(tenant, { scope: "read:users" })).body;
    const refused = await send(tenant, "GET", "/api/v2/logs", {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect([refused.status, refused.body.message]).toEqual([403, "Insufficient scope, expected any of: read:logs"]);
  });

  test("keeps the last events in limited memory, also if they are large", () => {
    const { log } = createEmulator();
    for (let index = 0; index < mostEvents * 1.5; index++) log.append({ date: "", type: String(index) });
    expect(log.events().length).toBeLessThanOrEqual(mostEvents);
    expect(log.events().at(-1)!.type).toBe(String(mostEvents * 1.5 - 1));
    const large = "x".repeat(1024 * 1024);
    for (let index = 0; index < 40; index++) log.append({ date: "", type: "s", large });
    expect(log.events().length).toBeLessThan(33);
  });

  test("gives ids in rising order even if the clock goes back", () => {
    const next = createLogIds();
    const ids = [start, start, start - 5000, start + 1, start].map(next);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids.map(({ length }) => length))).toEqual(new Set([56]));
  });
});

describe("queries", () => {
  const event: LogEvent = {
    log_id: "900",
    date: "2018-12-18T10:00:00.000Z",
    type: "seacft",
    description: "Create a rule",
    ip: "203.0.113.7",
    user_name: "jane.smith",
    user_id: "auth0|1",
    details: {},
  };
  test.each([
    ["", true],
    ["type:seacft", true],
    ["type:s", false],
    ["type:s*", true],
    ["type:*ACFT", false],
    ["user_name:jane*smith", true],
    ["user_name:jane*jane", false],
    ["connection:*", false],
    ['description:"Create a rule"', true],
    ["description:rule", false],
    ["description:*rule", true],
    ["203.0.113.7", true],
    ["auth0|1", false],
    ['user_id:"auth0|1" AND type:s*', true],
    ["type:fp OR type:seacft", true],
    ["type:fp type:seacft", true],
    ["NOT type:fp AND type:s*", true],
    ["type:s* AND NOT (type:seacft OR type:fp)", false],
    ["date:[2018-12-18 TO *]", true],
    ["date:[* TO 2018-12-19}", true],
    ["date:[* TO 2018-12-18}", false],
    ["date:[2018-12-01 TO 2018-12-18]", true],
    ["date:{2018-12-18T10:00:00.000Z TO *]", false],
    ["details:x", false],
  ])("%j matches: %s", (query, expected) => {
    expect(matcherOf(query)(event)).toBe(expected);
  });
});

test.each([
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.1 Safari/605.1.15", "Safari 17.1.0 / Mac OS X 10.15.7"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0", "Firefox 121.0.0 / Linux 0.0.0"],
  ["curl/8.7.1", "Other 0.0.0 / Other 0.0.0"],
])("the user agent %j is written as %j", (header, summary) => {
  expect(summaryOf(header)).toBe(summary);
});
