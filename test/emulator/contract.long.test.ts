/** Checks every operation against the contract with generated requests, valid and invalid. */
import fc from "../support/random";
import { operations, type Seed } from "../../src/emulator/api/families";
import { flags } from "../../src/emulator/auth/scope";
import type { Operation } from "../../src/emulator/http/operation";
import { problemIn } from "../../src/emulator/schema";
import { grantForm } from "../support/token";
import { invalid, valid } from "./arbitrary";
import { createTenant, send, type Tenant } from "./client";
import { departures, acceptsBody } from "./conformance";

const managed = operations.filter(({ path }) => path.startsWith("/api/v2/"));
const runs = { numRuns: 60 };

/** The messages of checks beyond the schemas. */
const beyondSchema =
  /on property rule(\.action)?\.$|requires a `redirect_uri`|Invalid curated list|on property consumer_selector|on property value|payload JSON format/;

const present: Readonly<Record<string, string>> = {
  "network-acls": "acl_1111111111111111111111",
  "rate-limit-policies": "rlp_111111111111111111111",
  keys: "key_1111111111111111111111",
  organizations: "org_1111111111111111",
  users: "auth0%7C1",
};
const seed: Seed = {
  network_acls: [
    {
      id: present["network-acls"],
      priority: 1,
      rule: { scope: "tenant", action: { block: true }, match: { asns: [1] } },
    },
  ],
  rate_limit_policies: [{ id: present["rate-limit-policies"], configuration: { action: "allow" } }],
  network_acl_keys: [{ id: present.keys, name: "k", fingerprint: "0".repeat(64) }],
  organizations: [{ id: present.organizations, name: "acme", members: ["auth0|1", "auth0|2"] }],
  users: [{ user_id: "auth0|1" }],
};
const open = () => createTenant({ flags, seed });

/** Ids of an existing and an absent object, and invalid ids. The tenant is as at its start. */
function ids(tenant: Tenant, path: string): string[] {
  tenant.reset();
  const kind = path.split("/")[3]!;
  const known = present[kind]!;
  return [known, "acl_2222222222222222222222", "x", "x".repeat(70), "auth0%7C2", "%E0%A4%A"];
}

const query = (operation: Operation): fc.Arbitrary<string> => {
  const known = Object.entries(operation.query?.properties ?? {});
  const valued = known.map(([name, schema]) =>
    valid(schema).map((value) => `${name}=${encodeURIComponent(String(value))}`),
  );
  const strange = "page=-1 take=0 take=x from=%FF unheard_of=1 per_page= include_totals=maybe";
  const unusual = fc.constantFrom(...strange.split(" "));
  return fc
    .array(fc.oneof(...valued, unusual), { maxLength: 3 })
    .map((parts) => (parts.length > 0 ? `?${parts.join("&")}` : ""));
};

const at = (path: string, id: string) => path.replace("{id}", id).slice("/api/v2".length);

describe.each(managed.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  "%s",
  (_, operation) => {
    const { method, path, body: schema } = operation;

    test("responds within the contract to valid and invalid requests", async () => {
      const tenant = await open();
      const id = fc.nat({ max: 5 });
      const body =
        schema === undefined ? fc.constant(undefined) : fc.oneof(valid(schema), invalid(schema), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(id, query(operation), body, async (which, sentQuery, sent) => {
          const known = ids(tenant, path);
          const response = await tenant.call(method, at(path, known[which]!) + sentQuery, sent);
          expect(response.status).toBeLessThan(500);
        }),
        runs,
      );
    });

    if (schema === undefined) return;

    test("accepts the bodies that match the contract and no others", async () => {
      const tenant = await open();
      await fc.assert(
        fc.asyncProperty(fc.oneof(valid(schema), invalid(schema)), async (sent) => {
          const [there] = ids(tenant, path);
          const response = await tenant.call(method, at(path, there!), sent);
          if (response.status !== 400) expect(acceptsBody(method, path, sent)).toBe(true);
          else if (!beyondSchema.test(response.body.message)) expect(acceptsBody(method, path, sent)).toBe(false);
        }),
        { numRuns: 200 },
      );
    });

    test("refuses bodies that are missing, not JSON, or of another type", async () => {
      const tenant = await open();
      const type = fc.constantFrom("application/json", "application/x-www-form-urlencoded", "text/plain", "a/b/c", "");
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), type, async (sent, kind) => {
          const [there] = ids(tenant, path);
          const response = await tenant.call(method, at(path, there!), sent, { "content-type": kind });
          expect(response.status).toBeGreaterThanOrEqual(400);
          expect(response.status).toBeLessThan(500);
        }),
        runs,
      );
    });
  },
);

test("responds 401 to every operation without a token", async () => {
  const tenant = await open();
  for (const { method, path } of managed) {
    const response = await send(tenant, method, path.replace("{id}", "x"));
    expect(response.body).toEqual({ statusCode: 401, error: "Unauthorized", message: "Missing authentication" });
  }
});

test("requires the scope of every operation, and names it", async () => {
  const tenant = await createTenant({
    flags,
    seed: { clients: [{ client_id: "poor", client_secret: "s", scopes: [] }] },
  });
  const form = grantForm({ clientId: "poor", clientSecret: "s" });
  const { body } = await send(tenant, "POST", "/oauth/token", { body: new URLSearchParams(form) });
  for (const { method, path, scope } of managed) {
    const headers = { authorization: `Bearer ${body.access_token}` };
    const response = await send(tenant, method, path.replace("{id}", "x"), { headers });
    expect(response.body).toEqual({
      statusCode: 403,
      error: "Forbidden",
      message: `Insufficient scope, expected any of: ${scope}`,
      errorCode: "insufficient_scope",
    });
  }
});

test("detects a response that departs from the contract", async () => {
  const tenant = await open();
  const { text, headers } = await tenant.call("GET", "/network-acls");
  const found = (body: string, status = 200, sent = headers) =>
    departures("GET", "/api/v2/network-acls", status, sent, body);
  expect(found(text)).toEqual([]);
  expect(found('[{"id":"acl_x"}]')).toHaveLength(1);
  expect(found(text, 418)).toHaveLength(1);
  expect(found(text, 200, new Headers({ "content-type": "application/json; charset=utf-8" }))).toHaveLength(3);
  const [acl] = operations.filter(({ body }) => body !== undefined);
  expect(problemIn(acl!.body!, {})).toBeDefined();
});
