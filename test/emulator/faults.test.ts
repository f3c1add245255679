/** Injected faults: late, wrong, incomplete and missing responses. */
import { request } from "node:http";
import { request as secureRequest } from "node:https";
import type { InjectedFault, Listening } from "../../src/emulator/emulator";
import { createInjectedFaults } from "../../src/emulator/http/fault";
import { createTenant, requestToken, send, type Tenant } from "./client";

const acl = { description: "d", active: true, rule: { scope: "tenant", action: { log: true }, match: { asns: [1] } } };

let tenant: Tenant;
beforeEach(async () => void (tenant = await createTenant()));

interface Exchange {
  status?: number;
  text: string;
  /** The code of the error that ended it; absent if it was complete. */
  error?: string;
}

/** Sends a request over a real socket, and returns every part of its course. */
function over({ url, ca }: Listening, method: string, body?: unknown): Promise<Exchange> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${tenant.token}`, "content-type": "application/json" };
    const options = { method, ca, agent: false as const, headers };
    const seen: Exchange = { text: "" };
    const fail = (error: NodeJS.ErrnoException) => resolve({ ...seen, error: error.code });
    const ask = ca === undefined ? request : secureRequest;
    const sent = ask(`${url}/api/v2/network-acls`, options, (response) => {
      seen.status = response.statusCode;
      response.setEncoding("utf8").on("data", (part: string) => (seen.text += part));
      response.on("end", () => resolve(seen)).on("error", fail);
    });
    sent.on("error", fail).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe.each([[false], [true]])("over a socket, TLS %s,", (tls) => {
  let listening: Listening;
  beforeEach(async () => void (listening = await tenant.listen({ tls })));
  afterEach(() => listening.close());

  test("breaks the connection before or after the effect of a request", async () => {
    tenant.faults.add({ reset: "before", nth: 1 });
    tenant.faults.add({ reset: "after", nth: 2 });
    expect(await over(listening, "POST", acl)).toEqual({ text: "", error: "ECONNRESET" });
    expect(tenant.store.networkAcls.size).toBe(0);
    expect(await over(listening, "POST", acl)).toEqual({ text: "", error: "ECONNRESET" });
    expect((await over(listening, "POST", acl)).status).toBe(409);
    expect(tenant.requests.slice(1).map(({ status, change }) => [status, change?.slice(0, 7)])).toEqual([
      [0, undefined],
      [0, "created"],
      [409, undefined],
    ]);
  });

  test("truncates a response, or sends half of it as if it were complete, or the whole in pieces or late", async () => {
    await tenant.call("POST", "/network-acls", acl);
    const whole = await over(listening, "GET");
    tenant.faults.add({ spoil: "truncated", nth: 1 });
    tenant.faults.add({ spoil: "malformed", nth: 2 });
    tenant.faults.add({ slow: 60, nth: 3 });
    tenant.faults.add({ latency: 60, nth: 4 });
    const half = (round: (number: number) => number) => whole.text.slice(0, round(whole.text.length / 2));
    const cut = await over(listening, "GET");
    expect(cut).toEqual({ status: 200, text: half(Math.floor), error: "ECONNRESET" });
    expect(await over(listening, "GET")).toEqual({ status: 200, text: half(Math.ceil) });
    for (let n = 0; n < 2; n++) {
      const started = performance.now();
      expect(await over(listening, "GET")).toEqual(whole);
      expect(performance.now() - started).toBeGreaterThan(50);
    }
  });
});

test("rejects like a client's fetch if a connection breaks without a port", async () => {
  tenant.faults.add({ reset: "before", times: 1 });
  tenant.faults.add({ spoil: "truncated" });
  await expect(tenant.call("GET", "/network-acls")).rejects.toMatchObject({
    name: "TypeError",
    message: "fetch failed",
    cause: { code: "ECONNRESET" },
  });
  await expect(tenant.call("GET", "/network-acls")).rejects.toThrow("terminated");
});

test("sends the status of a rule with the body of the service or of the rule, without an effect", async () => {
  tenant.faults.add({ status: 503, nth: 1 });
  tenant.faults.add({ status: 429, nth: 2, headers: { "retry-after": "2" } });
  tenant.faults.add({ status: 403, nth: 3, body: { statusCode: 403, message: "Please upgrade" } });
  tenant.faults.add({ status: 204, nth: 4 });
  const responses = [];
  for (let n = 0; n < 5; n++) responses.push(await tenant.call("POST", "/network-acls", acl));
  const [unavailable, limited, refused] = responses;
  expect(responses.map(({ status }) => status)).toEqual([503, 429, 403, 204, 201]);
  expect(unavailable!.body).toEqual({ statusCode: 503, error: "Service Unavailable", message: "Service Unavailable" });
  expect(limited!.body.errorCode).toBe("too_many_requests");
  expect(["x-ratelimit-remaining", "retry-after"].map((name) => limited!.headers.get(name))).toEqual(["0", "2"]);
  expect(refused!.body).toEqual({ statusCode: 403, message: "Please upgrade" });
});

test("sends OAuth errors at the token endpoint, with hours to wait on 429", async () => {
  tenant.faults.add({ path: "/oauth/token", status: 429, times: 1 });
  tenant.faults.add({ path: "/oauth/token", status: 500, times: 1 });
  const quota = await requestToken(tenant);
  expect(quota.body).toEqual({ error: "too_many_requests", error_description: "Client quota exceeded" });
  expect(Number(quota.headers.get("retry-after"))).toBeGreaterThanOrEqual(3600);
  expect((await requestToken(tenant)).body.error).toBe("server_error");
  expect((await requestToken(tenant)).status).toBe(200);
});

test("affects only the requests that a rule describes", async () => {
  const status = async (method: string, path: string) => (await tenant.call(method, path)).status;
  const remove = tenant.faults.add({ method: "get", path: "/api/v2/network-acls/*", status: 418 });
  expect(await status("GET", "/network-acls/acl_1111111111111111111111")).toBe(418);
  expect(await status("DELETE", "/network-acls/acl_1111111111111111111111")).toBe(404);
  expect(await status("GET", "/network-acls")).toBe(200);
  remove();
  expect(tenant.faults.rules).toEqual([]);
  tenant.faults.add({ path: "/api/**", status: 418, nth: [2, 3] });
  const seen = [];
  for (let n = 0; n < 4; n++) seen.push(await status("GET", "/network-acls"));
  expect(seen).toEqual([200, 418, 418, 200]);
});

const run = async (seed: number) => {
  tenant = await createTenant();
  tenant.faults.add({ path: "/api/**", status: 500, probability: 0.3, seed });
  const seen = [];
  for (let n = 0; n < 200; n++) seen.push((await tenant.call("GET", "/network-acls")).status);
  return seen;
};

test("repeats the same faults for the same seed", async () => {
  const first = await run(7);
  expect(await run(7)).toEqual(first);
  expect(await run(8)).not.toEqual(first);
  const struck = first.filter((status) => status === 500).length;
  expect([struck > 30, struck < 90]).toEqual([true, true]);
});

test("injects the faults of the start, and again after a reset", async () => {
  const rule: InjectedFault = { path: "/api/v2/**", status: 500, times: 1 };
  tenant = await createTenant({ faults: [rule], seed: { faults: [{ ...rule, status: 502 }] } });
  for (let round = 0; round < 2; round++) {
    const seen = [];
    for (let n = 0; n < 3; n++) seen.push((await send(tenant, "GET", "/api/v2/network-acls")).status);
    expect(seen).toEqual([502, 500, 401]);
    tenant.reset();
  }
});

test("waits for the latency before every response", async () => {
  tenant = await createTenant({ latency: 30 });
  await tenant.call("GET", "/network-acls");
  expect(tenant.requests.at(-1)!.ms).toBeGreaterThan(25);
});

test.each([
  ["/api/v2/network-acls/*", "/api/v2/network-acls/acl_1", true],
  ["/api/v2/network-acls/*", "/api/v2/network-acls/acl_1/", true],
  ["/api/v2/network-acls/*", "/api/v2/network-acls", false],
  ["/api/*/users", "/api/v2/x/users", false],
  ["/api/**/members", "/api/members", true],
  ["/api/**/members", "/api/v2/organizations/org_1/members", true],
  ["/api/**/members", "/api/v2/members/x", false],
  ["/oauth/t*n", "/oauth/token", true],
  ["/a.b+(c)", "/axb+(c)", false],
  ["/a.b+(c)", "/a.b+(c)", true],
  ["**", "/", true],
])("the pattern %s and %s: %s", (path, requested, isMatch) => {
  const faults = createInjectedFaults();
  faults.add({ path, status: 503 });
  expect(faults.strike("GET", requested) !== undefined).toBe(isMatch);
});
