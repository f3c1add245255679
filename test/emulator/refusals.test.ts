/** What each family of the management API refuses, in the words of the service. Nothing that is refused changes the tenant. */
import type { Seed } from "../../src/emulator/emulator";
import { problemIn } from "../../src/emulator/schema";
import { createTenant } from "./client";

const [aclId, policyId, keyId] = [`acl_${"1".repeat(22)}`, `rlp_${"1".repeat(21)}`, `key_${"1".repeat(22)}`];
const [orgId, absentOrg] = [`org_${"1".repeat(16)}`, `org_${"2".repeat(16)}`];
const rule = { scope: "tenant", action: { block: true }, match: { asns: [64496] } };
const acl = { description: "d", active: true, rule };
const policy = {
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "client_id:abc",
  configuration: { action: "block", limit: 5 },
};
const key = { name: "new", alg: "hmac-sha256", value: "A".repeat(44) };

const seed: Seed = {
  network_acls: [
    {
      id: aclId,
      priority: 1,
      rule: { scope: "tenant", action: { log: true }, match: { http_message_signature: { keys: [{ id: keyId }] } } },
    },
    { id: `acl_${"2".repeat(22)}`, priority: 2, rule },
  ],
  rate_limit_policies: [{ id: policyId, configuration: { action: "allow" } }],
  network_acl_keys: [{ id: keyId, name: "edge", fingerprint: "0".repeat(64) }],
  organizations: [
    { id: orgId, name: "acme" },
    { id: "org_globex", name: "globex" },
  ],
  users: [{ user_id: "auth0|jo" }],
};

const ruled = (more: object) => ({ ...acl, rule: { ...rule, ...more } });
const acts = (action: object) => ruled({ action });
const matches = (match: object) => ruled({ match });
const set = (configuration: object) => ({ ...policy, configuration });
const everything = { scope: "tenant", action: { block: true }, match_all: true };
const members = (...users: unknown[]) => ({ members: users });
const many = (count: number) => Array.from({ length: count }, (_, n) => n);

const membersPath = `/organizations/${orgId}/members`;

type Case = readonly [what: string, request: string, ...body: unknown[]];
const cases: Readonly<Record<string, readonly Case[]>> = {
  "network ACLs": [
    ["a redirect without a URI", "POST /network-acls", acts({ redirect: true })],
    ["an empty URI", "POST /network-acls", acts({ redirect: true, redirect_uri: "" })],
    ["a URI without a redirect", "POST /network-acls", acts({ block: true, redirect_uri: "https://a.example" })],
    ["block and allow", "POST /network-acls", acts({ block: true, allow: true })],
    ["block: false", "POST /network-acls", acts({ block: false })],
    ["no criteria", "POST /network-acls", { ...acl, rule: { scope: "tenant", action: rule.action } }],
    ["an entry twice", "POST /network-acls", matches({ auth0_managed: ["auth0.tor", "auth0.tor"] })],
    ["an unknown curated list", "POST /network-acls", matches({ auth0_managed: ["X"] })],
    ["an unknown property", "POST /network-acls", { ...acl, surprise: 1 }],
    ["no description", "POST /network-acls", { active: true, rule }],
    ["priority 101", "POST /network-acls", { ...acl, priority: 101 }],
    ["active as text", "POST /network-acls", { ...acl, active: "true" }],
    ["an unknown scope", "POST /network-acls", ruled({ scope: "world" })],
    ["a bad host name", "POST /network-acls", matches({ hostnames: ["-bad-"] })],
    ["a bad prefix length", "POST /network-acls", matches({ ipv4_cidrs: ["10.0.0.0/33"] })],
    ["a key without an id", "POST /network-acls", matches({ http_message_signature: { keys: [{}] } })],
    ["match_all without its flag", "POST /network-acls", { ...acl, rule: everything }],
    ["half a rule", `PATCH /network-acls/${aclId}`, { rule: { scope: "tenant" } }],
    ["a taken priority", "POST /network-acls", { ...acl, priority: 2 }],
    ["a taken priority", `PATCH /network-acls/${aclId}`, { priority: 2 }],
    ["a taken priority", `PUT /network-acls/${aclId}`, { ...acl, priority: 2 }],
    ["too long a page", "GET /network-acls?per_page=101"],
    ["an unknown parameter", "GET /network-acls?colour=red"],
  ],
  "rate limit policies": [
    ["an unknown resource", "POST /rate-limit-policies", { ...policy, resource: "x" }],
    ["an unknown selector", "POST /rate-limit-policies", { ...policy, consumer_selector: "everybody" }],
    ["a block without a limit", "POST /rate-limit-policies", set({ action: "block" })],
    ["too high a limit", "POST /rate-limit-policies", set({ action: "block", limit: 10_001 })],
    ["an id", "POST /rate-limit-policies", { ...policy, id: "rlp_1" }],
    ["a taken selector", "POST /rate-limit-policies", { ...policy, consumer_selector: "default" }],
    ["more than the configuration", `PATCH /rate-limit-policies/${policyId}`, policy],
    ["an invalid cursor", "GET /rate-limit-policies?from=rubbish"],
    ["an empty page", "GET /rate-limit-policies?take=0"],
  ],
  keys: [
    ["31 bytes", "POST /keys/network-acls", { ...key, value: Buffer.alloc(31).toString("base64") }],
    ["no base64", "POST /keys/network-acls", { ...key, value: `${key.value}!` }],
    ["url-safe base64", "POST /keys/network-acls", { ...key, value: "-_".repeat(30) }],
    ["a character too many", "POST /keys/network-acls", { ...key, value: `${key.value}A` }],
    ["no value", "POST /keys/network-acls", { ...key, value: "" }],
    ["a taken name", "POST /keys/network-acls", { ...key, name: "edge" }],
    ["a key in use", `DELETE /keys/network-acls/${keyId}`],
    ["a change", `PATCH /keys/network-acls/${keyId}`, {}],
  ],
  "organizations, members and users": [
    ["a taken name", "POST /organizations", { name: "acme" }],
    ["a taken name", "PATCH /organizations/org_globex", { name: "acme" }],
    ["an empty name", "POST /organizations", { name: "" }],
    ["capitals", "POST /organizations", { name: "A" }],
    ["no member", `POST ${membersPath}`, members()],
    ["eleven members", `DELETE ${membersPath}`, members(...many(11).map((n) => `auth0|${n}`))],
    ["a number", `POST ${membersPath}`, members(1)],
    ["no list", `DELETE ${membersPath}`, {}],
    ["no body", `POST ${membersPath}`],
    ["an unknown member", `POST ${membersPath}`, members("auth0|jo", "auth0|ghost")],
    ...["page=1001", "take=0", "from=rubbish"].map((query): Case => [query, `GET ${membersPath}?${query}`]),
    ["a taken id", "POST /users", { connection: "c", user_id: "jo" }],
  ],
  ids: [
    ...["x", "acl_", "acl_0OIl111111111111111111", `${aclId}1`, "acl_1111%2F11111111111111111"].map((id): Case => [
      "another form",
      `GET /network-acls/${id}`,
    ]),
    ["another form", "PUT /network-acls/x", acl],
    ["another form", "PATCH /network-acls/x", {}],
    ["another form", "DELETE /network-acls/x"],
    ...["acl_3333333333333333333333", "123e4567-e89b-12d3-a456-426614174000"].map((id): Case => [
      "no such ACL",
      `GET /network-acls/${id}`,
    ]),
    ["no such ACL", "PUT /network-acls/acl_3333333333333333333333", acl],
    ["no such ACL", "PATCH /network-acls/acl_3333333333333333333333", {}],
    ["no such ACL", "DELETE /network-acls/acl_3333333333333333333333"],
    ["too long", `GET /rate-limit-policies/rlp_${"1".repeat(23)}`],
    ["another form", "PATCH /rate-limit-policies/x", { configuration: { action: "allow" } }],
    ["another form", "DELETE /rate-limit-policies/x"],
    ["no such key", "GET /keys/network-acls/x"],
    ["no such organization", `GET /organizations/${absentOrg}`],
    ["no such organization", "GET /organizations/name/Acme"],
    ["no such organization", `DELETE /organizations/${absentOrg}`],
    ["no such organization", `GET /organizations/${absentOrg}/members`],
    ["no such organization", `POST /organizations/${absentOrg}/members`, members("auth0|jo")],
    ["no such organization", `DELETE /organizations/${absentOrg}/members`, members("auth0|jo")],
    ["too long", `GET /organizations/org_${"1".repeat(47)}/members`],
    ["no such user", "GET /users/auth0%7Cada"],
  ],
};

test("refuses with the words of the service, and changes nothing", async () => {
  const tenant = await createTenant({ seed, flags: ["tenant_acl_hmac_signature"], trackUsers: true });
  const before = tenant.snapshot();
  const lines: string[] = [];
  for (const [family, rows] of Object.entries(cases)) {
    /** What is refused, by the words. */
    const answers = new Map<string, string[]>();
    for (const [what, request, body] of rows) {
      const [method, path] = request.split(" ") as [string, string];
      const { status, body: found } = await tenant.call(method, path, body);
      const message = String(found.message).replace(/^Payload validation error: /, "… ");
      const words = [status, found.errorCode, message].filter((part) => part !== undefined).join(" ");
      answers.set(words, [...(answers.get(words) ?? []), what]);
    }
    lines.push(
      `## ${family}`,
      ...[...answers].map(([words, refused]) => `${[...new Set(refused)].join(", ")}: ${words}`),
    );
  }
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "## network ACLs
    a redirect without a URI: 400 invalid_body … Action type of \`redirect\` requires a \`redirect_uri\`
    an empty URI: 400 invalid_body … 'String is too short (0 chars), minimum 1' on property rule.action.redirect_uri.
    a URI without a redirect: 400 invalid_body … 'Additional properties not allowed: redirect_uri' on property rule.action.
    block and allow: 400 invalid_body … 'None of the valid schemas were met' on property rule.action.
    block: false: 400 invalid_body … 'No enum match for: false' on property rule.action.block.
    no criteria: 400 invalid_body … 'None of the valid schemas were met' on property rule.
    an entry twice: 400 invalid_body … 'Array items are not unique (indexes 0 and 1)' on property rule.match.auth0_managed.
    an unknown curated list: 400 invalid_body Invalid curated list name(s): X. Allowed curated list names are: auth0.low_reputation, auth0.icloud_relay_proxy
    an unknown property: 400 invalid_body … 'Additional properties not allowed: surprise'.
    no description: 400 invalid_body … 'Missing required property: description'.
    priority 101: 400 invalid_body … 'Value 101 is greater than maximum 100' on property priority.
    active as text: 400 invalid_body … 'Expected type boolean but found type string' on property active.
    an unknown scope: 400 invalid_body … 'No enum match for: world' on property rule.scope.
    a bad host name: 400 invalid_body … 'Object didn't pass validation for format hostname: -bad-' on property rule.match.hostnames[0].
    a bad prefix length: 400 invalid_body … 'None of the valid schemas were met' on property rule.match.ipv4_cidrs[0]. Inner errors: [ 'Object didn't pass validation for format ipv4: 10.0.0.0/33' on property rule.match.ipv4_cidrs[0]., 'Object didn't pass validation for format cidr: 10.0.0.0/33' on property rule.match.ipv4_cidrs[0]. ].
    a key without an id: 400 invalid_body … 'Missing required property: id' on property rule.match.http_message_signature.keys[0].
    match_all without its flag: 400 invalid_body … 'Additional properties not allowed: match_all' on property rule.
    half a rule: 400 invalid_body … 'Missing required property: action' on property rule.
    a taken priority: 409 A Network ACL with this priority number has already been created.
    too long a page: 400 invalid_query_string Query validation error: 'Value 101 is greater than maximum 100' on property per_page.
    an unknown parameter: 400 invalid_query_string Query validation error: 'Additional properties not allowed: colour'.
    ## rate limit policies
    an unknown resource: 400 invalid_body … 'No enum match for: x' on property resource.
    an unknown selector: 400 invalid_body … 'String does not match pattern: ^(client_id:.+|cimd_clients|third_party_clients|default)$' on property consumer_selector.
    a block without a limit: 400 invalid_body … 'None of the valid schemas were met' on property configuration. Inner errors: [ 'No enum match for: block' on property configuration.action., 'Missing required property: limit' on property configuration., 'Missing required property: limit' on property configuration. ].
    too high a limit: 400 invalid_body … 'None of the valid schemas were met' on property configuration. Inner errors: [ 'Additional properties not allowed: limit' on property configuration., 'Value 10001 is greater than maximum 10000' on property configuration.limit., 'Missing required property: redirect_uri' on property configuration. ].
    an id: 400 invalid_body … 'Additional properties not allowed: id'.
    a taken selector: 409 A rate limit policy with the same resource, consumer, and consumer_selector already exists.
    more than the configuration: 400 invalid_body … 'Additional properties not allowed: resource,consumer,consumer_selector'.
    an invalid cursor: 400 invalid_query_string Invalid pagination cursor
    an empty page: 400 invalid_query_string Query validation error: 'Value 0 is less than minimum 1' on property take.
    ## keys
    31 bytes, no base64, url-safe base64, a character too many, no value: 400 invalid_body … 'Expected base64 of 32 to 512 bytes' on property value.
    a taken name: 409 A network ACL key with this name already exists: key_1111111111111111111111.
    a key in use: 409 The key is in use by network ACLs: acl_1111111111111111111111.
    a change: 404 The embedded tenant has no operation PATCH /api/v2/keys/network-acls/key_1111111111111111111111. Its guide lists the operations that it has: https://github.com/tenantform/tenantform/blob/main/docs/guides/embedded-tenant.md#operations
    ## organizations, members and users
    a taken name: 409 organization_conflict An organization with this name already exists.
    an empty name: 400 invalid_body … 'String is too short (0 chars), minimum 1' on property name.
    capitals: 400 invalid_body … 'String does not match pattern: ^[a-z0-9][a-z0-9_-]*$' on property name.
    no member: 400 invalid_body … 'Array is too short (0), minimum 1' on property members.
    eleven members: 400 invalid_body … 'Array is too long (11), maximum 10' on property members.
    a number: 400 invalid_body … 'Expected type string but found type integer' on property members[0].
    no list: 400 invalid_body … 'Missing required property: members'.
    no body: 400 invalid_body … 'Expected type object but found type null'.
    an unknown member: 400 invalid_body The following users do not exist: auth0|ghost
    page=1001: 400 invalid_query_string Query validation error: 'Value 1001 is greater than maximum 1000' on property page.
    take=0: 400 invalid_query_string Query validation error: 'Value 0 is less than minimum 1' on property take.
    from=rubbish: 400 invalid_paging Query validation error: 'Invalid cursor' on property from.
    a taken id: 409 auth0_idp_error The user already exists.
    ## ids
    another form: 400 invalid_uri Network ACL id is not a valid ACL ID in the form 'acl_XXXXXXXXXXXXXXXXXXXXXX'
    no such ACL: 404 NetworkACL with this ID was not found
    too long: 400 invalid_uri Path validation error: 'String is too long (27 chars), maximum 26' on property id.
    another form: 404 The rate limit policy does not exist.
    no such key: 404 The network ACL key does not exist.
    no such organization: 404 No organization found by that id or name
    too long: 400 invalid_uri Path validation error: 'String is too long (51 chars), maximum 50' on property id.
    no such user: 404 inexistent_user The user does not exist."
  `);
  expect(tenant.snapshot()).toEqual(before);
});

test.each(["http://a.example", "https://", "https:/a.example", "https://u:p@a.example", "https://a b", "HTTPS\\a"])(
  "takes %s for no strict https URI",
  (uri) => {
    expect(problemIn({ type: "string", format: "strict-https-uri" }, uri)).toMatch(/format strict-https-uri/);
  },
);
