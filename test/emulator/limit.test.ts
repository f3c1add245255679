import { createTenant, requestToken, send, type Tenant } from "./client";

const at = Date.parse("2026-01-01T00:00:00.250Z");

async function limited(tier: "free" | "essentials" | "enterprise" | "enterprise-dev" | "none") {
  const clock = { time: at };
  const tenant = await createTenant({ tier, now: () => clock.time });
  tenant.store.addOrganization({ id: "org_1111111111111111" });
  return { tenant, clock };
}

/** Counts the requests that are accepted at once. */
async function acceptedAtOnce(tenant: Tenant, method = "GET", path = "/network-acls") {
  const body = method === "GET" ? undefined : { members: ["auth0|a"] };
  for (let accepted = 0; ; accepted++) {
    if ((await tenant.call(method, path, body)).status === 429) return accepted;
  }
}

const members = "/organizations/org_1111111111111111/members";

test.each([
  ["free", 2, 2],
  ["essentials", 10, 2.5],
  ["enterprise", 50, 16],
  ["enterprise-dev", 10, 2],
] as const)("tier %s accepts %d requests at once, and %d per second", async (tier, atOnce, perSecond) => {
  const { tenant, clock } = await limited(tier);
  expect(await acceptedAtOnce(tenant)).toBe(atOnce);
  clock.time += 2_000;
  expect(await acceptedAtOnce(tenant)).toBe(Math.min(atOnce, perSecond * 2));
  clock.time += 3_600_000;
  expect(await acceptedAtOnce(tenant)).toBe(atOnce);
});

test("counts member requests in the global bucket first, then in their own", async () => {
  const { tenant, clock } = await limited("enterprise");
  expect(await acceptedAtOnce(tenant, "POST", members)).toBe(20);
  // The writes took 21 from the global bucket, the refused one included, so 29 are left for reads.
  expect(await acceptedAtOnce(tenant, "GET", members)).toBe(29);
  clock.time += 10_000;
  expect(await acceptedAtOnce(tenant, "GET", members)).toBe(40);
  const { headers } = await tenant.call("GET", "/network-acls");
  expect(headers.get("x-ratelimit-limit")).toBe("50");
  clock.time += 60_000;
  const read = await tenant.call("GET", members);
  expect(read.headers.get("x-ratelimit-limit")).toBe("40");
  expect(read.headers.get("x-ratelimit-remaining")).toBe("39");
  const write = await tenant.call("DELETE", members, { members: ["auth0|a"] });
  expect(write.headers.get("x-ratelimit-limit")).toBe("20");
});

test("refuses with the message of the service, and with the current second as reset on fast buckets", async () => {
  const { tenant } = await limited("enterprise");
  await acceptedAtOnce(tenant);
  const refused = await tenant.call("POST", "/network-acls", {});
  const message = "Global limit has been reached";
  expect(refused.body).toEqual({
    statusCode: 429,
    error: "Too Many Requests",
    message,
    errorCode: "too_many_requests",
  });
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(refused.headers.get("x-ratelimit-reset")).toBe(String(Math.floor(at / 1000)));
});

test("sends Retry-After with every second refusal", async () => {
  const { tenant } = await limited("essentials");
  await acceptedAtOnce(tenant);
  const seen = [];
  for (let n = 0; n < 4; n++) seen.push((await tenant.call("GET", "/network-acls")).headers.get("retry-after"));
  expect(new Set(seen)).toEqual(new Set([null, "1"]));
});

test("sends the limits with every response, also for errors and unknown paths", async () => {
  const { tenant } = await limited("essentials");
  const statuses = [];
  for (const [path, headers] of [
    ["/api/v2/network-acls", { authorization: `Bearer ${tenant.token}` }],
    ["/api/v2/network-acls", {}],
    ["/api/v2/nowhere", {}],
  ] as const) {
    const response = await send(tenant, "GET", path, { headers });
    statuses.push(response.status);
    expect(response.headers.get("x-ratelimit-limit")).toBe("10");
  }
  expect(statuses).toEqual([200, 401, 404]);
});

test("refuses nothing without a tier, sends the headers, and does not count the token endpoint", async () => {
  const { tenant } = await limited("none");
  for (let n = 0; n < 200; n++) expect((await tenant.call("GET", members)).status).toBe(200);
  const { headers } = await tenant.call("GET", members);
  expect(Number(headers.get("x-ratelimit-remaining"))).toBeGreaterThan(1000);
  const free = (await limited("free")).tenant;
  for (let n = 0; n < 5; n++) expect((await requestToken(free)).status).toBe(200);
  expect(await acceptedAtOnce(free)).toBe(2);
});
