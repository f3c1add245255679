/** What hostile pages, bodies and patterns get out of the tenant: nothing, in little time. */
import fc from "fast-check";
import { request } from "node:http";
import { parseForm } from "../../src/emulator/http/form";
import { pathMatcher } from "../../src/emulator/http/path-pattern";
import { createTenant, read, requestToken, root, send } from "./client";

/** A request under a name of the client's choosing, as a browser makes it after DNS has been rebound. */
function under(port: number, host: string, path: string, method = "GET"): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path, method, headers: { host } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode!, text }));
    });
    sent.on("error", reject).end();
  });
}

describe("a name that is not the tenant's", () => {
  const paths = ["/", "/_tenantform/snapshot", "/_tenantform/requests", "/_tenantform/events", "/api/v2/users/x", "/x"];

  test("is not answered, on any path", async () => {
    const tenant = await createTenant();
    const { port, close } = await tenant.listen();
    const before = tenant.requests.length;
    for (const host of [`evil.example:${port}`, "evil.example", "localhost.evil.example", "127.0.0.1.evil.example"]) {
      for (const path of [...paths, `http://127.0.0.1:${port}/`]) {
        const { status, text } = await under(port, host, path);
        expect([host, path, status >= 400, JSON.parse(text).statusCode]).toEqual([host, path, true, status]);
        expect(text).not.toContain("Ready client");
      }
      expect((await under(port, host, "/_tenantform/reset", "POST")).status).toBe(421);
    }
    expect(tenant.requests).toHaveLength(before);
    await close();
  });

  test("is answered when it was given, as are all of the loopback's", async () => {
    const tenant = await createTenant({ hostNames: ["Acme.Tenant.example", "tenant:8080"] });
    const { port, close } = await tenant.listen();
    for (const host of [
      "acme.tenant.example",
      "ACME.tenant.example:99",
      "tenant",
      `localhost:${port}`,
      "a.localhost",
      "127.0.0.1",
      "127.1.2.3:1",
      `[::1]:${port}`,
    ]) {
      expect([host, (await under(port, host, "/_tenantform/snapshot")).status]).toEqual([host, 200]);
    }
    await close();
  });
});

test("every answer says that it is what it says it is, and nobody else's", async () => {
  const tenant = await createTenant();
  for (const path of ["/", "/_tenantform/snapshot", "/_tenantform/page.js", "/api/v2/network-acls", "/nowhere"]) {
    const { headers } = await tenant.fetch(new Request(root + path)).then(read);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  }
  const page = await tenant.fetch(new Request(root)).then(read);
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
});

test("secrets stand in no snapshot, no record and no page", async () => {
  const client = { client_id: "other", client_secret: "very-secret-1" };
  const tenant = await createTenant({ seed: { clients: [client] } });
  await requestToken(tenant, client);
  await requestToken(tenant, { client_secret: "very-secret-2", "very-secret-3": 1, typo: "very-secret-4" });
  await requestToken(tenant, { client_assertion: "very-secret-5", client_assertion_type: "x" });
  const form = new URLSearchParams({ grant_type: "client_credentials", client_secret: "very-secret-6" });
  await send(tenant, "POST", "/oauth/token", { body: form });
  await tenant.call("POST", "/users", { connection: "c", email: "a@b.example", password: "very-secret-7" });
  const shown = await Promise.all(
    ["/", "/_tenantform/view", "/_tenantform/snapshot", "/_tenantform/requests"].map(async (path) =>
      (await tenant.fetch(new Request(root + path))).text(),
    ),
  );
  const all = [...shown, JSON.stringify([tenant.snapshot(), tenant.requests])].join();
  expect(all).toContain("other");
  expect(all).toContain("a@b.example");
  expect(all).not.toMatch(/very-secret-[124567]/);
  expect(all).not.toContain(tenant.clientSecret);
  expect(tenant.requests.at(-2)!.body).toMatchObject({ client_secret: "(secret)" });
});

test("a token of the tenant's is not kept either, and a snapshot is a seed", async () => {
  const tenant = await createTenant();
  expect(JSON.stringify([tenant.snapshot(), tenant.requests])).not.toContain(tenant.token);
  const again = await createTenant({ seed: JSON.parse(JSON.stringify(tenant.snapshot())) });
  expect(again.snapshot().clients.map(({ client_id }) => client_id)).toContain(tenant.clientId);
});

test("what is on record is bounded in bytes", async () => {
  const tenant = await createTenant();
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ grant_type: "x", scope: "y".repeat(1_000_000) });
  for (let n = 0; n < 12; n++) await send(tenant, "POST", "/oauth/token", { headers, body });
  expect(tenant.requests.length).toBeLessThan(10);
  expect(JSON.stringify(tenant.requests).length).toBeLessThan(9 * 1024 * 1024);
  tenant.requests.length = 0;
  await tenant.call("GET", "/network-acls");
  expect(tenant.requests).toHaveLength(1);
});

/** Milliseconds of processor time, which a busy machine does not lengthen. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe("forms", () => {
  test.each([
    ["the same name", "a=1&"],
    ["a list", "a[]=1&"],
    ["a deep list", "a[b][c][]=1&"],
    ["open brackets", "[[[[a=1&"],
  ])("of %s, many times, take time in proportion", (_, part) => {
    expect(cost(() => parseForm(part.repeat(60_000)))).toBeLessThan(2000);
  });

  test("of any text are read, and of names and values as they were written", () => {
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

describe("paths of injected faults", () => {
  /** The same by a regular expression, which is slow on hostile patterns. */
  const byExpression = (pattern: string, path: string) => {
    const segments = pattern.split("/").map((segment) => {
      if (segment === "**") return "(?:/[^/]*)*";
      return `/${segment.replace(/[.?+^$()|[\]{}\\]/g, "\\$&").replace(/\*+/g, "[^/]*")}`;
    });
    return new RegExp(`^${segments.join("")}(?:(?<=.)/)?$`, "s").test(`/${path}`);
  };

  test("fit as their words say", () => {
    const fits = (pattern: string, path: string) => pathMatcher(pattern)(path);
    expect(fits("/api/v2/network-acls", "/api/v2/network-acls/")).toBe(true);
    expect(fits("/api/v2/*", "/api/v2/users/x")).toBe(false);
    expect(fits("/api/v2/**", "/api/v2/users/x")).toBe(true);
    expect(fits("/api/*/users/**", "/api/v2/users")).toBe(true);
    expect(fits("/api/v2/net*s", "/api/v2/network-acls")).toBe(true);
    expect(fits("/**/members", "/api/v2/organizations/o/members")).toBe(true);
    expect(fits("/api/v2/a.c", "/api/v2/abc")).toBe(false);
  });

  test("fit as regular expressions do", () => {
    const segment = fc.stringMatching(/^[ab*]{0,3}$/);
    const pattern = fc
      .array(fc.oneof(segment, fc.constant("**")), { maxLength: 5 })
      .map((parts) => `/${parts.join("/")}`);
    const path = fc.array(fc.stringMatching(/^[ab]{0,3}$/), { maxLength: 5 }).map((parts) => `/${parts.join("/")}`);
    fc.assert(
      fc.property(pattern, path, (one, other) => {
        expect([one, other, pathMatcher(one)(other)]).toEqual([one, other, byExpression(one, other)]);
      }),
      { numRuns: 2000 },
    );
  });

  test("with many wildcards take little time", () => {
    const path = `/${"a/".repeat(2000)}b`;
    expect(cost(() => pathMatcher(`/${"**/a/".repeat(12)}c`)(path))).toBeLessThan(1000);
    expect(cost(() => pathMatcher(`/${"*a".repeat(12)}c`)(`/${"a".repeat(10_000)}`))).toBeLessThan(1000);
  });

  test("with headers that cannot be sent are refused", async () => {
    const tenant = await createTenant();
    const body = JSON.stringify({ status: 500, headers: { "bad name": "x" } });
    const sent = new Request(`${root}/_tenantform/faults`, { method: "POST", body });
    sent.headers.set("content-type", "application/json");
    expect((await tenant.fetch(sent)).status).toBe(400);
    expect(tenant.faults.rules).toEqual([]);
  });
});
