/** A 429 is waited for, and the request sent again. */
import type { Clock } from "../../src/tenant/clock";
import { createTenant, type Tenant, type TenantOptions } from "../../src/tenant/tenant";
import { aclBody, embed, type Embedded } from "./support/embedded";
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
