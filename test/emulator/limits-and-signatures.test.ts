/** Rate limit policies and signatures decide about requests. The tenant has no login, so 404 means that a request reached it. */
import { createHmac, randomBytes } from "node:crypto";
import { createSigner, httpbis } from "http-message-signatures";
import { createTenant, read, root, type Tenant } from "./client";

describe("rate limit policies", () => {
  const policy = (consumer_selector: string, configuration: object) => ({ consumer_selector, configuration });
  /** A tenant with a clock that only the test moves. */
  const limited = async (...policies: object[]) => {
    let time = Date.parse("2026-11-02T08:00:00.000Z");
    const seed = { rate_limit_policies: policies as never };
    const tenant = await createTenant({ enforce: true, now: () => time, seed });
    const visit = async (path: string) => read(await tenant.fetch(new Request(root + path)));
    return { tenant, visit, wait: (ms: number) => void (time += ms) };
  };
  const statuses = async (visit: (path: string) => Promise<{ status: number }>) => {
    const found: number[] = [];
    for (let count = 0; count < 4; count++) found.push((await visit("/authorize?client_id=app")).status);
    return found;
  };

  test.each([
    ["block", [404, 404, 429, 429], "rejected by"],
    ["log", [404, 404, 404, 404], "logged by"],
  ])("%s counts the requests of each second, and the request log names the policy", async (action, expected, words) => {
    const { tenant, visit, wait } = await limited(policy("client_id:app", { action, limit: 2 }));
    expect(await statuses(visit)).toEqual(expected);
    wait(1000);
    expect(await statuses(visit)).toEqual(expected);
    const { id } = tenant.store.rateLimitPolicies.values()[0]!;
    expect(tenant.requests.at(-1)).toMatchObject({ status: expected.at(-1), acl: `${words} ${id}` });
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

describe("a request", () => {
  const value = randomBytes(32).toString("base64");
  const id = "key_1111111111111111111111";
  const other = "key_2222222222222222222222";
  const unsigned = { not_match: { http_message_signature: { keys: [{ id }, { id: other }] } } };
  const seed = {
    network_acl_keys: [
      { id, name: "edge", value },
      { id: other, name: "next", value },
    ],
    network_acls: [{ rule: { scope: "management", action: { block: true }, ...unsigned } }],
  };
  const url = `${root}/api/v2/network-acls?page=0`;
  const time = 1_800_000_000;
  const open = () =>
    createTenant({ flags: ["tenant_acl_hmac_signature"], seed, enforce: true, now: () => time * 1000 + 999 });
  const ask = async (tenant: Tenant, headers: Record<string, string>, at = url) =>
    (await tenant.fetch(new Request(at, { headers }))).status;

  interface Signing {
    readonly bytes?: Buffer;
    readonly label?: string;
  }

  /** `parameters` follow the covered components, which are the method and the path. */
  function signed(parameters: string, { bytes = Buffer.from(value, "base64"), label = "own" }: Signing = {}) {
    const input = `("@method" "@path")${parameters}`;
    const base = `"@method": GET\n"@path": /api/v2/network-acls\n"@signature-params": ${input}`;
    const mac = createHmac("sha256", bytes).update(base).digest("base64");
    return { "signature-input": `${label}=${input}`, signature: `${label}=:${mac}:` };
  }

  const lived = (created: number, expires: number) => `;created=${time + created};expires=${time + expires}`;
  const keyed = `;keyid="${id}"`;
  const current = lived(0, 60) + keyed;

  // 401: the ACL lets the request through to the service, which misses a token.
  test.each([
    ["allowed", "that is current", current],
    ["allowed", "that names hmac-sha256", `${current};alg="hmac-sha256"`],
    ["allowed", "that names its parameters in another order", `${keyed};expires=${time + 60};created=${time}`],
    ["allowed", "that is 20 minutes old, within a lifetime of an hour", lived(-1200, 2400) + keyed],
    ["allowed", "that is made 60 seconds in the future", lived(60, 120) + keyed],
    ["blocked", "that is made 61 seconds in the future", lived(61, 120) + keyed],
    ["allowed", "that expired 60 seconds ago", lived(-120, -60) + keyed],
    ["blocked", "that expired 61 seconds ago", lived(-120, -61) + keyed],
    ["allowed", "that lives for 3600 seconds", lived(0, 3600) + keyed],
    ["blocked", "that lives for 3601 seconds", lived(0, 3601) + keyed],
    ["blocked", "that lives for 3601 seconds, with the skew", lived(-30, 3571) + keyed],
    ["blocked", "without created", `;expires=${time + 60}${keyed}`],
    ["blocked", "without expires", `;created=${time}${keyed}`],
    ["blocked", "without keyid", lived(0, 60)],
    ["blocked", "by an unknown key", `${lived(0, 60)};keyid="key_unknown"`],
    ["blocked", "whose times are texts", `;created="${time}";expires="${time + 60}"${keyed}`],
    ["blocked", "whose expires has a fraction", `;created=${time};expires=${time + 60}.5${keyed}`],
    ["blocked", "that names another algorithm", `${current};alg="hmac-sha512"`],
    ["blocked", "that names an algorithm in other letters", `${current};alg="HMAC-SHA256"`],
  ])("is %s with a signature %s", async (outcome, _, parameters) => {
    expect(await ask(await open(), signed(parameters))).toBe(outcome === "allowed" ? 401 : 403);
  });

  test("is blocked with more than one label, although each signature is valid", async () => {
    const tenant = await open();
    const [one, two] = [signed(current), signed(`${lived(0, 60)};keyid="${other}"`, { label: "next" })];
    expect([await ask(tenant, one), await ask(tenant, two)]).toEqual([401, 401]);
    const name = "signature-input";
    const inputs = `${one[name]}, ${two[name]}`;
    const signatures = `${one.signature}, ${two.signature}`;
    expect(await ask(tenant, { [name]: inputs, signature: signatures })).toBe(403);
    expect(await ask(tenant, { [name]: one[name], signature: signatures })).toBe(403);
    expect(await ask(tenant, { [name]: inputs, signature: one.signature })).toBe(403);
    expect(await ask(tenant, { [name]: `unused=();keyid="x", ${one[name]}`, signature: one.signature })).toBe(403);
  });

  test("is blocked with a signature by other bytes, for another path, malformed, and with none", async () => {
    const tenant = await open();
    expect(await ask(tenant, signed(current, { bytes: randomBytes(32) }))).toBe(403);
    expect(await ask(tenant, signed(current), `${root}/api/v2/users/x`)).toBe(403);
    expect(await ask(tenant, { "signature-input": `sig=()${current}` })).toBe(403);
    expect(await ask(tenant, { "signature-input": "(((", signature: ":::" })).toBe(403);
    expect(await ask(tenant, {})).toBe(403);
  });

  test("is allowed with the components of the standard, signed by a library or by the letter", async () => {
    const tenant = await open();
    const at = (seconds: number) => new Date((time + seconds) * 1000);
    const headers = (
      await httpbis.signMessage(
        {
          key: createSigner(Buffer.from(value, "base64"), "hmac-sha256", id),
          fields: ["@method", "@path", '@query-param;name="page"'],
          paramValues: { created: at(0), expires: at(60) },
        },
        { method: "GET", url, headers: {} },
      )
    ).headers as Record<string, string>;
    expect(await ask(tenant, headers)).toBe(401);
    expect(await ask(tenant, headers, url.replace("page=0", "page=1"))).toBe(403);
    const parameters = `("@method" "@target-uri" "x-a")${current};alg="hmac-sha256"`;
    const base = `"@method": GET\n"@target-uri": ${url}\n"x-a": 1, 2\n"@signature-params": ${parameters}`;
    const mac = createHmac("sha256", Buffer.from(value, "base64")).update(base).digest("base64");
    const own = { "x-a": "1, 2", "signature-input": `own=${parameters}`, signature: `own=:${mac}:` };
    expect(await ask(tenant, own)).toBe(401);
    expect(await ask(tenant, { ...own, "x-a": "1, 3" })).toBe(403);
  });
});
