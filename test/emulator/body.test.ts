import { connect } from "node:net";
import { bodyLimit } from "../../src/emulator/http/body";
import type { RequestEntry } from "../../src/emulator/emulator";
import { createTenant, send, type Tenant } from "./client";

const acl = { description: "d", active: true, rule: { scope: "tenant", action: { log: true }, match: { asns: [1] } } };

test("refuses a body that is not JSON with the message of the service", async () => {
  const tenant = await createTenant();
  for (const body of ["{", '{"a":1}x', "undefined", "'"]) {
    const response = await tenant.call("POST", "/network-acls", body);
    expect(response.body).toEqual({
      statusCode: 400,
      error: "Bad Request",
      message: "Invalid request payload JSON format",
    });
  }
});

test("refuses a body of another type with 415", async () => {
  const tenant = await createTenant();
  for (const type of ["text/plain", "application/xml", "multipart/form-data; boundary=x"]) {
    const response = await tenant.call("POST", "/network-acls", JSON.stringify(acl), { "content-type": type });
    expect([response.status, response.body.message]).toEqual([415, "Unsupported Media Type"]);
  }
  const typed = { "content-type": "Application/JSON; charset=utf-8" };
  expect((await tenant.call("POST", "/network-acls", JSON.stringify(acl), typed)).status).toBe(201);
});

test("refuses a body that is too large with 413, with and without its length in a header", async () => {
  const tenant = await createTenant();
  const huge = JSON.stringify({ ...acl, description: "x".repeat(bodyLimit) });
  const stream = () => new Blob([huge]).stream();
  const headers = { authorization: `Bearer ${tenant.token}`, "content-type": "application/json" };
  const announced = await tenant.call("POST", "/network-acls", huge, { "content-length": String(huge.length) });
  const unannounced = await send(tenant, "POST", "/api/v2/network-acls", {
    headers,
    body: stream(),
    duplex: "half",
  } as RequestInit);
  for (const response of [announced, unannounced]) {
    expect(response.body).toMatchObject({ statusCode: 413, error: "Request Entity Too Large" });
  }
});

test("refuses a body that is nested too deeply", async () => {
  const tenant = await createTenant();
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    const deep = `{"name":"a","metadata":${open.repeat(50_000)}1${close.repeat(50_000)}}`;
    expect((await tenant.call("POST", "/organizations", deep)).status).toBe(400);
    expect((await tenant.call("POST", "/users", deep)).status).toBe(400);
  }
});

test("treats __proto__ and constructor like other names", async () => {
  const tenant = await createTenant();
  const response = await tenant.call("POST", "/network-acls", `{"__proto__":{"description":"d"},"constructor":1}`);
  expect(response.body.message).toMatch(/Missing required property/);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  for (const body of [
    "__proto__[active]=true",
    "constructor[prototype][x]=1",
    "rule[__proto__][scope]=tenant",
    "a[",
    "[]=1",
    "[b]=1&=2",
  ]) {
    expect((await tenant.call("PATCH", "/network-acls/acl_1111111111111111111111", body, form)).status).toBe(400);
    expect((await tenant.call("POST", "/network-acls", body, form)).status).toBe(400);
  }
  expect(({} as { active?: boolean }).active).toBeUndefined();
});

/** Sends bytes as they are and returns the whole response. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => (seen += part));
    socket.on("end", () => resolve(seen)).on("error", reject);
  });
}

const lines = (tenant: Tenant, first: string, headers: string[], body = "") =>
  [
    first,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${tenant.token}`,
    "Content-Type: application/json",
    ...headers,
    "",
    body,
  ].join("\r\n");

test("accepts a GET with the body null, and GETs and DELETEs with a type but no body", async () => {
  const tenant = await createTenant();
  const { port, close } = await tenant.listen();
  const { id } = (await tenant.call("POST", "/network-acls", acl)).body;
  const text = [
    lines(tenant, "GET /api/v2/network-acls HTTP/1.1", ["Content-Length: 4"], "null"),
    lines(tenant, "GET /api/v2/network-acls HTTP/1.1", []),
    lines(tenant, `DELETE /api/v2/network-acls/${id} HTTP/1.1`, []),
    lines(tenant, "GET /api/v2/network-acls HTTP/1.1", ["Connection: close"]),
  ].join("");
  const response = await raw(port, text);
  expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(Array.from({ length: 4 }, () => "HTTP/1.1 200"));
  expect(response).toContain('{"code":204,"object":""}');
  expect(tenant.store.networkAcls.size).toBe(0);
  await close();
});

test("serves further requests on a connection after it refused an upload", async () => {
  const tenant = await createTenant();
  const { url, close } = await tenant.listen();
  const headers = { authorization: `Bearer ${tenant.token}`, "content-type": "application/json" };
  for (let n = 0; n < 3; n++) {
    const huge = await fetch(`${url}/api/v2/network-acls`, {
      method: "POST",
      headers,
      body: "x".repeat(bodyLimit * 2),
    });
    expect(huge.status).toBe(413);
    expect((await fetch(`${url}/api/v2/network-acls`, { headers })).status).toBe(200);
  }
  await close();
});

test("changes nothing and responds 400 if a client abandons an upload", async () => {
  let recorded: (entry: RequestEntry) => void = () => {};
  const tenant = await createTenant({ onRequest: (entry) => recorded(entry) });
  const { port, close } = await tenant.listen();
  const abandoned = new Promise<RequestEntry>((resolve) => void (recorded = resolve));
  const socket = connect(port, "127.0.0.1");
  socket.write(lines(tenant, "POST /api/v2/network-acls HTTP/1.1", ["Content-Length: 400"], "{"), () =>
    socket.destroy(),
  );
  expect((await abandoned).status).toBe(400);
  expect(tenant.store.networkAcls.size).toBe(0);
  await close();
});

test("responds 404 to HEAD, unknown methods and unknown paths", async () => {
  const tenant = await createTenant();
  const notFound = { statusCode: 404, error: "Not Found", message: "Not Found" };
  const headers = { authorization: `Bearer ${tenant.token}` };
  for (const [method, path] of [
    ["HEAD", "/api/v2/network-acls"],
    ["OPTIONS", "/api/v2/network-acls"],
    ["DELETE", "/api/v2/network-acls"],
    ["PUT", "/api/v2/rate-limit-policies/rlp_1"],
    ["GET", "/api/v2/network-acls/"],
    ["GET", "/api/v2"],
    ["GET", "/api/v1/network-acls"],
    ["GET", "/oauth/token"],
    ["GET", "/favicon.ico"],
  ] as const) {
    const response = await send(tenant, method, path, { headers });
    expect([method, path, response.status, response.body]).toEqual([method, path, 404, notFound]);
  }
});

test("gives every response an id of its own", async () => {
  const tenant = await createTenant();
  const ids = [];
  for (let n = 0; n < 3; n++) ids.push((await tenant.call("GET", "/network-acls")).headers.get("x-auth0-requestid"));
  expect(new Set(ids).size).toBe(3);
  expect(ids).not.toContain(null);
});
