import fc from "../support/random";
import { createTenant, type Tenant } from "./client";

const action = { block: true };
const match = { asns: [64496] };
const rule = { scope: "tenant", action, match };
const acl = { description: "d", active: true, rule };

async function refusal(tenant: Tenant, body: unknown, method = "POST", path = "/network-acls") {
  const response = await tenant.call(method, path, body);
  return [response.status, response.body?.errorCode, response.body?.message];
}

test("refuses bodies with the messages of the service, and stores nothing", async () => {
  const ruled = (more: object) => ({ ...acl, rule: { ...rule, ...more } });
  const acts = (more: object) => ruled({ action: more });
  const matches = (more: object) => ruled({ match: more });
  const tor = { auth0_managed: ["auth0.tor"] };
  const cases: [string, object][] = [
    ["a redirect without a URI", acts({ redirect: true })],
    ["an empty URI", acts({ redirect: true, redirect_uri: "" })],
    ["a URI without a redirect", acts({ block: true, redirect_uri: "https://a.example" })],
    ["block and allow", acts({ block: true, allow: true })],
    ["block and log", acts({ block: true, log: true })],
    ["no action", acts({})],
    ["block: false", acts({ block: false })],
    ["no criteria", { ...acl, rule: { scope: "tenant", action } }],
    ["an entry twice", matches({ auth0_managed: ["auth0.tor", "auth0.tor"] })],
    ["an unknown curated list", matches({ auth0_managed: ["X"] })],
    ["a curated list on both sides", ruled({ match: tor, not_match: tor })],
    ["curated lists on both sides", ruled({ match: tor, not_match: { auth0_managed: ["auth0.vpn"] } })],
    ["an unknown property", { ...acl, surprise: 1 }],
    ["an unknown signal", matches({ asn: [1] })],
    ["no description", { active: true, rule }],
    ["a long description", { ...acl, description: "x".repeat(256) }],
    ["priority 0", { ...acl, priority: 0 }],
    ["priority 101", { ...acl, priority: 101 }],
    ["active as text", { ...acl, active: "true" }],
    ["an empty list", matches({ asns: [] })],
    ["21 entries", matches({ asns: Array.from({ length: 21 }, (_, n) => n) })],
    ["an unknown scope", ruled({ scope: "world" })],
    ["a bad host name", matches({ hostnames: ["-bad-"] })],
    ["a bad prefix length", matches({ ipv4_cidrs: ["10.0.0.0/33"] })],
    ["an IPv4 address among IPv6", matches({ ipv6_cidrs: ["10.0.0.0"] })],
    ["a key without an id", matches({ http_message_signature: { keys: [{}] } })],
  ];
  const tenant = await createTenant();
  const lines: string[] = [];
  for (const [what, body] of cases) {
    const [status, code, message] = await refusal(tenant, body);
    expect([what, status, code]).toEqual([what, 400, "invalid_body"]);
    lines.push(`${what}: ${String(message).replace("Payload validation error: ", "… ")}`);
  }
  const found = lines.join("\n");
  expect(found).toMatchInlineSnapshot(`
    "a redirect without a URI: … Action type of \`redirect\` requires a \`redirect_uri\`
    an empty URI: … 'String is too short (0 chars), minimum 1' on property rule.action.redirect_uri.
    a URI without a redirect: … 'Additional properties not allowed: redirect_uri' on property rule.action.
    block and allow: … 'None of the valid schemas were met' on property rule.action.
    block and log: … 'None of the valid schemas were met' on property rule.action.
    no action: … 'None of the valid schemas were met' on property rule.action.
    block: false: … 'No enum match for: false' on property rule.action.block.
    no criteria: … 'None of the valid schemas were met' on property rule.
    an entry twice: … 'Array items are not unique (indexes 0 and 1)' on property rule.match.auth0_managed.
    an unknown curated list: Invalid curated list name(s): X. Allowed curated list names are: auth0.low_reputation, auth0.icloud_relay_proxy
    a curated list on both sides: … 'auth0_managed cannot be in both match and not_match' on property rule.
    curated lists on both sides: … 'auth0_managed cannot be in both match and not_match' on property rule.
    an unknown property: … 'Additional properties not allowed: surprise'.
    an unknown signal: … 'Additional properties not allowed: asn' on property rule.match.
    no description: … 'Missing required property: description'.
    a long description: … 'String is too long (256 chars), maximum 255' on property description.
    priority 0: … 'Value 0 is less than minimum 1' on property priority.
    priority 101: … 'Value 101 is greater than maximum 100' on property priority.
    active as text: … 'Expected type boolean but found type string' on property active.
    an empty list: … 'Array is too short (0), minimum 1' on property rule.match.asns.
    21 entries: … 'Array is too long (21), maximum 20' on property rule.match.asns.
    an unknown scope: … 'No enum match for: world' on property rule.scope.
    a bad host name: … 'Object didn't pass validation for format hostname: -bad-' on property rule.match.hostnames[0].
    a bad prefix length: … 'None of the valid schemas were met' on property rule.match.ipv4_cidrs[0]. Inner errors: [ 'Object didn't pass validation for format ipv4: 10.0.0.0/33' on property rule.match.ipv4_cidrs[0]., 'Object didn't pass validation for format cidr: 10.0.0.0/33' on property rule.match.ipv4_cidrs[0]. ].
    an IPv4 address among IPv6: … 'None of the valid schemas were met' on property rule.match.ipv6_cidrs[0]. Inner errors: [ 'Object didn't pass validation for format ipv6: 10.0.0.0' on property rule.match.ipv6_cidrs[0]., 'Object didn't pass validation for format ipv6_cidr: 10.0.0.0' on property rule.match.ipv6_cidrs[0]. ].
    a key without an id: … 'Missing required property: id' on property rule.match.http_message_signature.keys[0]."
  `);
  expect(tenant.store.networkAcls.size).toBe(0);
});

test("returns every value as it was sent, and adds nothing", async () => {
  const tenant = await createTenant();
  const odd = {
    scope: "authentication",
    match: {
      ipv4_cidrs: ["10.1.2.3/8", "10.0.0.1"],
      ipv6_cidrs: ["2001:0DB8:0000:0000:0000:0000:0000:0001/32", "::1"],
      geo_country_codes: ["UK", "de"],
      http_message_signature: { keys: [{ id: "k1" }, { id: "k2" }] },
    },
    not_match: { ipv4_cidrs: ["10.1.2.3"], hostnames: ["WWW.Example.COM"] },
    action: { redirect_uri: "not even a url", redirect: true },
  };
  const { body } = await tenant.call("POST", "/network-acls", { ...acl, rule: odd });
  expect(body.rule).toEqual(odd);
  const got = await tenant.call("GET", `/network-acls/${body.id}`);
  expect(JSON.stringify(got.body.rule)).toBe(
    JSON.stringify({
      match: {
        ipv4_cidrs: odd.match.ipv4_cidrs,
        ipv6_cidrs: odd.match.ipv6_cidrs,
        geo_country_codes: odd.match.geo_country_codes,
        http_message_signature: odd.match.http_message_signature,
      },
      scope: "authentication",
      action: { redirect: true, redirect_uri: "not even a url" },
      not_match: { hostnames: ["WWW.Example.COM"], ipv4_cidrs: ["10.1.2.3"] },
    }),
  );
});

test("replaces everything on PUT, and merges only at the top level on PATCH", async () => {
  const tenant = await createTenant();
  const { body } = await tenant.call("POST", "/network-acls", {
    ...acl,
    priority: 9,
    rule: { ...rule, not_match: match },
  });
  const patched = await tenant.call("PATCH", `/network-acls/${body.id}`, { rule });
  expect(patched.body).toMatchObject({ priority: 9, description: "d" });
  expect(patched.body.rule).toEqual(rule);
  const put = await tenant.call("PUT", `/network-acls/${body.id}`, acl);
  expect(put.body).toMatchObject({ priority: 50, created_at: body.created_at });
  expect(Date.parse(put.body.updated_at)).toBeGreaterThanOrEqual(Date.parse(body.updated_at));
  const partial = { rule: { scope: "tenant" } };
  expect(await refusal(tenant, partial, "PATCH", `/network-acls/${body.id}`)).toEqual([
    400,
    "invalid_body",
    "Payload validation error: 'Missing required property: action' on property rule.",
  ]);
});

test("refuses a priority that another ACL has, and lets an ACL keep its own", async () => {
  const tenant = await createTenant();
  const taken = [409, undefined, "A Network ACL with this priority number has already been created."];
  const first = await tenant.call("POST", "/network-acls", { ...acl, priority: 1 });
  expect(await refusal(tenant, { ...acl, priority: 1 })).toEqual(taken);
  const second = await tenant.call("POST", "/network-acls", acl);
  const path = `/network-acls/${second.body.id}`;
  expect(await refusal(tenant, { priority: 1 }, "PATCH", path)).toEqual(taken);
  expect(await refusal(tenant, { ...acl, priority: 1 }, "PUT", path)).toEqual(taken);
  expect((await tenant.call("PATCH", path, { priority: 50 })).status).toBe(200);
  await tenant.call("DELETE", `/network-acls/${first.body.id}`);
  expect((await tenant.call("PATCH", path, { priority: 1 })).status).toBe(200);
});

test("refuses an id of another form with 400, and accepts UUIDs as ids", async () => {
  const tenant = await createTenant();
  const malformed = [
    400,
    "invalid_uri",
    "Network ACL id is not a valid ACL ID in the form 'acl_XXXXXXXXXXXXXXXXXXXXXX'",
  ];
  for (const id of [
    "x",
    "acl_",
    "acl_0OIl111111111111111111",
    `acl_${"1".repeat(23)}`,
    "acl_1111%2F11111111111111111",
  ]) {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      expect(await refusal(tenant, method === "GET" ? undefined : acl, method, `/network-acls/${id}`)).toEqual(
        malformed,
      );
    }
  }
  const absent = [404, undefined, "NetworkACL with this ID was not found"];
  for (const id of ["acl_1111111111111111111111", "123e4567-e89b-12d3-a456-426614174000"]) {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      expect(await refusal(tenant, method === "GET" ? undefined : acl, method, `/network-acls/${id}`)).toEqual(absent);
    }
  }
});

const names = (list: { description: string }[]) => list.map(({ description }) => description);

test("lists by page, with and without totals", async () => {
  const tenant = await createTenant();
  for (let priority = 1; priority <= 7; priority++) {
    await tenant.call("POST", "/network-acls", { ...acl, description: `no ${priority}`, priority });
  }
  expect(names((await tenant.call("GET", "/network-acls")).body)).toHaveLength(7);
  expect(names((await tenant.call("GET", "/network-acls?per_page=3&page=2")).body)).toEqual(["no 7"]);
  const { body } = await tenant.call("GET", "/network-acls?include_totals=true&per_page=3&page=1");
  expect(body).toMatchObject({ total: 7, start: 3, limit: 3 });
  expect(names(body.network_acls)).toEqual(["no 4", "no 5", "no 6"]);
  expect((await tenant.call("GET", "/network-acls?include_totals=false&page=9")).body).toEqual([]);
  expect(await refusal(tenant, undefined, "GET", "/network-acls?per_page=101")).toEqual([
    400,
    "invalid_query_string",
    "Query validation error: 'Value 101 is greater than maximum 100' on property per_page.",
  ]);
  expect((await refusal(tenant, undefined, "GET", "/network-acls?colour=red"))[1]).toBe("invalid_query_string");
});

test("reads a form with nested names like the same JSON", async () => {
  const tenant = await createTenant();
  const { body } = await tenant.call("POST", "/network-acls", acl);
  const form = new URLSearchParams([
    ["description", "by form"],
    ["active", "false"],
    ["priority", "12"],
    ["rule[scope]", "management"],
    ["rule[action][redirect]", "true"],
    ["rule[action][redirect_uri]", "https://a.example/?x=1&y=2"],
    ["rule[match][asns][]", "1"],
    ["rule[match][asns][]", "2"],
    ["rule[match][geo_country_codes]", "UK"],
    ["rule[not_match][user_agents][0]", "bot"],
    ["rule[not_match][user_agents][1]", "true"],
  ]);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const put = await tenant.call("PUT", `/network-acls/${body.id}`, form.toString(), headers);
  expect(put.body).toMatchObject({
    description: "by form",
    active: false,
    priority: 12,
    rule: {
      scope: "management",
      action: { redirect: true, redirect_uri: "https://a.example/?x=1&y=2" },
      match: { asns: [1, 2], geo_country_codes: ["UK"] },
      not_match: { user_agents: ["bot", "true"] },
    },
  });
  const patch = await tenant.call("PATCH", `/network-acls/${body.id}`, "active=maybe", headers);
  expect(patch.body.message).toBe(
    "Payload validation error: 'Expected type boolean but found type string' on property active.",
  );
});

test("gives a new ACL an id of acl_ and 22 base58 characters", async () => {
  const tenant = await createTenant();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (priority) => {
      tenant.reset();
      const { body } = await tenant.call("POST", "/network-acls", { ...acl, priority });
      expect(body.id).toMatch(/^acl_[1-9A-HJ-NP-Za-km-z]{22}$/);
    }),
    { numRuns: 20 },
  );
});
