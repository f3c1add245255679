/** What the engine does that no plan of the real provider shows, and rows of people. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ValueChange } from "../../../../src/judge/impact/auth0/changes";
import { fitsValue } from "../../../../src/judge/impact/auth0/match";
import { changeProblem, placeholders, type Row } from "../../../../src/judge/impact/auth0/row";
import { table } from "../../../../src/judge/impact/auth0/table";
import { effectsOfLines } from "../../../../src/judge/impact/verdict";
import { summaryOf } from "../../../../src/judge/impact/words/verdict";
import { sentence } from "../../../../src/judge/impact/words/words";
import { parsePlan } from "../../../../src/review/input/plan";
import { readRules, rulesHere, rulesList } from "../../../../src/review/commands/auth0-rules-file";
import type { OwnRules } from "../../../../src/review/judge/judgement";
import { tenantsIn } from "../../../../src/review/input/tenants";
import { configured, constant, reviewPlans, reviewTenant } from "../../../review/support/plan";

type Values = Readonly<Record<string, unknown>>;

const changed = (address: string, before: Values | null, after: Values | null, more: Values = {}) => {
  const actions = before && after ? ["update"] : [before ? "delete" : "create"];
  const [type, name] = address.split(".");
  return { address, type, name, mode: "managed", change: { actions, before, after, ...more } };
};

/** `written`: the expressions of resources by their addresses, without keys. */
function linesOf(changes: readonly object[], rules?: OwnRules, written: Values = {}): string[] {
  const resources = Object.entries(written).map(([address, expressions]) => ({ address, expressions }));
  const configuration = { root_module: { resources } };
  const plan = { format_version: "1.2", complete: true, resource_changes: changes, configuration };
  const { effects } = reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")], rules && { rules });
  return effects.map((one) => `${one.level} ${one.code} ${one.subject.address} ${one.ignored ?? ""}| ${sentence(one)}`);
}

const shop = { id: "c1", client_id: "c1", name: "Shop", description: "a", callbacks: ["https://a.example"] };

test("a deferred deletion: possible, with its reason, and the gap names it", () => {
  const resource_change = changed(
    'auth0_connection.users["*"]',
    { id: "con_1", name: "Users", strategy: "auth0" },
    null,
  );
  const deferred_changes = [{ reason: "provider_config_unknown", resource_change }];
  const plan = { format_version: "1.2", resource_changes: [], deferred_changes };
  const { effects } = reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")]);
  expect(effects.map((one) => [one.code, one.level, one.certainty])).toEqual([
    ["TNF-USERS-DELETED", "critical", "possible"],
    ["TNF-INCOMPLETE", "low", "undecided"],
  ]);
  expect(sentence(effects[0]!)).toContain(
    "Possible, if a later plan makes the change, which Terraform defers (provider config unknown): Deletes",
  );
  expect(sentence(effects[1]!)).toContain('defers the change of auth0_connection.users["*"] (provider config unknown)');
});

test("40 harmless changes and one deleted connection: the connection is the first line", () => {
  const looks = Array.from({ length: 40 }, (_, index) =>
    changed(`auth0_client.c${index}`, { ...shop, id: `c${index}` }, { ...shop, id: `c${index}`, description: "b" }),
  );
  const users = changed("auth0_connection.users", { id: "con_1", name: "Users", strategy: "auth0" }, null);
  const plan = { format_version: "1.2", complete: true, resource_changes: [...looks, users] };
  const { effects, verdict } = reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")]);
  expect(effects.map(({ code }) => code)).toEqual(["TNF-USERS-DELETED"]);
  expect(verdict).toMatchObject({ level: "critical", lines: [{ kind: "effect" }] });
});

const client = (before: Values, after: Values, more?: Values) =>
  changed("auth0_client.a", { ...shop, ...before }, { ...shop, ...after }, more);
const connection = (strategy: string, ...options: readonly Values[]) => {
  const [before, after] = options.map((own) => ({ id: "x", name: "X", strategy, ...own }));
  return changed("auth0_connection.x", before!, after!);
};
const page = (html: string) => ({ login: [{ enabled: true, html }] });
const from = (url: string) => `<script src='${url}'></script>`;
const branding = (body: string) => ({ universal_login: [{ body }] });

const grant = { client_id: "c1", audience: "https://a.example/api/v2/", scopes: ["read:clients"] };
const credentials = { client_id: "c1", authentication_method: "private_key_jwt", private_key_jwt: [{ x: 1 }] };

test.each<[string, object, boolean]>([
  ["destroyed", changed("auth0_client.a", shop, null), true],
  ["without its grant type", client({ grant_types: ["client_credentials"] }, { grant_types: ["password"] }), true],
  ["without another grant type", client({ grant_types: ["password", "a"] }, { grant_types: ["a"] }), false],
  ["without its grant", changed("auth0_client_grant.g", grant, null), true],
  ["without the last scope", changed("auth0_client_grant.g", grant, { ...grant, scopes: [] }), true],
  ["without another grant", changed("auth0_client_grant.g", { ...grant, audience: "https://b" }, null), false],
  ["without its keys", changed("auth0_client_credentials.c", credentials, null), true],
  ["of another name", changed("auth0_client.a", { ...shop, client_id: "c2", id: "c2" }, null), false],
])("Terraform's own application %s", (_what, change, isLockout) => {
  const provider_config = { auth0: { name: "auth0", expressions: { client_id: { references: ["var.client"] } } } };
  const configuration = { provider_config, root_module: { variables: { client: {} } } };
  const users = changed("auth0_connection.users", { id: "con_1", name: "Users", strategy: "auth0" }, null);
  const variables = { client: { value: "c1" } };
  const plan = { format_version: "1.2", resource_changes: [users, change], configuration, variables };
  const { effects } = reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")]);
  const lockout = expect.objectContaining({ code: "TNF-APP-LOCKOUT", level: "critical" });
  expect(effects[0]).toEqual(isLockout ? lockout : expect.objectContaining({ code: "TNF-USERS-DELETED" }));
  expect(effects.some(({ code }) => code === "TNF-APP-LOCKOUT")).toBe(isLockout);
});

/** Level, code and address; then words of the line. */
test.each<[string, object, readonly (readonly [head: string, ...words: string[]])[]]>([
  [
    "values that mean the same inside blocks",
    connection(
      "oidc",
      { show_as_button: null, options: [{ debug: null, ips: null }] },
      { options: [{ debug: false, ips: [] }] },
    ),
    [],
  ],
  [
    "an attribute that no row knows",
    client({ brand_new: 1 }, { brand_new: 2 }),
    [["info TNF-NOT-REVIEWED auth0_client.a", "auth0_client.a (brand_new)."]],
  ],
  [
    "a type that no row knows, with an action that nobody knows",
    { ...changed("auth0_new.a", {}, {}), change: { actions: ["defer"], before: {}, after: {} } },
    [["info TNF-NOT-REVIEWED auth0_new.a", "auth0_new.a (in a way that this version does not know)."]],
  ],
  [
    "a secret that the provider does not mark",
    connection(
      "twitter",
      ...["SENTINEL-1", "SENTINEL-2"].map((consumer_secret) => ({ options: [{ consumer_secret }] })),
    ),
    [["medium TNF-CONNECTION-CLOSED auth0_connection.x", "stops: options.consumer_secret changes."]],
  ],
  [
    "an attribute of a new version that is emptied",
    client({ brand_new: ["a"] }, { brand_new: [] }),
    [["medium TNF-NOT-REVIEWED auth0_client.a", "auth0_client.a (brand_new)."]],
  ],
  [
    "an add-on that is removed as a whole",
    client({ addons: [{ samlp: [{ audience: "a", recipient: "b" }], box: [] }] }, { addons: [{ samlp: [], box: [] }] }),
    [["high TNF-APP-STOPS auth0_client.a", 'The add-on samlp of "Shop" is removed']],
  ],
  [
    "callback URLs with a wildcard, without encryption, on the own device, and usual ones",
    client(
      {},
      {
        callbacks: [
          "https://*.a.example",
          "http://c.example",
          "http://localhost:3000",
          "https://b.example",
          "https://a.example",
        ],
      },
    ),
    [
      ["medium TNF-APP-OPENED auth0_client.a", 'any address that "https://*.a.example" matches'],
      ["medium TNF-APP-OPENED auth0_client.a", 'return to "http://c.example", and nothing encrypts'],
      ["low TNF-APP-OPENED auth0_client.a", '"http://localhost:3000"'],
      ["info TNF-APP-OPENED auth0_client.a", 'may return to "https://b.example".'],
    ],
  ],
  [
    "longer refresh tokens",
    client({ refresh_token: [{ token_lifetime: 60 }] }, { refresh_token: [{ token_lifetime: 90 }] }),
    [["low TNF-PROTECTION-OFF auth0_client.a", "works for 90 s instead of 60 s"]],
  ],
  [
    "the length of refresh tokens that never end",
    client(
      { refresh_token: [{ expiration_type: "non-expiring", token_lifetime: 60 }] },
      { refresh_token: [{ expiration_type: "non-expiring", token_lifetime: 30 }] },
    ),
    [],
  ],
  [
    "longer sessions, and a place for sign-ins that fail",
    changed("auth0_tenant.t", { session_lifetime: 72 }, { session_lifetime: 90, default_redirection_uri: "https://a" }),
    [
      ["low TNF-PROTECTION-OFF auth0_tenant.t", "signed in for 90 h instead of 72 h"],
      ["low TNF-SIGN-IN-CHANGED auth0_tenant.t", 'end at "https://a".'],
    ],
  ],
  [
    "logs that go elsewhere",
    changed("auth0_log_stream.l", { sink: [{ http_endpoint: "a" }] }, { sink: [{ http_endpoint: "b" }] }),
    [["medium TNF-SYNC-OFF auth0_log_stream.l", "sends the logs of the tenant to another receiver"]],
  ],
  [
    "callback URLs of other hosts that look like the own device",
    client(
      {},
      { callbacks: ["https://a.example", "http://localhost.b.example/cb", "http://localhost:x@c.example/cb"] },
    ),
    [
      ["medium TNF-APP-OPENED auth0_client.a", '"http://localhost.b.example/cb", and nothing encrypts'],
      ["medium TNF-APP-OPENED auth0_client.a", '"http://…@c.example/cb", and nothing encrypts'],
    ],
  ],
  [
    "a new grant for the Management API",
    changed("auth0_client_grant.g", null, { audience: "https://acme.eu.auth0.com/api/v2/", scopes: ["delete:users"] }),
    [["high TNF-PERMISSION-ADDED auth0_client_grant.g", 'with "delete:users"']],
  ],
  [
    "a message without its code, by which people sign in",
    connection("email", { options: [{ template: "{{ code }}" }] }, { options: [{ template: "Hello" }] }),
    [["high TNF-CONNECTION-CLOSED auth0_connection.x", 'Nobody can sign in through "X"']],
  ],
  [
    "a new user with rights",
    changed("auth0_user.u", null, { name: "Ada", app_metadata: '{"roles":["SENTINEL-1"]}' }),
    [["medium TNF-USER-CHANGED auth0_user.u", 'Creates the user "Ada", who may sign in, with rights of their own.']],
  ],
  [
    "a key of a map that looks like a sentence",
    client({}, { client_metadata: { 'tier. ✔ Nothing changes "x"': "1" } }),
    [["low TNF-READ-CHANGED auth0_client.a", 'client_metadata."tier. ✔ Nothing changes \\"x\\"" of "Shop"']],
  ],
  [
    "the rights of a user",
    changed("auth0_user.u", { name: "Ada", app_metadata: "{}" }, { name: "Ada", app_metadata: '{"a":"SENTINEL-1"}' }),
    [["medium TNF-READ-CHANGED auth0_user.u"]],
  ],
  ["origins with a wildcard", client({}, { web_origins: ["*"] }), [["medium TNF-APP-OPENED auth0_client.a", '"*"']]],
  ["a default that is written", client({}, { organization_require_behavior: "no_prompt" }), []],
  [
    "everybody on the allowlist of a protection",
    changed("auth0_attack_protection.a", { x: 1 }, { x: 1, brute_force_protection: [{ allowlist: ["0.0.0.0/0"] }] }),
    [["high TNF-PROTECTION-OFF auth0_attack_protection.a", 'no longer limits anybody at "0.0.0.0/0"']],
  ],
  [
    "a new connection that leads people of a domain to it",
    changed("auth0_connection.x", null, { name: "X", strategy: "samlp", options: [{ domain_aliases: ["a.example"] }] }),
    [["medium TNF-SIGN-IN-CHANGED auth0_connection.x", 'Sign-ins with addresses at "a.example" go to "X"']],
  ],
  [
    "the entity ID of a connection",
    connection("samlp", { options: [{ entity_id: "a" }] }, { options: [{ entity_id: "b" }] }),
    [["high TNF-CONNECTION-CLOSED auth0_connection.x", 'The entity ID of "X" is "b" instead of "a"']],
  ],
  [
    "a grant for all third-party applications",
    changed("auth0_client_grant.g", null, { default_for: "third_party_clients", audience: "https://a.example" }),
    [["high TNF-PERMISSION-ADDED auth0_client_grant.g", 'Every third-party application can get tokens for "https://a']],
  ],
  [
    "credentials without keys that are replaced",
    {
      ...changed("auth0_client_credentials.c", null, null),
      change: {
        actions: ["delete", "create"],
        before: { id: "c1", client_id: "c1", authentication_method: "client_secret_post" },
        after: { client_id: "c1", authentication_method: "client_secret_post" },
      },
    },
    [["medium TNF-CREDENTIAL-CHANGED auth0_client_credentials.c", "Possible, if the application authenticates"]],
  ],
  [
    "keys of a map that are names of methods",
    client(
      { addons: [{ samlp: [{ mappings: { constructor: "a", toString: "b" } }] }] },
      { addons: [{ samlp: [{ mappings: { toString: "c" } }] }] },
    ),
    [
      ["low TNF-TOKEN-CHANGED auth0_client.a", 'addons.samlp.mappings.constructor ("a" becomes no value).'],
      ["low TNF-TOKEN-CHANGED auth0_client.a", 'addons.samlp.mappings.toString ("b" becomes "c").'],
    ],
  ],
  [
    "an object in place of a reference",
    changed(
      "auth0_client_grant.g",
      { id: "g", audience: { toString: 1 }, client_id: { valueOf: 1, toString: 1 } },
      null,
    ),
    [["high TNF-PERMISSION-REMOVED auth0_client_grant.g"]],
  ],
  [
    "a page template without its widget, which a newer provider may let through",
    changed("auth0_branding.b", branding("{%- auth0:head -%}{%- auth0:widget -%}"), branding("{%- auth0:head -%}")),
    [["high TNF-SIGN-IN-CHANGED auth0_branding.b", "if Auth0 accepts the template: People cannot sign in: "]],
  ],
  [
    "the keys of an application at another place",
    client({ jwks_uri: "https://a.example" }, { jwks_uri: "https://b.example" }),
    [["medium TNF-CREDENTIAL-CHANGED auth0_client.a", 'at "https://b.example" instead of "https://a.example".']],
  ],
  [
    "a page that is created, with code from elsewhere",
    changed("auth0_pages.p", null, page("<iframe src='https://other.example'></iframe>")),
    [
      [
        "high TNF-SIGN-IN-CHANGED auth0_pages.p",
        "login.html loads code from a new host",
        "sets login.enabled = true and ",
      ],
    ],
  ],
  [
    "factors of a tenant that nobody has adopted: one effect, and no former value",
    changed("auth0_guardian.g", null, { policy: "all-applications", email: false, otp: true, phone: [] }),
    [
      [
        "high TNF-MFA-OFF auth0_guardian.g",
        "if people have enrolled only this factor and it is not so already: People cannot give the second factor email: ",
        'The plan sets policy = "all-applications", email = false and otp = true; what was set before is not in it.',
      ],
    ],
  ],
  ...(
    [
      ["email_provider", { name: "ses", enabled: false }, "high TNF-MAIL-OFF", "No mail for verification"],
      ["email_template", { template: "reset_email", enabled: false }, "medium TNF-MAIL-OFF", "is not sent any more"],
      ["phone_provider", { name: "twilio", disabled: true }, "high TNF-MAIL-OFF", "No code is sent"],
      ["tenant", { session_lifetime: 1 }, "medium TNF-SESSION-SHORTER", "it is not so already: The plan sets session_"],
      ["prompt", { universal_login_experience: "classic" }, "low TNF-SIGN-IN-CHANGED", '_experience = "classic"; what'],
      ["custom_domain_default", { domain: "a.example" }, "medium TNF-TENANT-CHANGED", '"a.example"'],
      [
        "encryption_key_manager",
        { customer_provided_root_key: [{ wrapped_key: "w" }] },
        "high TNF-KEY-DELETED",
        "(sensitive); what",
      ],
      ["rule_config", { key: "k", value: "v" }, "medium TNF-ACTION-CHANGED", "Sets the setting"],
      ["supplemental_signals", { akamai_enabled: false }, "low TNF-PROTECTION-OFF", "akamai_enabled = false"],
      ["risk_assessments", { enabled: false }, "low TNF-PROTECTION-OFF", "enabled = false"],
      ["branding", { universal_login: [{ body: "x" }] }, "medium TNF-SIGN-IN-CHANGED", 'universal_login.body = "x"'],
      ["client_credentials", { client_id: "c1" }, "high TNF-CREDENTIAL-CHANGED", "which exists"],
    ] as const
  ).map(([type, values, head, words]): [string, object, [[string, string]]] => [
    `${type}: a create sets what the tenant has`,
    changed(`auth0_${type}.x`, null, values),
    [[`${head} auth0_${type}.x`, words]],
  ]),
  [
    "a page with a picture from elsewhere, a library of Auth0, and the same host in another script",
    changed(
      "auth0_pages.p",
      page(from("https://a.example/1.js")),
      page(`<img src='https://b.example/x.png'>${from("https://A.example/2.js")}${from("//cdn.auth0.com/l.js")}`),
    ),
    [["medium TNF-SIGN-IN-CHANGED auth0_pages.p", "read the difference of login.html."]],
  ],
  [
    "a name that the plan marks as sensitive",
    changed("auth0_role.r", { id: "r", name: "SENTINEL" }, null, { before_sensitive: { name: true } }),
    [["high TNF-PERMISSION-REMOVED auth0_role.r", "Deletes the role (sensitive): "]],
  ],
])("%s", (_what, change, expected) => {
  const lines = linesOf([change]);
  expect(lines.map((line) => line.split(" | ")[0])).toEqual(expected.map(([head]) => head));
  for (const [index, [, ...words]] of expected.entries()) for (const one of words) expect(lines[index]).toContain(one);
  expect(lines.join()).not.toContain("SENTINEL");
});

const link = (type: string, name: string, values: Values) => ({
  gone: changed(`auth0_${type}.${name}`, { id: name, ...values }, null),
  new: changed(`auth0_${type}.${name}`, null, values),
  stays: changed(`auth0_${type}.${name}`, { id: name, ...values }, { id: name, ...values }),
});
const again = (change: object, ...actions: string[]) => {
  const { change: own, ...rest } = change as { change: Values };
  return { ...rest, change: { ...own, after: own["before"], actions } };
};
const pair = (name: string, client_id: string) =>
  link("connection_client", name, { connection_id: "con_1", client_id });
const pairs = (name: string, ...enabled_clients: string[]) =>
  link("connection_clients", name, { connection_id: "con_1", enabled_clients });
const orders = { client_id: "c1", audience: "https://orders.example", scopes: ["read", "write"], subject_type: "" };
const grants = (name: string, more: Values = {}) => link("client_grant", name, { ...orders, ...more });
const bound = (name: string, ...ids: string[]) =>
  link("trigger_actions", name, { trigger: "post-login", actions: ids.map((id) => ({ id })) });
const senders = (name: string, more: Values = {}) =>
  link("email_provider", name, { name: "ses", enabled: true, ...more });
const database = (name: string) => link("connection", name, { name: "Users", strategy: "auth0" });
const after = (old: string, made: string) => `if Terraform destroys ${old} after it creates ${made}: `;
const mayClose = "medium TNF-CONNECTION-CLOSED";

test.each<[string, readonly object[], readonly (readonly [head: string, ...words: string[]])[]]>([
  [
    "a grant with another key",
    [grants("a").gone, grants("b").new],
    [
      [
        "medium TNF-PERMISSION-REMOVED auth0_client_grant.a",
        after("auth0_client_grant.a", "auth0_client_grant.b"),
        "To keep it, write `moved` with from = auth0_client_grant.a and to = auth0_client_grant.b.",
      ],
    ],
  ],
  [
    "a grant with another key and fewer scopes",
    [grants("a").gone, grants("b", { scopes: ["read"], subject_type: "client" }).new],
    [
      ["high TNF-PERMISSION-REMOVED auth0_client_grant.b", '"write"'],
      ["medium TNF-PERMISSION-REMOVED auth0_client_grant.a"],
    ],
  ],
  [
    "a grant for users in place of one for machines",
    [grants("a").gone, grants("b", { subject_type: "user" }).new],
    [["high TNF-PERMISSION-REMOVED auth0_client_grant.a"], ["medium TNF-PERMISSION-ADDED auth0_client_grant.b"]],
  ],
  [
    "a grant that is replaced by itself",
    [again(grants("a").gone, "delete", "create")],
    [["medium TNF-PERMISSION-REMOVED auth0_client_grant.a", "if the apply ends between the destroy and the create: "]],
  ],
  [
    "a grant whose new object is the old one, which then goes",
    [again(grants("a").gone, "create", "delete")],
    [["high TNF-PERMISSION-REMOVED auth0_client_grant.a"]],
  ],
  [
    "entries that become a list",
    [pair("a", "c1").gone, pair("b", "c2").gone, pairs("all", "c2", "c1").new],
    [
      [
        `${mayClose} auth0_connection_client.a`,
        after("auth0_connection_client.a", "auth0_connection_clients.all"),
        "take auth0_connection_client.a out of the state by `removed` with destroy = false, and import auth0_connection_clients.all.",
      ],
      [`${mayClose} auth0_connection_client.b`],
    ],
  ],
  [
    "a list that becomes entries, one of which is missing",
    [pairs("all", "c1", "c2").gone, pair("a", "c1").new],
    [
      ["high TNF-CONNECTION-CLOSED auth0_connection_clients.all", 'can no longer sign in to "c2"'],
      [`${mayClose} auth0_connection_clients.all`, after("auth0_connection_clients.all", "auth0_connection_client.a")],
    ],
  ],
  [
    "entries that become a list which replaces what others have bound",
    [link("trigger_action", "a", { trigger: "post-login", action_id: "a1" }).gone, bound("all", "a1").new],
    [
      ["high TNF-ACTION-UNBOUND auth0_trigger_actions.all", "if other actions are bound"],
      ["medium TNF-ACTION-UNBOUND auth0_trigger_action.a"],
    ],
  ],
  [
    "a sender of mail in a module, and switched off",
    [senders("a").gone, senders("b", { enabled: false }).new],
    [["high TNF-MAIL-OFF auth0_email_provider.b"], ["medium TNF-MAIL-OFF auth0_email_provider.a"]],
  ],
  [
    "settings that a resource forgets, and another one has",
    [
      link("tenant", "a", { session_lifetime: 9 }).gone,
      link("tenant", "b", { session_lifetime: 9, friendly_name: "b" }).new,
    ],
    [],
  ],
  [
    "users, whom nothing makes again",
    [database("a").gone, database("b").new],
    [
      [
        "critical TNF-USERS-DELETED auth0_connection.a",
        "auth0_connection.b has the same name: if it is the same object, write `moved` with from = auth0_connection.a",
      ],
    ],
  ],
])("%s: lost only if the destroy comes last", (_what, changes, expected) => {
  const lines = linesOf(changes);
  expect(lines.map((line) => line.split(" | ")[0])).toEqual(expected.map(([head]) => head));
  for (const [index, [, ...words]] of expected.entries()) for (const one of words) expect(lines[index]).toContain(one);
});

const guardian = (name: string) => link("guardian", name, { policy: "never" });
const forms = (type: string, more: Values) => [link(type, "one", more).new, link(`${type}s`, "all", more).new];
const org = { organization_id: "org_1" };
const both = { resource_server_identifier: "https://api", permission: "read", scope: "read" };
const permissions = [{ resource_server_identifier: "https://api", name: "read" }];

test.each<[string, readonly object[], string | undefined]>([
  ["two lists", [bound("a", "a1").stays, bound("b", "a2").new], 'actions of the trigger "post-login"'],
  ["two lists of several triggers", [bound("a").stays, link("trigger_actions", "b", { trigger: "x" }).new], undefined],
  ["a list and an entry", [pairs("all", "c1").stays, pair("a", "c2").new], 'applications of the connection "con_1"'],
  ["two entries", [pair("a", "c1").stays, pair("b", "c2").new], undefined],
  ["one entry twice", [pair("a", "c1").stays, pair("b", "c1").new], 'applications of the connection "con_1"'],
  ["entries that become a list", [pair("a", "c1").gone, pairs("all", "c1").new], undefined],
  [
    "an entry beside a list, which goes",
    [pairs("all", "c1").stays, pair("a", "c1").gone],
    "(destroyed) manage the same",
  ],
  ["two settings", [guardian("a").stays, guardian("b").new], "auth0_guardian"],
  ["an object twice", [client({}, { description: "b" }), changed("auth0_client.b", shop, shop)], 'auth0_client "c1"'],
  [
    "an object that goes twice",
    [changed("auth0_client.a", shop, null), changed("auth0_client.b", shop, null)],
    undefined,
  ],
  ...(
    [
      ["organization_connection", { ...org, connection_id: "c", enabled_connections: [] }],
      ["organization_client", { ...org, client_id: "c", clients: [] }],
      ["organization_discovery_domain", { ...org, domain: "c", discovery_domains: [] }],
      ["organization_member_role", { ...org, user_id: "u", role_id: "r", roles: ["r"] }],
      ["role_permission", { role_id: "r", ...both, permissions }],
      ["user_permission", { user_id: "r", ...both, permissions }],
      ["user_role", { user_id: "r", role_id: "r", roles: ["r"] }],
      ["resource_server_scope", { ...both, scopes: [{ name: "read" }] }],
      ["prompt_screen_partial", { prompt_type: "login", screen_name: "login", screen_partials: [] }],
    ] as const
  ).map(([type, values]): [string, readonly object[], string] => [type, forms(type, values), " of the "]),
])("%s: whether two resources manage the same", (_what, changes, words) => {
  const [line, ...more] = linesOf(changes).filter((text) => text.includes("TNF-DUPLICATE"));
  expect(more).toEqual([]);
  if (words === undefined) expect(line).toBeUndefined();
  else expect(line).toMatch(/^high TNF-DUPLICATE auth0_/);
  expect(line ?? "").toContain(words ?? "");
});

test("3,000 instances that one resource loses: one effect with their number, and all causes", () => {
  const instances = (name: string, length: number) =>
    Array.from({ length }, (_, index) =>
      changed(`auth0_client.${name}["${index}"]`, { ...shop, id: name + index }, null),
    );
  const resource_changes = [...instances("each", 3_000), ...instances("few", 5)];
  const plan = { format_version: "1.2", complete: true, resource_changes };
  const { effects } = reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")]);
  const [first] = effects;
  expect(effects.map(({ cause }) => cause.length).toSorted((one, other) => other - one)).toEqual([
    3_000, 1, 1, 1, 1, 1,
  ]);
  expect(sentence(effects.find(({ cause }) => cause.length > 1)!)).toMatch(
    /The same is so of 2,999 other instances of auth0_client\.each\.$/,
  );
  expect(first!.code).toBe("TNF-APP-STOPS");
});

test("what Terraform only forgets, and actions that the apply runs, are said", () => {
  const { change: own, ...rest } = changed("auth0_connection.x", { id: "con_1", name: "X", strategy: "auth0" }, null);
  const forgotten = { ...rest, change: { ...own, actions: ["forget"] } };
  expect(linesOf([forgotten])).toEqual([
    "low TNF-FORGOTTEN auth0_connection.x | auth0_connection.x is no longer managed by Terraform. The object stays on the tenant unchanged.",
  ]);
  const action_invocations = ["auth0_rotate", "aws_lambda_invoke"].map((type) => ({
    address: `action.${type}.x`,
    type,
  }));
  const plan = { format_version: "1.2", complete: true, resource_changes: [], action_invocations };
  const { verdict } = reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")]);
  expect(summaryOf(verdict)).toEqual([
    "○ Nothing that was read changes for people. The plan also has changes that this version does not read: action.auth0_rotate.x.",
  ]);
});

test("programs that the apply runs are said", () => {
  const provisioners = [{ type: "local-exec", expressions: {} }];
  const configuration = { root_module: { resources: [{ address: "auth0_role.r", provisioners }] } };
  const of = (...change: Parameters<typeof changed>) => {
    const plan = { format_version: "1.2", complete: true, resource_changes: [changed(...change)], configuration };
    return summaryOf(reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")]).verdict)[0];
  };
  expect(of("auth0_role.r", null, { name: "R" })).toMatch(
    /^○ Nothing that was read .* does not read: the programs of auth0_role\.r\.$/,
  );
  expect(of("auth0_role.r", { name: "R", description: "a" }, { name: "R", description: "b" })).toMatch(/^✔ /);
});

test("a connection that two plans destroy: once, with both", () => {
  const resource_changes = [changed("auth0_connection.x", { id: "con_1", name: "X", strategy: "auth0" }, null)];
  const domain = configured({ auth0: { domain: constant("a.eu.auth0.com") } });
  const plan = parsePlan(
    JSON.stringify({ format_version: "1.2", complete: true, resource_changes, ...domain }),
    "plan",
  );
  const [tenant] = tenantsIn(["core", "shop"].map((name) => ({ name, plan })));
  const { effects } = reviewTenant(tenant!, {}).whole;
  expect(effects.map(({ code }) => code)).toEqual(["TNF-USERS-DELETED"]);
  expect(sentence(effects[0]!)).toContain(
    'Several plans destroy it: auth0_connection.x of "core" and auth0_connection.x of "shop".',
  );
});

const twoActions = [
  { id: "act_1", display_name: "Claims" },
  { id: "act_2", display_name: "Require MFA" },
];
const trigger = (actions: readonly Values[], ...unknown: object[]) =>
  changed(
    "auth0_trigger_actions.t",
    { id: "post-login", trigger: "post-login", actions: twoActions },
    { id: "post-login", trigger: "post-login", actions },
    { after_unknown: { actions: unknown } },
  );
const made = (address: string, values: Values = {}) =>
  changed(address, null, values, { after_unknown: { id: true, client_id: true } });
const exists = (address: string, id: string) => ({
  ...changed(address, { id, name: id }, { id, name: id }),
  change: { actions: ["no-op"], before: { id, name: id }, after: { id, name: id } },
});
/** `auth0_action.n` and `auth0_action.n.id`, as a plan writes `auth0_action.n.id`. */
const refer = (...all: string[]) => ({ references: all.flatMap((one) => [one, one.replace(/\.\w+$/, "")]) });
const ids = (...all: object[]) => ({ "auth0_trigger_actions.t": { actions: all.map((id) => ({ id })) } });
const first = { constant_value: "act_1" };
const newAction = { display_name: "New" };
const enabled = (old: readonly string[], ...now: (readonly string[] | Values)[]) =>
  changed(
    "auth0_connection_clients.c",
    { id: "con_1", connection_id: "con_1", enabled_clients: old },
    { id: "con_1", connection_id: "con_1", ...(now[0] && { enabled_clients: now[0] }) },
    { after_unknown: { enabled_clients: true } },
  );
const clients = (expression: object) => ({ "auth0_connection_clients.c": { enabled_clients: expression } });
const unbound = "high TNF-ACTION-UNBOUND auth0_trigger_actions.t";
const shut = "high TNF-CONNECTION-CLOSED auth0_connection_clients.c";
const opened = "info TNF-APP-OPENED auth0_connection_clients.c";
const [attack, guess] = ["auth0_attack_protection.a", { enabled: true, max_attempts: 5 }];
const guessing = (allowlist: readonly string[], unknown: object) =>
  changed(
    attack,
    { id: "a", brute_force_protection: [{ ...guess, allowlist: [] }] },
    { id: "a", brute_force_protection: [{ ...guess, ...(allowlist.length > 0 && { allowlist }) }] },
    { after_unknown: { brute_force_protection: [unknown] } },
  );
const grantFor = (address: string) =>
  changed(
    address,
    null,
    { audience: "https://a.example", scopes: ["a"], subject_type: "client" },
    { after_unknown: { client_id: true, id: true } },
  );
const grantOf = (...of: string[]) => ({ "auth0_client_grant.g": { client_id: { references: of } } });
const apps = ["admin", "shop"].map((key) => made(`auth0_client.app["${key}"]`, { name: `App ${key}` }));

test.each<[string, readonly object[], Values, readonly (readonly [head: string, ...words: string[]])[]]>([
  [
    "a new action in place of an old one: the old one goes",
    [trigger([twoActions[0]!, newAction], {}, { id: true }), made("auth0_action.n")],
    ids(first, refer("auth0_action.n.id")),
    [
      [unbound, '| "Require MFA" no longer runs at "post-login"'],
      ["low TNF-ACTION-CHANGED auth0_trigger_actions.t", '"New" runs at "post-login"'],
    ],
  ],
  [
    "an action that is known only after the apply: perhaps it is the old one",
    [trigger([twoActions[0]!, newAction], {}, { id: true })],
    ids(first, refer("terraform_data.x.output")),
    [[unbound, 'Possible, if the value that is known only after the apply leaves it out: "Require MFA"']],
  ],
  [
    "one place for two actions: one of them goes",
    [trigger([newAction], { id: true })],
    ids(refer("terraform_data.x.output")),
    [
      [unbound, '| At least 1 of "Claims" and "Require MFA" no longer runs'],
      ["low TNF-CHANGE-UNKNOWN auth0_trigger_actions.t"],
    ],
  ],
  [
    "a new action beside all old ones: nothing goes",
    [trigger([...twoActions, newAction], {}, {}, { id: true })],
    ids(first, { constant_value: "act_2" }, refer("terraform_data.x.output")),
    [["low TNF-CHANGE-UNKNOWN auth0_trigger_actions.t"]],
  ],
  [
    "a new connection of an organization in place of an old one",
    [
      changed(
        "auth0_organization_connections.o",
        { organization_id: "org_1", enabled_connections: [{ connection_id: "con_1" }, { connection_id: "con_2" }] },
        { organization_id: "org_1", enabled_connections: [{ connection_id: "con_1" }, {}] },
        { after_unknown: { enabled_connections: [{}, { connection_id: true }] } },
      ),
      made("auth0_connection.n", { name: "n", strategy: "samlp" }),
    ],
    {
      "auth0_organization_connections.o": {
        enabled_connections: [
          { connection_id: { constant_value: "con_1" } },
          { connection_id: refer("auth0_connection.n.id") },
        ],
      },
    },
    [
      ["high TNF-CONNECTION-CLOSED auth0_organization_connections.o", 'through "con_2"'],
      ["info TNF-APP-OPENED auth0_organization_connections.o"],
    ],
  ],
  [
    "a new application beside one that the set refers to: nothing goes",
    [enabled(["c1"]), exists("auth0_client.old", "c1"), made("auth0_client.n")],
    clients(refer("auth0_client.old.id", "auth0_client.n.id")),
    [["info TNF-CHANGE-UNKNOWN auth0_connection_clients.c"]],
  ],
  [
    "a new application beside constants that the plan does not show: perhaps the old one goes",
    [enabled(["c1", "c2"]), exists("auth0_client.old", "c1"), made("auth0_client.n")],
    clients(refer("auth0_client.old.id", "auth0_client.n.id")),
    [[shut, "leaves it out: ", '"c2"']],
  ],
  [
    "a new application in a set of JSON syntax, which shows the constants: the old one goes",
    [enabled(["c1", "c2"]), made("auth0_client.n")],
    clients({ ...refer("auth0_client.n.id"), constant_value: ["c1", "${auth0_client.n.id}"] }),
    [[shut, '"c2"'], [opened]],
  ],
  [
    "a destroyed application beside others that a set may lose",
    [enabled(["junk", "c1"]), changed("auth0_client.junk", { id: "junk", client_id: "junk", name: "Junk" }, null)],
    clients(refer("terraform_data.x.output")),
    [
      ["high TNF-APP-STOPS auth0_client.junk", "Deletes the application"],
      [shut, "leaves them out: ", '"Junk" (junk) and "c1"'],
    ],
  ],
  [
    "computed values that nobody sets",
    [client({}, { description: "b" }, { after_unknown: { jwks_uri: true, jwt_configuration: [{ alg: true }] } })],
    { "auth0_client.a": { jwt_configuration: [{ lifetime_in_seconds: { constant_value: 1 } }] } },
    [],
  ],
  ...[
    ["of a dynamic block", {}],
    ["of a resource whose configuration is not in the plan", undefined],
    ["beside static blocks", { brute_force_protection: [] }],
    ["that is written", { brute_force_protection: [{ allowlist: refer("terraform_data.x.output") }] }],
  ].map(([title, expressions]): [string, object[], Values, [string][]] => [
    `a value ${String(title)}: undecided`,
    [guessing([], { allowlist: true })],
    expressions ? { [attack]: expressions } : {},
    [[`high TNF-CHANGE-UNKNOWN ${attack}`]],
  ]),
  [
    "a list of a dynamic block with one unknown value",
    [guessing(["a"], { allowlist: [false, true] })],
    { [attack]: {} },
    [[`high TNF-CHANGE-UNKNOWN ${attack}`], [`medium TNF-PROTECTION-OFF ${attack}`, '"a"']],
  ],
  [
    "the application of a grant with a key: its name",
    [...apps, grantFor("auth0_client_grant.g")],
    grantOf('auth0_client.app["admin"].id', 'auth0_client.app["admin"]', "auth0_client.app"),
    [["medium TNF-PERMISSION-ADDED auth0_client_grant.g", '"App admin"']],
  ],
  [
    "the application of a grant with a key that the plan does not show: no name",
    [...apps, grantFor('auth0_client_grant.g["admin"]')],
    grantOf("auth0_client.app", "each.key"),
    [['medium TNF-PERMISSION-ADDED auth0_client_grant.g["admin"]', '"auth0_client.app"']],
  ],
  [
    "one of two applications, whichever it is: no name",
    [...apps, grantFor("auth0_client_grant.g")],
    grantOf('auth0_client.app["admin"].id', 'auth0_client.app["admin"]', "auth0_client.b.id", "auth0_client.b"),
    [["medium TNF-PERMISSION-ADDED auth0_client_grant.g", "(known after apply)"]],
  ],
  [
    "a policy that the plan marks as sensitive: the worst that it can be, at most high",
    [
      changed(
        "auth0_guardian.g",
        { policy: "all-applications", otp: true },
        { policy: "never", otp: true },
        { before_sensitive: { policy: true }, after_sensitive: { policy: true } },
      ),
    ],
    {},
    [["high TNF-CHANGE-UNKNOWN auth0_guardian.g"]],
  ],
  [
    "a number that is known only after the apply: as bad as a number can be",
    [changed("auth0_tenant.t", { session_lifetime: 9 }, {}, { after_unknown: { session_lifetime: true } })],
    { "auth0_tenant.t": { session_lifetime: refer("terraform_data.x.output") } },
    [["medium TNF-CHANGE-UNKNOWN auth0_tenant.t"]],
  ],
  ...["delete create", "rename"].map((how): [string, object[], Values, [string, ...string[]][]] => {
    const on = { enabled: true, shields: ["block"] };
    const old = {
      id: "a",
      brute_force_protection: [on],
      suspicious_ip_throttling: [on],
      bot_detection: [{ bot_detection_level: "medium" }],
      captcha: [{ active_provider_id: "a" }],
    };
    const unknown = { id: true, brute_force_protection: true, suspicious_ip_throttling: true, captcha: true };
    const bots = { bot_detection: old.bot_detection };
    const replaced = { actions: ["delete", "create"], before: old, after: bots, after_unknown: unknown };
    const changes =
      how === "rename"
        ? [changed("auth0_attack_protection.b", old, null), changed(attack, null, bots, { after_unknown: unknown })]
        : [{ ...changed(attack, old, bots), change: replaced }];
    const destroyed = how === "rename" ? "auth0_attack_protection.b" : attack;
    return [
      `protections that a destroy switches off and a create does not write: ${how}`,
      changes,
      { [attack]: { bot_detection: [{ bot_detection_level: { constant_value: "medium" } }] } },
      [
        [`high TNF-PROTECTION-OFF ${attack}`, "| Guessing passwords"],
        [`high TNF-PROTECTION-OFF ${attack}`, "| One address"],
        [`medium TNF-PROTECTION-OFF ${destroyed}`],
      ],
    ];
  }),
])("what is known only after the apply: %s", (_what, changes, written, expected) => {
  const lines = linesOf(changes, undefined, written);
  expect(lines.map((line) => line.split(" | ")[0])).toEqual(expected.map(([head]) => head));
  for (const [index, [, ...words]] of expected.entries()) for (const one of words) expect(lines[index]).toContain(one);
});

test("the last factor goes while the policy stays", () => {
  const policy = "all-applications";
  const lines = linesOf([changed("auth0_guardian.g", { policy, otp: true, email: true }, { policy, otp: false })]);
  expect(lines).toEqual([expect.stringMatching(/^critical TNF-MFA-REQUIRED auth0_guardian.g \| Nobody can sign in/)]);
});

test.each<[string, Values, Values, string]>([
  ["user_roles", { user_id: "u1", roles: ["r"] }, { user_id: "evil" }, '"evil" gets "r"'],
  [
    "connection_clients",
    { connection_id: "a", enabled_clients: ["c"] },
    { connection_id: "b" },
    'connection "b" may sign in',
  ],
  ["role_permission", { role_id: "r", permission: "p" }, { role_id: "all" }, 'role "all" gets "p"'],
  ["client_grant", { client_id: "c", audience: "https://a" }, { client_id: "evil" }, '"evil" may get tokens'],
  ["trigger_action", { trigger: "post-login", action_id: "a" }, { action_id: "b" }, '"b" runs'],
])("a replaced %s: who loses it, and who gets it", (type, old, now, words) => {
  const one = changed(`auth0_${type}.x`, { id: "x", ...old }, null);
  const change = { actions: ["delete", "create"], before: one.change.before, after: { ...old, ...now } };
  const lines = linesOf([{ ...one, change }]);
  expect(lines.length).toBe(2);
  expect(lines.join("\n")).toContain(words);
});

test("no text of a plan with secrets shows one", () => {
  const plans = require("./plans.json") as Record<string, object>;
  for (const [name, plan] of Object.entries(plans)) {
    const { effects } = reviewPlans(name, [parsePlan(JSON.stringify(plan), name)]);
    expect(JSON.stringify(effects)).not.toContain("SENTINEL");
  }
});

test("each row of the table is well formed", () => {
  for (const { type, path: attribute, change, level, text = "", code, see = "a" } of table) {
    expect([type, attribute, change, changeProblem(change, attribute !== undefined)].slice(3)).toEqual([undefined]);
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    expect(names.filter((name) => !Object.hasOwn(placeholders, name))).toEqual([]);
    if (level !== "none")
      expect({ type, change, text: text.endsWith("."), hasCode: code !== undefined }).toMatchObject({
        text: true,
        hasCode: true,
      });
    expect(see).toMatch(/^[\w/-]+$/);
  }
});

test.each<[string, string, boolean]>([
  ["a.b", "a.b", true],
  ["a.b", "a.b.c", false],
  ["a.*", "a.b", true],
  ["a.*", "a", false],
  ["a.*_x", "a.b.c_x", false],
  ["*", "a.b", false],
  ["**", "a.b", true],
  ["a.**", "a", true],
  ["a.**", "ab", false],
  ["**.b", "b", true],
  ["a.**.b", "a.c.d.b", true],
  ["a.**.b", "a.xb", false],
  ["**.b.*.d", "b.x.b.c.d", true],
  ["x|a.b*d*f", "a.bcdef", true],
  ["*.*a*a*b", "x.ab", false],
  // Takes hours if each gap is tried at each place.
  ["*a*a*a*a*a*a*a*a*a*a*x", "a".repeat(20_000), false],
  ["**.a.**.a.**.a.**.a.**.a.**.x", "a.".repeat(10_000), false],
])("whether the pattern %s fits a path", (pattern, name, fits) => {
  const change = { path: name, kind: "value", was: "1", is: "2" } as ValueChange;
  const row: Row = { type: "auth0_client", path: pattern, change: "any", level: "low" };
  expect(fitsValue(row, change, {})).toBe(fits);
});

test.each<[string, boolean]>([
  ["<script src=https://b.example/x.js></script>", true],
  ["<script>if (1<2) fetch('https://b.example')</script>", true],
  ["<script src=https://u:p@b.example></script>", true],
  ["<script src='https:&#47;&#x2f;b.example'></script>", true],
  ["<script src='https:\\\\b.example'></script>", true],
  ["<script src=http://localhost></script>", true],
  ["<img src=x onerror=\"fetch('//b.example')\">", true],
  ["<base href=https://b.example>", true],
  ["<meta http-equiv=refresh content='0; url=https://b.example'>", true],
  ["<form action=//b.example>", true],
  ["<img src=https://b.example/logo.png><a href=https://b.example>", false],
  ["<script src=https://cdn.auth0.com/js/lock.js></script>", false],
  ["<script>//TODO https later\n1</script>", false],
  ["<script src=https://a.example/y.js></script>", false],
  // Takes minutes if each tag is looked for in all that follow it.
  ["< onx".repeat(50_000), false],
])("whether the page loads code from a new host: %#", (html, loads) => {
  const was = "<script src='https://a.example/x.js'></script>";
  const row: Row = { type: "auth0_pages", path: "login.html", change: "loads", level: "low" };
  expect(fitsValue(row, { path: "login.html", kind: "value", was, is: html } as ValueChange, {})).toBe(loads);
});

describe("rows of people", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "rules-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "rules.json");
  const rules = (rows: unknown) => {
    writeFileSync(file, typeof rows === "string" ? rows : JSON.stringify(rows));
    return readRules([file]);
  };
  const tier = {
    type: "auth0_client",
    path: "client_metadata.tier",
    change: "removed",
    level: "high",
    text: "{name} loses its tier {removed}.",
  };
  const silent = changed("auth0_client.a", shop, { ...shop, callbacks: [] });

  test("adds a row, replaces level and text of one, and takes one out with a reason", () => {
    const lost = client({ client_metadata: { tier: "gold" } }, { client_metadata: {} });
    const builtIn = 'built in: medium: client_metadata.tier of "Shop" changes ("gold" becomes no value).';
    const told = `high TNF-OWN-RULE auth0_client.a | "Shop" loses its tier "gold". A row of ${file}; ${builtIn}`;
    expect(linesOf([lost], rules([tier]))).toEqual([told]);
    expect(linesOf([lost], rules([{ ...tier, when: { name: "prod-*" } }]))).toEqual([
      expect.stringMatching(/^medium TNF-READ-CHANGED auth0_client.a /),
    ]);
    const callbacks = { type: "auth0_client", path: "callbacks", change: "emptied" };
    expect(linesOf([silent], rules([{ ...callbacks, level: "low", text: "{name} is old." }]))).toEqual([
      expect.stringMatching(
        /^low TNF-CALLBACK-REMOVED auth0_client.a \| "Shop" is old. A row of .*; built in: critical: Sign-ins/,
      ),
    ]);
    expect(linesOf([silent], rules([{ ...callbacks, level: "none", reason: "it is old" }]))).toEqual([
      expect.stringMatching(
        /^info TNF-CALLBACK-REMOVED auth0_client.a it is old\| Possible, if somebody signs in to the application: Sign-ins of "Shop"/,
      ),
    ]);
  });

  test("decides one row: what a built-in row with a condition decides stays as it is", () => {
    const rows = rules([{ type: "auth0_connection", change: "destroy", level: "low", text: "{name} goes." }]);
    const [users, okta] = ["auth0", "okta"].map((strategy) =>
      changed("auth0_connection.x", { id: "x", name: "X", strategy }, null),
    );
    expect(linesOf([users!], rows)).toEqual([
      expect.stringMatching(/^critical TNF-USERS-DELETED .*cannot be undone\.$/),
    ]);
    expect(linesOf([okta!], rows)).toEqual([
      expect.stringMatching(
        /^low TNF-CONNECTION-CLOSED .* "X" goes\. A row of .*; built in: high: Deletes the connection "X"/,
      ),
    ]);
  });

  test("lists all rows, those of the person first", () => {
    const lines = rulesList(rules([tier]).rows).split("\n");
    expect(lines[1]).toBe(`auth0_client\tclient_metadata.tier\tremoved\thigh\t${tier.text} [${file}]`);
    expect(lines.length).toBe(table.length + 3);
  });

  test.each<[unknown, string]>([
    ["{", "it is not JSON"],
    [{}, "expected array"],
    [[{ ...tier, level: "grave" }], "row 1, level:"],
    [[{ ...tier, colour: "red" }], "row 1: Unrecognized key"],
    [[{ ...tier, type: "aws_s3" }], 'type "aws_s3" is no resource type'],
    [[{ ...tier, type: "auth0_network_acl" }], "has effects of its own"],
    [[tier, { ...tier, change: "vanished" }], 'row 2: change "vanished" is not known'],
    [[{ ...tier, path: undefined }], 'change "removed" needs a path'],
    [[{ ...tier, text: undefined }], "text is missing"],
    [[{ ...tier, text: "{naem} goes." }], 'the placeholder "{naem}", which does not exist'],
    [[{ ...tier, level: "none" }], "needs a reason"],
  ])("refuses %j", (rows, words) => {
    expect(() => rules(rows)).toThrow(words);
  });

  describe("of the branch under review", () => {
    const home = process.cwd();
    const head = path.join(folder, "head");
    const base = path.join(folder, "base");
    beforeAll(() => {
      for (const one of [head, base]) mkdirSync(path.dirname(path.join(one, rulesHere)), { recursive: true });
      process.chdir(head);
    });
    afterAll(() => process.chdir(home));
    const users = { id: "con_1", name: "Users", strategy: "auth0" };
    const removed = (address: string, values: Values) => changed(address, values, null);
    const gone = removed("auth0_connection.users", users);
    const flow = removed("auth0_flow.f", { id: "af_1", name: "Flow" });
    const form = changed("auth0_form.f", { id: "ap_1", name: "a" }, { id: "ap_1", name: "b" });
    const row = (type: string, level: string, more: object = {}) => ({
      type,
      change: "destroy",
      level,
      text: "It goes.",
      ...more,
    });
    const silenced = { path: "**", change: "any", level: "none", reason: "calm", text: undefined };
    const deleted = expect.stringMatching(/^critical TNF-USERS-DELETED/);
    const untold = (type: string) => expect.stringMatching(new RegExp(`^(medium|info) TNF-NOT-REVIEWED ${type}`));
    const told = (words: string) => expect.stringMatching(`^high TNF-RULES-CHANGED .*${words}`);

    const own = expect.stringMatching(/^high TNF-OWN-RULE auth0_flow.f \| It goes\. A row of .*; none is built in\.$/);
    const databases = { when: { strategy: "auth0" } };
    const [lowered, raised] = ["info", "high"].map((level) => [row("auth0_connection", level, databases)]) as [
      object[],
      object[],
    ];
    const [low, high] = [[row("auth0_flow", "low")], [row("auth0_flow", "high")]];
    const taken = [row("auth0_connection", "none", { reason: "no", ...databases })];
    const closed = (level: string) =>
      expect.stringMatching(`^${level} TNF-OWN-RULE auth0_connection.users \\| It goes. A row of`);
    const quiet = [row("auth0_form", "none", silenced)];

    /** The rows of the branch, and those of the base branch. */
    test.each<[string, object, object[], object[] | undefined, unknown[]]>([
      ["lowers a row", gone, lowered, undefined, [told('would lower.* critical ".*" -> info "It goes."'), deleted]],
      ["takes a row out", gone, taken, undefined, [told('-> none "no"'), deleted]],
      [
        "says the same level in other words",
        gone,
        [row("auth0_connection", "critical", databases)],
        undefined,
        [deleted],
      ],
      ["is behind a row with a condition", gone, [row("auth0_connection", "info")], undefined, [deleted]],
      ["lowers what is not reviewed", flow, low, undefined, [told("no row -> low"), untold("auth0_flow")]],
      ["silences what is not reviewed", form, quiet, undefined, [told('no row -> none "calm"'), untold("auth0_form")]],
      ["raises what is not reviewed", flow, high, undefined, [own]],
      ["has the level of what is not reviewed", flow, [row("auth0_flow", "medium")], undefined, [untold("auth0_flow")]],
      [
        "has a condition",
        flow,
        [row("auth0_flow", "high", { if: "nobody looks. ✔ Nothing changes" })],
        undefined,
        [own],
      ],
      ["does not concern the plan", gone, low, undefined, [deleted]],
      ["is new beside a base branch", flow, high, [], [told('adds .*no row -> high "It goes."'), own]],
      ["is that of the base branch", gone, lowered, lowered, [closed("info")]],
      ["differs from the base", gone, lowered, raised, [told('changes .*high "It goes." -> info "It'), closed("high")]],
      ["left", flow, [], high, [told('removes .*high "It goes." -> no row'), own]],
    ])("a row that %s", (_what, change, rows, reviewed, lines) => {
      writeFileSync(rulesHere, JSON.stringify(rows));
      writeFileSync(path.join(base, rulesHere), JSON.stringify(reviewed ?? []));
      expect(linesOf([change], readRules([], reviewed && [base]))).toEqual(lines);
    });

    test("given by the person lowers an answer", () => {
      writeFileSync(rulesHere, JSON.stringify(lowered));
      expect(linesOf([gone], readRules([path.join(head, rulesHere)], [base]))).toEqual([closed("info")]);
    });

    test("is the first line of the verdict", () => {
      writeFileSync(rulesHere, JSON.stringify(lowered));
      const plan = parsePlan(JSON.stringify({ format_version: "1.2", resource_changes: [gone] }), "plan");
      const { verdict } = reviewPlans("plan", [plan], { rules: readRules([]) });
      expect(effectsOfLines(verdict).map(({ code }) => code)).toEqual(["TNF-RULES-CHANGED", "TNF-USERS-DELETED"]);
    });
  });

  test("a folder, a device or a large file is no file of rows", () => {
    for (const one of [folder, "/dev/zero"]) expect(() => readRules([one])).toThrow("is no file of at most 1 MB");
    writeFileSync(file, " ".repeat(1_000_001));
    expect(() => readRules([file])).toThrow("is no file of at most 1 MB");
  });

  test("refuses patterns over 1,000 characters", () => {
    const long = "x".repeat(1_001);
    expect(() => rules([{ ...tier, path: long }])).toThrow("row 1, path:");
    expect(() => rules([{ ...tier, when: { name: long } }])).toThrow("row 1, when.name:");
  });

  test("names a file that does not exist", () => {
    expect(() => readRules([path.join(folder, "none.json")])).toThrow("the file does not exist");
  });
});
