// A service or a network in trouble: waits, retries, timeouts and stops.
import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import type { Clock } from "../../src/tenant/clock";
import { createTenant, type Tenant, type TenantOptions } from "../../src/tenant/tenant";
import { aclBody, embed, userIds, type Embedded } from "./support/embedded";
import { gate } from "./support/gate";
import { serve, type Answering, type Server } from "./support/server";

let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function embedded(...options: Parameters<typeof embed>): Promise<Embedded> {
  const one = await embed(...options);
  closing.push(() => one.close());
  return one;
}

function connect(endpoint: string, options: Partial<TenantOptions> = {}): Tenant {
  const tenant = createTenant({
    endpoint,
    credentials: { kind: "access_token", accessToken: "ready" },
    userAgent: "tests/1",
    random: () => 0,
    ...options,
  });
  closing.unshift(async () => {
    tenant.stop();
    await tenant.close();
  });
  return tenant;
}

async function start(answering: Answering, options: Partial<TenantOptions> = {}): Promise<[Tenant, Server]> {
  const server = await serve(answering);
  closing.push(() => server.close());
  return [connect(server.endpoint, options), server];
}

/** A clock whose sleeps take no time but are counted. */
function hurried(): Clock & { slept: number } {
  let now = Date.now();
  const clock = {
    slept: 0,
    now: () => now,
    async sleep(ms: number, signal?: AbortSignal) {
      signal?.throwIfAborted();
      clock.slept += ms;
      now += ms;
    },
  };
  return clock;
}

const tooMany = (headers: Record<string, string>) => ({
  status: 429,
  headers,
  body: { statusCode: 429, message: "Global limit has been reached", errorCode: "too_many_requests" },
});

test("waits after a 429 as long as Retry-After says, and only for the padding if the reset is now", async () => {
  const date = new Date().toUTCString();
  const second = String(Math.floor(Date.parse(date) / 1000));
  for (const [headers, least, most] of [
    [{ date, "retry-after": "7" }, 7_000, 7_200],
    [{ date, "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": second }, 1, 400],
    [
      { date, "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(+second + 30) },
      30_000,
      30_400,
    ],
    [{ date }, 0, 1],
  ] as const) {
    const clock = hurried();
    const [tenant, server] = await start(
      () => (server.asked.length === 1 ? tooMany(headers as Record<string, string>) : { body: [] }),
      { clock },
    );
    await tenant.networkAcls.list();
    expect(clock.slept).toBeGreaterThanOrEqual(least);
    expect(clock.slept).toBeLessThanOrEqual(most);
    expect(tenant.usage()).toMatchObject({ requests: 2, retries: 1, throttled: 1, waitedMs: clock.slept });
  }
});

test("waits for 429s until maxRetryWait, and then reports the wait", async () => {
  const clock = hurried();
  const [tenant] = await start(() => tooMany({ "retry-after": "60" }), { clock, maxRetryWait: 150_000 });
  await expect(tenant.networkAcls.list()).rejects.toMatchObject({
    code: "rate_limited",
    status: 429,
    message: expect.stringMatching(/has waited 121 s and must wait 61 s more/),
  });
  expect(clock.slept).toBeLessThan(150_000);
});

test("repeats a create after a 429, because it had no effect", async () => {
  const one = await embedded();
  one.emulator.faults.add({ method: "POST", path: "/api/v2/network-acls", times: 3, status: 429 });
  await one.tenant.networkAcls.create(aclBody(1));
  expect(one.emulator.snapshot().network_acls).toHaveLength(1);
});

test("carries out all writes in a storm of 429s", async () => {
  const one = await embedded();
  one.emulator.faults.add({
    path: "/api/v2/**",
    probability: 0.3,
    seed: 5,
    status: 429,
    headers: { "retry-after": "0" },
  });
  const acls = await Promise.all(
    Array.from({ length: 20 }, (_, index) => one.tenant.networkAcls.create(aclBody(index + 1))),
  );
  expect(new Set(acls.map(({ id }) => id)).size).toBe(20);
  expect(one.emulator.snapshot().network_acls).toHaveLength(20);
  expect(one.tenant.usage().throttled).toBeGreaterThan(0);
});

test.each([408, 500, 502, 503, 504])("survives bursts of %i", async (status) => {
  const one = await embedded();
  one.emulator.faults.add({ path: "/api/v2/**", times: 5, status });
  expect(await one.tenant.networkAcls.list()).toEqual([]);
  expect(one.tenant.usage().retries).toBe(5);
});

test("fails after a bounded number of attempts if the service stays broken", async () => {
  const [tenant, server] = await start(() => ({ status: 503, body: "<html>", headers: { "x-request-id": "r7" } }));
  await expect(tenant.networkAcls.list()).rejects.toMatchObject({
    code: "service_failed",
    status: 503,
    requestId: "r7",
    message: "The tenant responded with status 503",
  });
  expect(server.asked).toHaveLength(7);
});

test("waits longer after each attempt, with jitter and a bound", async () => {
  const clock = hurried();
  const [tenant] = await start(() => ({ status: 503 }), { clock, random: () => 1 });
  await expect(tenant.networkAcls.list()).rejects.toMatchObject({ code: "service_failed" });
  expect(clock.slept).toBe(500 + 1_000 + 2_000 + 4_000 + 8_000 + 8_000);
});

test("retries after a broken connection, and after a response that is not JSON", async () => {
  const [tenant, server] = await start((_, response) => {
    if (server.asked.length === 1) return void response.destroy();
    return { body: server.asked.length === 2 ? "half of" : [] };
  });
  expect(await tenant.networkAcls.list()).toEqual([]);
  expect(server.asked).toHaveLength(3);
});

test("reports a timeout after three attempts if headers do not arrive or bodies do not end", async () => {
  const [late, silent] = await start(() => undefined, { timeouts: { headers: 300, stop: 0 } });
  await expect(late.networkAcls.list()).rejects.toMatchObject({ code: "timeout" });
  expect(silent.asked).toHaveLength(3);
  const [dripping, server] = await start(
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
      return undefined;
    },
    { timeouts: { exchange: 500, stop: 0 } },
  );
  await expect(dripping.networkAcls.list()).rejects.toMatchObject({ code: "timeout" });
  expect(server.asked).toHaveLength(3);
});

test("accepts a slow body within the time limits", async () => {
  const one = await embedded({ seed: { network_acls: [aclBody(1)] } }, { timeouts: { exchange: 5_000 } });
  one.emulator.faults.add({ path: "/api/v2/network-acls", slow: 200 });
  expect(await one.tenant.networkAcls.list()).toHaveLength(1);
});

test("reports a missing host, and one that does not speak HTTP, as failed connections", async () => {
  const nobody = connect("http://127.0.0.1:1");
  await expect(nobody.networkAcls.list()).rejects.toMatchObject({
    code: "connection_failed",
    message: expect.stringContaining("http://127.0.0.1:1 could not be reached"),
  });
  const babble = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.end("220 hello\r\n", () => socket.destroy());
  });
  await new Promise<void>((resolve) => babble.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => babble.close(resolve)));
  const stranger = connect(`http://127.0.0.1:${(babble.address() as AddressInfo).port}`);
  await expect(stranger.networkAcls.list()).rejects.toMatchObject({ code: "connection_failed" });
});

test("reports an untrusted certificate as a failed connection, and sends no secret", async () => {
  const one = await embedded();
  const tls = await one.emulator.listen({ tls: true });
  closing.push(() => tls.close());
  const before = one.emulator.requests.length;
  await expect(connect(tls.url).networkAcls.list()).rejects.toMatchObject({ code: "connection_failed", unsent: true });
  expect(one.emulator.requests).toHaveLength(before);
});

test("ends waits at once after a stop, and requests after a grace period, and says what may have taken effect", async () => {
  const arrived = gate();
  const [tenant, server] = await start(
    ({ method, path }) => {
      if (method === "POST") {
        arrived.open();
        return undefined;
      }
      return path.endsWith("network-acls") ? tooMany({ "retry-after": "300" }) : { status: 503 };
    },
    { timeouts: { stop: 50 } },
  );
  const calls = [
    tenant.organizationMembers.add("org_1", userIds(30)),
    tenant.networkAcls.list(),
    tenant.networkAcls.get("acl_1"),
  ];
  const outcomes = Promise.allSettled(calls);
  await arrived.opened;
  tenant.stop();
  const codes = (await outcomes).map((outcome) => outcome.status === "rejected" && outcome.reason.code);
  expect(codes).toEqual(["stopped", "stopped", "stopped"]);
  await expect(calls[0]).rejects.toThrow(/The request may have taken effect/);
  const before = server.asked.length;
  await expect(tenant.networkAcls.list()).rejects.toMatchObject({ code: "stopped" });
  expect(server.asked).toHaveLength(before);
});

test("accepts a response within the grace period of a stop, and starts nothing new", async () => {
  const arrived = gate();
  const leave = gate();
  const [tenant, server] = await start(async () => {
    arrived.open();
    await leave.opened;
    return { status: 204 };
  });
  const done: string[] = [];
  const adding = tenant.organizationMembers.add("org_1", userIds(30), (ids) => done.push(...ids));
  await arrived.opened;
  tenant.stop();
  leave.open();
  await expect(adding).rejects.toMatchObject({ code: "stopped" });
  expect(done).toEqual(userIds(10));
  expect(server.asked).toHaveLength(1);
});

test("waits in close for the requests under way", async () => {
  const arrived = gate();
  const leave = gate();
  const [tenant] = await start(async () => {
    arrived.open();
    await leave.opened;
    return { body: [] };
  });
  const listing = tenant.networkAcls.list();
  await arrived.opened;
  const closed = tenant.close();
  leave.open();
  await closed;
  expect(await listing).toEqual([]);
});

test("uses the proxy that the environment names", async () => {
  const asked: string[] = [];
  const proxy: HttpServer = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  proxy.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    proxy.closeAllConnections();
    return new Promise((resolve) => proxy.close(resolve));
  });
  const environment = { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  const tenant = connect("https://acme.example.invalid", { environment });
  await expect(tenant.networkAcls.list()).rejects.toMatchObject({ code: "connection_failed" });
  expect(asked).toContain("CONNECT acme.example.invalid:443");
});

test("keeps to the configured limits of requests per second and at once", async () => {
  const clock = hurried();
  let most = 0;
  let underWay = 0;
  const [tenant] = await start(
    async (_, response) => {
      most = Math.max(most, ++underWay);
      response.on("finish", () => underWay--);
      return { body: { members: [], total: 0 } };
    },
    { clock, maxRequestsPerSecond: 40, maxConcurrency: 2 },
  );
  const before = clock.now();
  await Promise.all(Array.from({ length: 9 }, (_, index) => tenant.organizationMembers.list(`org_${index}`)));
  expect(clock.now() - before).toBeGreaterThanOrEqual(8 * 25);
  expect(most).toBeLessThanOrEqual(2);
});
