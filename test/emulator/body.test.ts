/** The bodies, paths and number of requests: what the tenant reads, and what it refuses before any operation. */
import { connect } from "node:net";
import type { RequestEntry } from "../../src/emulator/emulator";
import { bodyLimit } from "../../src/emulator/http/body";
import { createTenant, requestToken, send, type Tenant } from "./client";

const acl = { description: "d", active: true, rule: { scope: "tenant", action: { log: true }, match: { asns: [1] } } };
const text = JSON.stringify(acl);
const deep = (open: string, close: string) => `{"name":"a","metadata":${open.repeat(50_000)}1${close.repeat(50_000)}}`;
const form = "application/x-www-form-urlencoded";
const json = "Invalid request payload JSON format";

let tenant: Tenant;
beforeEach(async () => void (tenant = await createTenant()));

test.each([
  ["JSON that is cut", "{", "application/json", 400, json],
  ["JSON with a rest", '{"a":1}x', "application/json", 400, json],
  ["no JSON", "undefined", "application/json", 400, json],
  ["lists that are nested too deeply", deep("[", "]"), "application/json", 400, json],
  ["objects that are nested too deeply", deep('{"a":', "}"), "application/json", 400, json],
  ["plain text", text, "text/plain", 415, "Unsupported Media Type"],
  ["parts", text, "multipart/form-data; boundary=x", 415, "Unsupported Media Type"],
  ["a type in capitals", text, "Application/JSON; charset=utf-8", 201, undefined],
  ["__proto__", '{"__proto__":{"description":"d"},"constructor":1}', "application/json", 400, "Missing required"],
  ["__proto__ in a form", "__proto__[active]=true", form, 400, "Missing required"],
  ["constructor in a form", "constructor[prototype][x]=1", form, 400, "Missing required"],
  ["__proto__ in a name", "rule[__proto__][scope]=tenant", form, 400, "Missing required"],
  ["an open bracket", "a[", form, 400, "Missing required"],
  ["names without a beginning", "[]=1&[b]=1&=2", form, 400, "Missing required"],
])("answers %s", async (_, body, type, status, message) => {
  const response = await tenant.call("POST", "/network-acls", body, { "content-type": type });
  expect([response.status, response.body.message]).toEqual([
    status,
    message === undefined ? undefined : expect.stringContaining(message),
  ]);
  expect(({} as { active?: boolean }).active).toBeUndefined();
});

test("refuses a body that is too large with 413, with and without its length in a header", async () => {
  const huge = JSON.stringify({ ...acl, description: "x".repeat(bodyLimit) });
  const headers = { authorization: `Bearer ${tenant.token}`, "content-type": "application/json" };
  const stream = { headers, body: new Blob([huge]).stream(), duplex: "half" } as RequestInit;
  for (const response of [
    await tenant.call("POST", "/network-acls", huge, { "content-length": String(huge.length) }),
    await send(tenant, "POST", "/api/v2/network-acls", stream),
  ]) {
    expect(response.body).toMatchObject({ statusCode: 413, error: "Request Entity Too Large" });
  }
});

/** Sends bytes as they are and returns the whole response. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (part: string) => (seen += part));
    socket.on("end", () => resolve(seen)).on("error", reject);
  });
}

const lines = (first: string, headers: string[], body = "") => {
  const usual = ["Host: 127.0.0.1", `Authorization: Bearer ${tenant.token}`, "Content-Type: application/json"];
  return [`${first} HTTP/1.1`, ...usual, ...headers, "", body].join("\r\n");
};

test("accepts a GET with the body null, and GETs and DELETEs with a type but no body", async () => {
  const { port, close } = await tenant.listen();
  const { id } = (await tenant.call("POST", "/network-acls", acl)).body;
  const sent = [
    lines("GET /api/v2/network-acls", ["Content-Length: 4"], "null"),
    lines("GET /api/v2/network-acls", []),
    lines(`DELETE /api/v2/network-acls/${id}`, []),
    lines("GET /api/v2/network-acls", ["Connection: close"]),
  ];
  const response = await raw(port, sent.join(""));
  expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(sent.map(() => "HTTP/1.1 200"));
  expect(tenant.store.networkAcls.size).toBe(0);
  await close();
});

test("serves further requests on a connection after it refused an upload", async () => {
  const { url, close } = await tenant.listen();
  const headers = { authorization: `Bearer ${tenant.token}`, "content-type": "application/json" };
  const at = (init: RequestInit) => fetch(`${url}/api/v2/network-acls`, { headers, ...init });
  for (let n = 0; n < 3; n++) {
    expect((await at({ method: "POST", body: "x".repeat(bodyLimit * 2) })).status).toBe(413);
    expect((await at({})).status).toBe(200);
  }
  await close();
});

test("changes nothing and responds 400 if a client abandons an upload", async () => {
  let recorded: (entry: RequestEntry) => void = () => {};
  tenant = await createTenant({ onRequest: (entry) => recorded(entry) });
  const { port, close } = await tenant.listen();
  const abandoned = new Promise<RequestEntry>((resolve) => void (recorded = resolve));
  const socket = connect(port, "127.0.0.1");
  socket.write(lines("POST /api/v2/network-acls", ["Content-Length: 400"], "{"), () => socket.destroy());
  expect((await abandoned).status).toBe(400);
  expect(tenant.store.networkAcls.size).toBe(0);
  await close();
});

test.each([
  ["HEAD", "/api/v2/network-acls"],
  ["OPTIONS", "/api/v2/network-acls"],
  ["DELETE", "/api/v2/network-acls"],
  ["PUT", "/api/v2/rate-limit-policies/rlp_1"],
  ["GET", "/api/v2/network-acls/"],
  ["GET", "/api/v2"],
  ["GET", "/api/v1/network-acls"],
  ["GET", "/oauth/token"],
  ["GET", "/favicon.ico"],
])("responds 404 to %s %s, with an id of the response", async (method, path) => {
  const headers = { authorization: `Bearer ${tenant.token}` };
  const response = await send(tenant, method, path, { headers });
  expect([response.status, response.body]).toEqual([
    404,
    { statusCode: 404, error: "Not Found", message: expect.stringMatching(/^The embedded tenant has no operation/) },
  ]);
  const again = await send(tenant, method, path, { headers });
  const ids = [response, again].map((one) => one.headers.get("x-auth0-requestid"));
  expect([new Set(ids).size, ids.includes(null)]).toEqual([2, false]);
});

const at = Date.parse("2026-01-01T00:00:00.250Z");

async function limited(tier: "free" | "essentials" | "enterprise" | "enterprise-dev" | "none") {
  const clock = { time: at };
  tenant = await createTenant({ tier, now: () => clock.time });
  tenant.store.addOrganization({ id: "org_1111111111111111" });
  return clock;
}

/** Counts the requests that are accepted at once. */
async function acceptedAtOnce(method = "GET", path = "/network-acls") {
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
  const clock = await limited(tier);
  expect(await acceptedAtOnce()).toBe(atOnce);
  clock.time += 2_000;
  expect(await acceptedAtOnce()).toBe(Math.min(atOnce, perSecond * 2));
  clock.time += 3_600_000;
  expect(await acceptedAtOnce()).toBe(atOnce);
});

test("counts member requests in the global bucket first, then in their own", async () => {
  const clock = await limited("enterprise");
  expect(await acceptedAtOnce("POST", members)).toBe(20);
  // The writes took 21 from the global bucket, the refused one included, so 29 are left for reads.
  expect(await acceptedAtOnce("GET", members)).toBe(29);
  clock.time += 10_000;
  expect(await acceptedAtOnce("GET", members)).toBe(40);
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
  await limited("enterprise");
  await acceptedAtOnce();
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
  await limited("essentials");
  await acceptedAtOnce();
  const seen = [];
  for (let n = 0; n < 4; n++) seen.push((await tenant.call("GET", "/network-acls")).headers.get("retry-after"));
  expect(new Set(seen)).toEqual(new Set([null, "1"]));
});

test("sends the limits with every response, also for errors and unknown paths", async () => {
  await limited("essentials");
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
  await limited("none");
  for (let n = 0; n < 200; n++) expect((await tenant.call("GET", members)).status).toBe(200);
  const { headers } = await tenant.call("GET", members);
  expect(Number(headers.get("x-ratelimit-remaining"))).toBeGreaterThan(1000);
  await limited("free");
  for (let n = 0; n < 5; n++) expect((await requestToken(tenant)).status).toBe(200);
  expect(await acceptedAtOnce()).toBe(2);
});
