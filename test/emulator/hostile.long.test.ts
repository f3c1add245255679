/** Hostile pages and bodies. */
import { request } from "node:http";
import { parseForm } from "../../src/emulator/http/body";
import fc from "../support/random";
import { createTenant, read, requestToken, root } from "./client";

/** Sends a request with any host name, as a browser does after DNS rebinding. */
function under(port: number, host: string, path: string, method = "GET"): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path, method, headers: { host } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode!, text }));
    });
    sent.on("error", reject).end();
  });
}

test("a host name is refused on every path if the tenant does not have it", async () => {
  const tenant = await createTenant();
  const { port, close } = await tenant.listen();
  const before = tenant.requests.length;
  const paths = ["/", "/_tenantform/unlock", "/api/v2/users/x", "/x"];
  for (const host of [`evil.example:${port}`, "evil.example", "localhost.evil.example", "127.0.0.1.evil.example"]) {
    for (const path of [...paths, `http://127.0.0.1:${port}/`]) {
      const { status, text } = await under(port, host, path);
      expect([host, path, status >= 400, JSON.parse(text).statusCode]).toEqual([host, path, true, status]);
      expect(text).not.toContain("Ready client");
    }
    expect((await under(port, host, "/_tenantform/unlock", "POST")).status).toBe(421);
  }
  expect(tenant.requests).toHaveLength(before);
  await close();
});

test("a host name is accepted if it was given to the tenant or is a loopback name", async () => {
  const tenant = await createTenant({ hostNames: ["Acme.Tenant.example", "tenant:8080"] });
  const { port, close } = await tenant.listen();
  const given = ["acme.tenant.example", "ACME.tenant.example:99", "tenant"];
  for (const host of [...given, `localhost:${port}`, "a.localhost", "127.0.0.1", "127.1.2.3:1", `[::1]:${port}`]) {
    expect([host, (await under(port, host, "/_tenantform/unlock", "POST")).status]).toEqual([host, 204]);
  }
  await close();
});

test("forbids content sniffing and embedding by other sites in every response", async () => {
  const tenant = await createTenant();
  for (const path of ["/_tenantform/unlock", "/api/v2/network-acls", "/nowhere"]) {
    const { headers } = await tenant.fetch(new Request(root + path)).then(read);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  }
});

test("shows no secrets in snapshots and logged requests, and accepts a snapshot as a seed", async () => {
  const client = { client_id: "other", client_secret: "very-secret-1" };
  const tenant = await createTenant({ seed: { clients: [client] } });
  await requestToken(tenant, client);
  await requestToken(tenant, { client_assertion: "very-secret-3", client_assertion_type: "x" });
  await requestToken(tenant, { clientSecret: "very-secret-4", "very-secret-5": 1 });
  for (const body of [[{ value: "very-secret-6" }], '"very-secret-7"', { name: "k", key: "very-secret-8" }])
    await tenant.call("POST", "/keys/network-acls", body);
  await tenant.call("POST", "/users", { connection: "c", email: "a@b.example", password: "very-secret-2" });
  const all = JSON.stringify([tenant.snapshot(), tenant.requests]);
  expect(all).toMatch(/other[^]*a@b\.example/);
  expect(all).not.toMatch(new RegExp(`very-secret|${tenant.clientSecret}|${tenant.token}`));
  const again = await createTenant({ seed: JSON.parse(JSON.stringify(tenant.snapshot())) });
  expect(again.snapshot().clients.map(({ client_id }) => client_id)).toContain(tenant.clientId);
});

test("keeps no long body of a request", async () => {
  const tenant = await createTenant();
  const long = "x".repeat(16 * 1024);
  for (const description of ["short", long]) await tenant.call("POST", "/network-acls", { description });
  expect(tenant.requests.slice(-2).map(({ body }) => body)).toEqual([{ description: "short" }, undefined]);
});

describe("forms", () => {
  // Reading in quadratic time would exceed the time limit of a test.
  test.each([
    ["the same name", "a=1&"],
    ["a list", "a[]=1&"],
    ["a deep list", "a[b][c][]=1&"],
    ["open brackets", "[[[[a=1&"],
  ])("are read with %s, many times", (_, part) => {
    expect(JSON.stringify(parseForm(part.repeat(300_000))).match(/"1"/g)).toHaveLength(300_000);
  });

  test("are read from any text, and return names and values as written", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void JSON.stringify(parseForm(text))));
    const name = fc.stringMatching(/^[a-z][a-z_]{0,5}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 2 }))), (form) => {
        const pairs = Object.entries(form).flatMap(([key, value]) =>
          [value].flat().map((one): [string, string] => [key, one]),
        );
        expect(parseForm(new URLSearchParams(pairs).toString())).toEqual(form);
      }),
    );
  });
});
