import { createTenant, requestToken, send, type Tenant } from "./client";

const at = Date.parse("2026-01-01T00:00:00.250Z");

async function limited(tier: "free" | "essentials" | "enterprise" | "enterprise-dev" | "none") {
  const clock = { time: at };
  const tenant = await createTenant({ tier, now: () => clock.time });
  tenant.store.addOrganization({ id: "org_1111111111111111" });
  return { tenant, clock };
}

/** How many requests pass at once. */
async function burst(tenant: Tenant, method = "GET", path = "/network-acls") {
  const body = method === "GET" ? undefined : { members: ["auth0|a"] };
  for (let passed = 0; ; passed++) {
    if ((await tenant.call(method, path, body)).status === 429) return passed;
  }
}

const members = "/organizations/org_1111111111111111/members";

test.each([
  ["free", 2, 2],
  ["essentials", 10, 2.5],
  ["enterprise", 50, 16],
  ["enterprise-dev", 10, 2],
] as const)("tier %s lets %d pass at once, and %d a second", async (tier, atOnce, perSecond) => {
  const { tenant, clock } = await limited(tier);
  expect(await burst(tenant)).toBe(atOnce);
  clock.time += 2_000;
  expect(await burst(tenant)).toBe(Math.min(atOnce, perSecond * 2));
  clock.time += 3_600_000;
  expect(await burst(tenant)).toBe(atOnce);
});

test("members draw on the global bucket first, then on their own", async () => {
  const { tenant, clock } = await limited("enterprise");
  expect(await burst(tenant, "POST", members)).toBe(20);
  // The writes, the refused one too, have cost the global bucket 21; reads of members find 29 left.
  expect(await burst(tenant, "GET", members)).toBe(29);
  clock.time += 10_000;
  expect(await burst(tenant, "GET", members)).toBe(40);
  const { headers } = await tenant.call("GET", "/network-acls");
  expect(headers.get("x-ratelimit-limit")).toBe("50");
  clock.time += 60_000;
  const read = await tenant.call("GET", members);
  expect(read.headers.get("x-ratelimit-limit")).toBe("40");
  expect(read.headers.get("x-ratelimit-remaining")).toBe("39");
  const write = await tenant.call("DELETE", members, { members: ["auth0|a"] });
  expect(write.headers.get("x-ratelimit-limit")).toBe("20");
});

test("a refusal has the service's words, and a reset that on fast buckets is the current second", async () => {
  const { tenant } = await limited("enterprise");
  await burst(tenant);
  const refused = await tenant.call("POST", "/network-acls", {});
  expect([refused.status, refused.body]).toEqual([
    429,
    {
      statusCode: 429,
      error: "Too Many Requests",
      message: "Global limit has been reached",
      errorCode: "too_many_requests",
    },
  ]);
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(refused.headers.get("x-ratelimit-reset")).toBe(String(Math.floor(at / 1000)));
});

test("Retry-After comes with some refusals and not with others", async () => {
  const { tenant } = await limited("essentials");
  await burst(tenant);
  const seen = [];
  for (let n = 0; n < 4; n++) seen.push((await tenant.call("GET", "/network-acls")).headers.get("retry-after"));
  expect(new Set(seen)).toEqual(new Set([null, "1"]));
});

test("every answer of the API tells the limits: good, refused, unknown", async () => {
  const { tenant } = await limited("essentials");
  const statuses = [];
  for (const [path, headers] of [
    ["/api/v2/network-acls", { authorization: `Bearer ${tenant.token}` }],
    ["/api/v2/network-acls", {}],
    ["/api/v2/nowhere", {}],
  ] as const) {
    const answer = await send(tenant, "GET", path, { headers });
    statuses.push(answer.status);
    expect(answer.headers.get("x-ratelimit-limit")).toBe("10");
  }
  expect(statuses).toEqual([200, 401, 404]);
});

test("without a tier nothing is refused, and the headers are there", async () => {
  const { tenant } = await limited("none");
  for (let n = 0; n < 200; n++) expect((await tenant.call("GET", members)).status).toBe(200);
  const { headers } = await tenant.call("GET", members);
  expect(Number(headers.get("x-ratelimit-remaining"))).toBeGreaterThan(1000);
});

test("the token endpoint does not draw on the buckets", async () => {
  const { tenant } = await limited("free");
  for (let n = 0; n < 5; n++) expect((await requestToken(tenant)).status).toBe(200);
  expect(await burst(tenant)).toBe(2);
});
