/** The bodies and paths of requests: what the tenant reads, and what it refuses before any operation. */
import { connect } from "node:net";
import type { RequestEntry } from "../../src/emulator/emulator";
import { bodyLimit } from "../../src/emulator/http/body";
import { createTenant, send, type Tenant } from "./client";

const acl = { description: "d", active: true, rule: { scope: "tenant", action: { log: true }, match: { asns: [1] } } };
const text = JSON.stringify(acl);
const deep = (open: string, close: string) => `{"name":"a","metadata":${open.repeat(50_000)}1${close.repeat(50_000)}}`;
const form = "application/x-www-form-urlencoded";
const json = "Invalid request payload JSON format";

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
  const tenant = await createTenant();
  const response = await tenant.call("POST", "/network-acls", body, { "content-type": type });
  expect([response.status, response.body.message]).toEqual([
    status,
    message === undefined ? undefined : expect.stringContaining(message),
  ]);
  expect(({} as { active?: boolean }).active).toBeUndefined();
});

test("refuses a body that is too large with 413, with and without its length in a header", async () => {
  const tenant = await createTenant();
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

const lines = (tenant: Tenant, first: string, headers: string[], body = "") => {
  const usual = ["Host: 127.0.0.1", `Authorization: Bearer ${tenant.token}`, "Content-Type: application/json"];
  return [`${first} HTTP/1.1`, ...usual, ...headers, "", body].join("\r\n");
};

test("accepts a GET with the body null, and GETs and DELETEs with a type but no body", async () => {
  const tenant = await createTenant();
  const { port, close } = await tenant.listen();
  const { id } = (await tenant.call("POST", "/network-acls", acl)).body;
  const sent = [
    lines(tenant, "GET /api/v2/network-acls", ["Content-Length: 4"], "null"),
    lines(tenant, "GET /api/v2/network-acls", []),
    lines(tenant, `DELETE /api/v2/network-acls/${id}`, []),
    lines(tenant, "GET /api/v2/network-acls", ["Connection: close"]),
  ];
  const response = await raw(port, sent.join(""));
  expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(sent.map(() => "HTTP/1.1 200"));
  expect(tenant.store.networkAcls.size).toBe(0);
  await close();
});

test("serves further requests on a connection after it refused an upload", async () => {
  const tenant = await createTenant();
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
  const tenant = await createTenant({ onRequest: (entry) => recorded(entry) });
  const { port, close } = await tenant.listen();
  const abandoned = new Promise<RequestEntry>((resolve) => void (recorded = resolve));
  const socket = connect(port, "127.0.0.1");
  socket.write(lines(tenant, "POST /api/v2/network-acls", ["Content-Length: 400"], "{"), () => socket.destroy());
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
  const tenant = await createTenant();
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
