/** What the engine does that no plan of the real provider shows. */
import { changeProblem, placeholders } from "../../../../src/judge/impact/auth0/row";
import { table } from "../../../../src/judge/impact/auth0/table";
import { sentence } from "../../../../src/judge/impact/words/words";
import { parsePlan } from "../../../../src/review/input/plan";
import { reviewPlans } from "../../../review/support/plan";
import { changed, client, connection, expectLines, linesOf, shop } from "./support/lines";

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

const throttled = (rate: number) => ({
  suspicious_ip_throttling: [{ enabled: true, pre_login: [{ max_attempts: 100, rate }] }],
});

const guarded = (on: boolean) =>
  Object.fromEntries(
    ["brute_force_protection", "breached_password_detection", "suspicious_ip_throttling"].map((name) => [
      name,
      [{ enabled: on && name === "brute_force_protection" }],
    ]),
  );
const guardian = {
  policy: "never",
  otp: false,
  email: false,
  recovery_code: false,
  push: [{ enabled: false }],
  duo: [],
};
const linked = { connection_id: "con_1", organization_id: "org_1" };

// Each first state is off for certain. Beside it, the same change of what is on, or of what the plan does not show.
test.each<[string, object, object | null, string | undefined, object, string]>([
  ["attack_protection", guarded(false), null, "info TNF-FORGOTTEN", guarded(true), "high TNF-PROTECTION-OFF"],
  ["guardian", guardian, null, "info TNF-FORGOTTEN", { ...guardian, otp: null }, "medium TNF-MFA-OFF"],
  ["email_provider", { enabled: false }, null, "low TNF-MAIL-OFF", {}, "high TNF-MAIL-OFF"],
  ["email_provider", { enabled: false, name: "a" }, { name: "b" }, undefined, { name: "a" }, "medium TNF-MAIL-OFF"],
  ["phone_provider", { disabled: true, name: "a" }, { name: "b" }, undefined, { name: "a" }, "medium TNF-MAIL-OFF"],
  ["email_template", { enabled: false, from: "a" }, { from: "b" }, undefined, { from: "a" }, "low TNF-MAIL-OFF"],
  ["phone_notification_template", { disabled: true }, null, "info TNF-FORGOTTEN", {}, "medium TNF-MAIL-OFF"],
  [
    "pages",
    { login: [{ enabled: false, html: "a" }], change_password: [] },
    null,
    "info TNF-FORGOTTEN",
    { login: [{ enabled: true }] },
    "medium TNF-SIGN-IN-CHANGED",
  ],
  ["rule", { enabled: false }, null, "info TNF-ACTION-CHANGED", {}, "high TNF-ACTION-UNBOUND"],
  ["rule", { enabled: false, script: "a" }, { script: "b" }, undefined, { script: "a" }, "medium TNF-ACTION-CHANGED"],
  ["hook", { enabled: false, script: "a" }, { script: "b" }, undefined, { script: "a" }, "medium TNF-ACTION-CHANGED"],
  [
    "action",
    { deploy: false, code: "a" },
    { code: "b" },
    "info TNF-ACTION-CHANGED",
    { code: "a" },
    "medium TNF-ACTION-CHANGED",
  ],
  ["log_stream", { status: "paused" }, null, "info TNF-SYNC-OFF", { status: "active" }, "medium TNF-SYNC-OFF"],
  ["event_stream", { status: "disabled" }, null, "info TNF-SYNC-OFF", { status: "enabled" }, "medium TNF-SYNC-OFF"],
  [
    "custom_domain",
    { status: "pending_verification" },
    null,
    "low TNF-DOMAIN-GONE",
    { status: "ready" },
    "critical TNF-DOMAIN-GONE",
  ],
  ["organization_connection", { ...linked, is_enabled: false }, null, undefined, linked, "high TNF-CONNECTION-CLOSED"],
])("auth0_%s %j -> %j that is off already: %s", (type, off, change, expected, on, otherwise) => {
  const headOf = (before: object) => {
    const [line] = linesOf([changed(`auth0_${type}.a`, { ...before }, change && { ...before, ...change })]);
    return line?.split(" auth0_")[0];
  };
  expect(headOf(off)).toBe(expected);
  expect(headOf(on)).toBe(otherwise);
});

const page = (html: string) => ({ login: [{ enabled: true, html }] });
const from = (url: string) => `<script src='${url}'></script>`;
const protection = (name: string, ...sides: object[]) => {
  const [before, after] = sides.map((side) => ({ [name]: [{ enabled: true, ...side }] }));
  return changed("auth0_attack_protection.a", before!, after!);
};
const quota = (enforce: boolean, per_hour: number) => [{ client_credentials: [{ enforce, per_hour }] }];
const verifying = (active: boolean) => ({ attributes: [{ email: [{ signup: [{ verification: [{ active }] }] }] }] });
const branding = (body: string) => ({ universal_login: [{ body }] });

test.each<[string, object, readonly string[]]>([
  [
    "values that mean the same inside blocks",
    connection(
      "oidc",
      { show_as_button: null, options: [{ debug: null, ips: null }] },
      { options: [{ debug: false, ips: [] }] },
    ),
    [],
  ],
  ...(
    [
      ["consent_policy", null, "null"],
      ["token_encryption", [], [{ disable: true }]],
      ["authorization_details", [{ disable: true, type: "a" }], []],
      ["proof_of_possession", [{ disable: true }], [{ disable: true, mechanism: "mtls" }]],
    ] as const
  ).map(([name, was, is]): [string, object, readonly string[]] => [
    `a value that the provider takes for an absent one: ${name}`,
    changed("auth0_resource_server.a", { [name]: was }, { [name]: is }),
    [],
  ]),
  [
    "an encryption that is disabled",
    changed(
      "auth0_resource_server.a",
      { token_encryption: [{ disable: false, format: "compact-nested-jwe" }] },
      { token_encryption: [{ disable: true }] },
    ),
    ["medium TNF-PROTECTION-OFF auth0_resource_server.a | (token_encryption.format)"],
  ],
  ...["connection", "connections"].map((kind): [string, object, readonly string[]] => {
    const made = (values: object) =>
      kind === "connection"
        ? { connection_id: "con_1", ...values }
        : { enabled_connections: [{ connection_id: "con_1", ...values }] };
    return [
      `a link that is switched off, and was on without a word: organization_${kind}`,
      changed(
        `auth0_organization_${kind}.a`,
        { organization_id: "o", ...made({ is_enabled: null }) },
        { organization_id: "o", ...made({ is_enabled: false }) },
      ),
      [`high TNF-CONNECTION-CLOSED auth0_organization_${kind}.a`],
    ];
  }),
  [
    "a way to sign in that is enabled where no connection of an organization is",
    client({ fedcm_login: [{ google: [{ is_enabled: true }] }] }, { fedcm_login: [] }),
    ["medium TNF-APP-STOPS auth0_client.a"],
  ],
  ...(
    [
      ["event_stream", { status: "enabled" }, { status: "disabled" }, ["medium TNF-SYNC-OFF"]],
      ["client", { compliance_level: null }, { compliance_level: "fapi1_adv_mtls_par" }, ["high TNF-APP-STOPS"]],
      ["client", { compliance_level: "fapi1_adv_mtls_par" }, { compliance_level: "none" }, ["low TNF-PROTECTION-OFF"]],
      [
        "organization",
        { third_party_client_access: "block" },
        { third_party_client_access: "allow" },
        ["medium TNF-APP-OPENED"],
      ],
      [
        "organization",
        { third_party_client_access: "allow" },
        { third_party_client_access: "block" },
        ["medium TNF-APP-STOPS"],
      ],
      [
        "client",
        { third_party_security_mode: "strict" },
        { third_party_security_mode: "permissive" },
        ["medium TNF-PROTECTION-OFF"],
      ],
      [
        "client",
        { default_organization: [{ organization_id: "o", flows: ["client_credentials", "other"] }] },
        { default_organization: [{ organization_id: "o", flows: ["other", "client_credentials"] }] },
        [],
      ],
      ["client_grant", { authorization_details_types: ["a", "b"] }, { authorization_details_types: ["b", "a"] }, []],
      [
        "connection",
        { options: [{ id_token_signed_response_algs: ["RS256", "PS256"] }] },
        { options: [{ id_token_signed_response_algs: ["PS256", "RS256"] }] },
        [],
      ],
      [
        "connection",
        { options: [{ precedence: ["a", "b"] }] },
        { options: [{ precedence: ["b", "a"] }] },
        ["low TNF-SIGN-IN-CHANGED"],
      ],
      ["attack_protection", throttled(100), throttled(200), ["low TNF-SIGN-IN-CHANGED"]],
      ["attack_protection", throttled(200), throttled(150), ["low TNF-PROTECTION-OFF"]],
      [
        "email_template",
        { enabled: true, body: "<a href='https://a.example'>" },
        { enabled: true, body: "<a href='https:\t//b.example'>" },
        ["medium TNF-SIGN-IN-CHANGED"],
      ],
      ["log_stream", { status: "paused" }, { status: "suspended" }, []],
      [
        "pages",
        { login: [{ enabled: false }], error: [{ url: "https://a.example" }] },
        null,
        ["low TNF-SIGN-IN-CHANGED"],
      ],
      ["log_stream", { status: "active" }, { status: "suspended" }, ["medium TNF-SYNC-OFF"]],
      ["client", { refresh_token: [] }, { refresh_token: [{ rotation_type: "non-rotating" }] }, []],
      [
        "client",
        { refresh_token: [] },
        { refresh_token: [{ rotation_type: "rotating" }] },
        ["medium TNF-TOKEN-CHANGED"],
      ],
      [
        "organization_member_roles",
        null,
        { organization_id: "o", user_id: "u", roles: ["admin"] },
        ["medium TNF-PERMISSION-ADDED"],
      ],
      [
        "organization_member_role",
        null,
        { organization_id: "o", user_id: "u", role_id: "admin" },
        ["medium TNF-PERMISSION-ADDED"],
      ],
      [
        "client_grant",
        { audience: "https://a", scopes: ["a"] },
        { audience: "https://a", scopes: [], allow_all_scopes: true },
        ["high TNF-PERMISSION-ADDED"],
      ],
      ["client_grant", null, { audience: "https://a", allow_all_scopes: true }, ["high TNF-PERMISSION-ADDED"]],
      ["client_grant", null, { audience: "https://a", scopes: ["a"] }, ["medium TNF-PERMISSION-ADDED"]],
      ["client", {}, { token_quota: quota(true, 1) }, ["medium TNF-APP-STOPS"]],
      ["client", { token_quota: quota(false, 100) }, { token_quota: quota(false, 1) }, []],
      [
        "tenant",
        { default_token_quota: [{ clients: quota(false, 100) }] },
        { default_token_quota: [{ clients: quota(false, 1) }] },
        [],
      ],
      [
        "email_template",
        { enabled: true, body: "<a href='https://a.example'>" },
        { enabled: true, body: "<a xmlns='http://www.w3.org/1999/xhtml' href='https:/&#9;/b.example'>" },
        ["medium TNF-SIGN-IN-CHANGED"],
      ],
      ["organization", { token_quota: quota(true, 100) }, { token_quota: quota(true, 1) }, ["medium TNF-APP-STOPS"]],
      ["organization", { token_quota: quota(false, 9) }, { token_quota: quota(true, 9) }, ["medium TNF-APP-STOPS"]],
      [
        "tenant",
        { default_token_quota: [{ clients: quota(true, 100) }] },
        { default_token_quota: [{ clients: quota(true, 1) }] },
        ["medium TNF-APP-STOPS"],
      ],
      [
        "connection",
        { strategy: "auth0", options: [verifying(true)] },
        { strategy: "auth0", options: [verifying(false)] },
        ["medium TNF-PROTECTION-OFF"],
      ],
      [
        "email_template",
        { enabled: true },
        { enabled: true, result_url: "https://b.example" },
        ["medium TNF-SIGN-IN-CHANGED"],
      ],
      [
        "email_template",
        { enabled: true, body: "<a href='https://a.example'>" },
        { enabled: true, body: "<a href='https://b.example'>" },
        ["medium TNF-SIGN-IN-CHANGED"],
      ],
      [
        "email_template",
        { enabled: true, body: "See https://a.example." },
        { enabled: true, body: "Go to https://A.example/x" },
        ["low TNF-MAIL-OFF"],
      ],
    ] as const
  ).map(([type, was, is, expected]): [string, object, readonly string[]] => [
    `auth0_${type}: ${JSON.stringify(was)} -> ${JSON.stringify(is)}`,
    changed(`auth0_${type}.a`, was, is),
    expected.map((one) => `${one} auth0_${type}.a`),
  ]),
  [
    "an attribute that no row knows",
    client({ brand_new: 1 }, { brand_new: 2 }),
    ["info TNF-NOT-REVIEWED auth0_client.a | auth0_client.a (brand_new)."],
  ],
  [
    "a type that no row knows: the attributes that change",
    changed("auth0_new.a", { name: "a", on: [1], updated_at: "1" }, { name: "b", on: [], updated_at: "2" }),
    ["medium TNF-NOT-REVIEWED auth0_new.a | auth0_new.a (name and on)."],
  ],
  [
    "a type that no row knows, with an action that nobody knows",
    { ...changed("auth0_new.a", {}, {}), change: { actions: ["defer"], before: {}, after: {} } },
    ["info TNF-NOT-REVIEWED auth0_new.a | auth0_new.a (in a way that this version does not know)."],
  ],
  [
    "a secret that the provider does not mark",
    connection(
      "twitter",
      ...["SENTINEL-1", "SENTINEL-2"].map((consumer_secret) => ({ options: [{ consumer_secret }] })),
    ),
    ["medium TNF-CONNECTION-CLOSED auth0_connection.x | stops (options.consumer_secret changes)."],
  ],
  [
    "an attribute of a new version that is emptied",
    client({ brand_new: ["a"] }, { brand_new: [] }),
    ["medium TNF-NOT-REVIEWED auth0_client.a | auth0_client.a (brand_new)."],
  ],
  [
    "a key of an application in place of another one: the name of the old one",
    changed(
      "auth0_client_credentials.a",
      { client_id: "c", private_key_jwt: [{ credentials: [{ name: "old" }] }] },
      { client_id: "c", private_key_jwt: [{ credentials: [{ name: "new" }] }] },
    ),
    [
      'high TNF-CREDENTIAL-CHANGED auth0_client_credentials.a | "c" can no longer authenticate with "old" (private_',
      "low TNF-CREDENTIAL-CHANGED auth0_client_credentials.a",
    ],
  ],
  [
    "an add-on that is removed as a whole",
    client({ addons: [{ samlp: [{ audience: "a", recipient: "b" }], box: [] }] }, { addons: [{ samlp: [], box: [] }] }),
    ['high TNF-APP-STOPS auth0_client.a | The add-on samlp of "Shop" is removed'],
  ],
  ...(
    [
      [
        [{ wsfed: [{}] }],
        [{ wsfed: [] }],
        ['high TNF-APP-STOPS auth0_client.a | The add-on wsfed of "Shop" is removed'],
      ],
      [[{ box: [{}], zoom: [] }], [], ['high TNF-APP-STOPS auth0_client.a | The add-on box of "Shop" is removed']],
      [
        [{ concur: [], dropbox: [{}] }],
        [{ concur: [{}], dropbox: [{}] }],
        ['low TNF-TOKEN-CHANGED auth0_client.a | addons.concur ("concur" is added)'],
      ],
      [[{ wsfed: [{}], samlp: [] }], [{ wsfed: [{}], samlp: [{ audience: "" }] }], []],
      [[{ wsfed: [] }], [], []],
    ] as const
  ).map(([was, is, expected]): [string, object, readonly string[]] => [
    `an add-on without options is on if its block is there: ${JSON.stringify(was)} -> ${JSON.stringify(is)}`,
    client({ addons: was }, { addons: is }),
    expected,
  ]),
  [
    "callback URLs with a wildcard, without encryption, on the own device, of a new host or scheme, and usual ones",
    client(
      {},
      {
        callbacks: [
          "https://*.a.example",
          "http://c.example",
          "http://localhost:3000",
          "https://b.example",
          "https://a.example",
          "https://A.example:8443/cb",
          "https://evil.example\\@a.example",
          "app://a.example",
        ],
      },
    ),
    [
      'medium TNF-APP-OPENED auth0_client.a | any address that "https://*.a.example" matches',
      'medium TNF-APP-OPENED auth0_client.a | return to "http://c.example", and nothing encrypts',
      'medium TNF-APP-OPENED auth0_client.a | to "https://b.example",  | "app://a.example", on a host that no callback had before',
      'low TNF-APP-OPENED auth0_client.a | "http://localhost:3000"',
      'info TNF-APP-OPENED auth0_client.a | may return to "https://A.example:8443/cb".',
    ],
  ],
  [
    "longer refresh tokens",
    client({ refresh_token: [{ token_lifetime: 60 }] }, { refresh_token: [{ token_lifetime: 90 }] }),
    ["low TNF-PROTECTION-OFF auth0_client.a | works for 90 s instead of 60 s"],
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
    "refresh tokens that never end from now on, whatever their length is",
    client(
      { refresh_token: [{ infinite_token_lifetime: false, token_lifetime: 60 }] },
      { refresh_token: [{ infinite_token_lifetime: true, token_lifetime: 0 }] },
    ),
    ["low TNF-PROTECTION-OFF auth0_client.a | no longer expire (infinite_token_lifetime)"],
  ],
  [
    "refresh tokens that end from now on",
    client(
      { refresh_token: [{ infinite_idle_token_lifetime: true, idle_token_lifetime: 0 }] },
      { refresh_token: [{ infinite_idle_token_lifetime: false, idle_token_lifetime: 60 }] },
    ),
    [
      "medium TNF-SESSION-SHORTER auth0_client.a | which it did not do before",
      "low TNF-SESSION-SHORTER auth0_client.a | end after 60 s (idle_token_lifetime)",
    ],
  ],
  [
    "an algorithm of ID tokens that was not set",
    client({ jwt_configuration: [] }, { jwt_configuration: [{ alg: "RS256" }] }),
    ['high TNF-TOKEN-CHANGED auth0_client.a | signed with "RS256": code that expects another algorithm'],
  ],
  [
    "the import of people without a database of their own",
    connection("auth0", { options: [{ import_mode: true }] }, { options: [{ import_mode: false }] }),
    [],
  ],
  [
    "a password policy that was not set, and that demands nothing",
    connection("auth0", { options: [{ password_policy: null }] }, { options: [{ password_policy: "none" }] }),
    ["low TNF-SIGN-IN-CHANGED auth0_connection.x | must fit another rule"],
  ],
  [
    "the deletion of factors that the policy never asks for",
    changed("auth0_guardian.g", { policy: "never", otp: true }, null),
    ["medium TNF-MFA-OFF auth0_guardian.g | if an action asks for a second factor: All factors are switched off"],
  ],
  [
    "the deletion of a mail that is off",
    changed("auth0_email_template.t", { template: "verify_email", enabled: false }, null),
    ["info TNF-FORGOTTEN auth0_email_template.t | is switched off already"],
  ],
  [
    "the deletion of a sender of codes that is off",
    changed("auth0_phone_provider.p", { name: "twilio", disabled: true }, null),
    ["low TNF-MAIL-OFF auth0_phone_provider.p | which is switched off"],
  ],
  [
    "a user who is blocked from the start",
    changed("auth0_user.u", null, { email: "ada@example.org", blocked: true, app_metadata: "{}" }),
    ["info TNF-USER-CHANGED auth0_user.u | who is blocked"],
  ],
  [
    "longer sessions, and a place for sign-ins that fail",
    changed("auth0_tenant.t", { session_lifetime: 72 }, { session_lifetime: 90, default_redirection_uri: "https://a" }),
    [
      "low TNF-PROTECTION-OFF auth0_tenant.t | signed in for 90 h instead of 72 h",
      'low TNF-SIGN-IN-CHANGED auth0_tenant.t | end at "https://a".',
    ],
  ],
  [
    "logs that go elsewhere",
    changed("auth0_log_stream.l", { sink: [{ http_endpoint: "a" }] }, { sink: [{ http_endpoint: "b" }] }),
    ["medium TNF-SYNC-OFF auth0_log_stream.l | sends the logs of the tenant to another receiver"],
  ],
  [
    "callback URLs of other hosts that look like the own device",
    client(
      {},
      { callbacks: ["https://a.example", "http://localhost.b.example/cb", "http://localhost:x@c.example/cb"] },
    ),
    [
      'medium TNF-APP-OPENED auth0_client.a | "http://localhost.b.example/cb", and nothing encrypts',
      'medium TNF-APP-OPENED auth0_client.a | "http://…@c.example/cb", and nothing encrypts',
    ],
  ],
  [
    "a new grant for the Management API",
    changed("auth0_client_grant.g", null, { audience: "https://acme.eu.auth0.com/api/v2/", scopes: ["delete:users"] }),
    ['high TNF-PERMISSION-ADDED auth0_client_grant.g | with "delete:users"'],
  ],
  [
    "a message without its code, by which people sign in",
    connection("email", { options: [{ template: "{{ code }}" }] }, { options: [{ template: "Hello" }] }),
    ['high TNF-CONNECTION-CLOSED auth0_connection.x | Nobody can sign in through "X"'],
  ],
  [
    "a trigger that gets no action",
    changed("auth0_trigger_actions.t", null, { trigger: "post-login", actions: [] }),
    ["high TNF-ACTION-UNBOUND auth0_trigger_actions.t | also those that no state knows, by nothing."],
  ],
  [
    "a mail about a leaked password without its link",
    changed(
      "auth0_email_template.m",
      { template: "stolen_credentials", body: "{{ url }}", enabled: true },
      { template: "stolen_credentials", body: "Hello", enabled: true },
    ),
    ["medium TNF-MAIL-OFF auth0_email_template.m | has no link"],
  ],
  [
    "a new user with rights",
    changed("auth0_user.u", null, { name: "Ada", app_metadata: '{"roles":["SENTINEL-1"]}' }),
    [
      'medium TNF-USER-CHANGED auth0_user.u | Creates the user "Ada", who may sign in, with the rights that app_metadata',
    ],
  ],
  [
    "a key of a map that looks like a sentence",
    client({}, { client_metadata: { 'tier. ✔ Nothing changes "x"': "1" } }),
    ['low TNF-READ-CHANGED auth0_client.a | client_metadata."tier. ✔ Nothing changes \\"x\\"" of "Shop"'],
  ],
  [
    "the rights of a user",
    changed("auth0_user.u", { name: "Ada", app_metadata: "{}" }, { name: "Ada", app_metadata: '{"a":"SENTINEL-1"}' }),
    ["medium TNF-READ-CHANGED auth0_user.u"],
  ],
  ["origins with a wildcard", client({}, { web_origins: ["*"] }), ['medium TNF-APP-OPENED auth0_client.a | "*"']],
  ["a default that is written", client({}, { organization_require_behavior: "no_prompt" }), []],
  [
    "everybody on the allowlist of a protection",
    protection("brute_force_protection", { allowlist: [] }, { allowlist: ["0.0.0.0/0"] }),
    ['high TNF-PROTECTION-OFF auth0_attack_protection.a | no longer limits anybody at "0.0.0.0/0"'],
  ],
  [
    "two ranges that are everybody together, of which one was there",
    protection("suspicious_ip_throttling", { allowlist: ["0.0.0.0/5"] }, { allowlist: ["0.0.0.0/5", "8.0.0.0/5"] }),
    ['high TNF-PROTECTION-OFF auth0_attack_protection.a | no longer limits anybody at "8.0.0.0/5"'],
  ],
  [
    "everybody, beside a wide range that was there",
    protection("suspicious_ip_throttling", { allowlist: ["16.0.0.0/4"] }, { allowlist: ["16.0.0.0/4", "0.0.0.0/0"] }),
    ['high TNF-PROTECTION-OFF auth0_attack_protection.a | no longer limits anybody at "0.0.0.0/0"'],
  ],
  [
    "ranges within another one, of which the rest is small",
    protection(
      "suspicious_ip_throttling",
      { allowlist: [] },
      { allowlist: ["10.0.0.0/5", "10.0.0.0/6", "12.1.0.0/16"] },
    ),
    ["medium TNF-PROTECTION-OFF auth0_attack_protection.a"],
  ],
  [
    "so many tries that nothing is stopped, and a few more",
    protection(
      "suspicious_ip_throttling",
      { pre_login: [{ max_attempts: 100, rate: 864000 }], pre_user_registration: [{ max_attempts: 50 }] },
      { pre_login: [{ max_attempts: 1e6, rate: 1 }], pre_user_registration: [{ max_attempts: 60 }] },
    ),
    [
      "high TNF-PROTECTION-OFF auth0_attack_protection.a | may try 1000000 times",
      "high TNF-PROTECTION-OFF auth0_attack_protection.a | after 1 ms",
      "low TNF-PROTECTION-OFF auth0_attack_protection.a | is 60 instead of 50",
    ],
  ],
  [
    "another sender of mails, and its credentials: one effect each",
    changed(
      "auth0_email_provider.p",
      { name: "sendgrid", credentials: [{ api_key: "SENTINEL" }] },
      { name: "ses", credentials: [{ access_key_id: "a", region: "eu" }] },
    ),
    [
      'medium TNF-MAIL-OFF auth0_email_provider.p | by "ses" instead of "sendgrid"',
      "medium TNF-MAIL-OFF auth0_email_provider.p | credentials.api_key, credentials.access_key_id and credentials.reg",
    ],
  ],
  [
    "secrets of an action that change, and a new one: one effect",
    changed(
      "auth0_action.a",
      { name: "A", secrets: [{ name: "k", value: "SENTINEL-1" }] },
      {
        name: "A",
        secrets: [
          { name: "k", value: "SENTINEL-2" },
          { name: "l", value: "SENTINEL-3" },
        ],
      },
    ),
    ['medium TNF-ACTION-CHANGED auth0_action.a | What "A" does changes (secrets and secrets.value): read'],
  ],
  [
    "a factor that is set up: it did not work before",
    changed(
      "auth0_guardian.g",
      { policy: "never", phone: [{ enabled: false }] },
      { policy: "never", phone: [{ enabled: true, provider: "twilio", options: [{ sid: "a" }] }] },
    ),
    ["low TNF-SIGN-IN-CHANGED auth0_guardian.g | People may give the second factor phone."],
  ],
  [
    "a connection without its second factor",
    connection("auth0", { options: [{ mfa: [{ active: true }] }] }, { options: [{ mfa: [{ active: false }] }] }),
    ['high TNF-MFA-OFF auth0_connection.x | People of "X" sign in without a second factor.'],
  ],
  [
    "partials of a prompt that are created: no element is invented",
    changed("auth0_prompt_screen_partials.p", null, {
      prompt_type: "login",
      screen_partials: [{ screen_name: "login", insertion_points: [{ form_content_start: "<p>Hi</p>" }] }],
    }),
    ['medium TNF-SIGN-IN-CHANGED auth0_prompt_screen_partials.p | The plan sets screen_partials = "login"; what'],
  ],
  [
    "an API for which no application gets tokens any more",
    changed(
      "auth0_resource_server.a",
      { identifier: "https://a", subject_type_authorization: [{ client: [{ policy: "require_client_grant" }] }] },
      { identifier: "https://a", subject_type_authorization: [{ client: [{ policy: "deny_all" }] }] },
    ),
    ['high TNF-PERMISSION-REMOVED auth0_resource_server.a | No application gets tokens of its own for "https://a"'],
  ],
  [
    "the tries of a protection that is off",
    protection("brute_force_protection", { enabled: false, max_attempts: 1 }, { enabled: false, max_attempts: 1e6 }),
    [],
  ],
  [
    "a connection of an organization that makes members of everybody",
    changed(
      "auth0_organization_connections.o",
      { organization_id: "org_1", enabled_connections: [{ connection_id: "con_1" }] },
      {
        organization_id: "org_1",
        enabled_connections: [
          { connection_id: "con_1" },
          { connection_id: "con_2", assign_membership_on_login: true },
          { connection_id: "con_3" },
        ],
      },
    ),
    [
      'medium TNF-APP-OPENED auth0_organization_connections.o | Everybody who signs in through "con_2" becomes a member',
      'info TNF-APP-OPENED auth0_organization_connections.o | through "con_3"',
    ],
  ],
  [
    "a new connection that leads people of a domain to it",
    changed("auth0_connection.x", null, { name: "X", strategy: "samlp", options: [{ domain_aliases: ["a.example"] }] }),
    ['medium TNF-SIGN-IN-CHANGED auth0_connection.x | Sign-ins with addresses at "a.example" go to "X"'],
  ],
  [
    "a new connection of a domain, also for third parties",
    changed("auth0_connection.x", null, {
      name: "X",
      is_domain_connection: true,
      options: [{ domain_aliases: ["a.example"] }],
    }),
    ['medium TNF-APP-OPENED auth0_connection.x | may use "X", and sign-ins with addresses at "a.example"'],
  ],
  [
    "the entity ID of a connection",
    connection("samlp", { options: [{ entity_id: "a" }] }, { options: [{ entity_id: "b" }] }),
    ['high TNF-CONNECTION-CLOSED auth0_connection.x | The entity ID of "X" is "b" instead of "a"'],
  ],
  [
    "a grant for all third-party applications",
    changed("auth0_client_grant.g", null, { default_for: "third_party_clients", audience: "https://a.example" }),
    ['high TNF-PERMISSION-ADDED auth0_client_grant.g | grant of its own can get tokens for "https://a'],
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
    ["medium TNF-CREDENTIAL-CHANGED auth0_client_credentials.c | Possible, if the application authenticates"],
  ],
  [
    "keys of a map that are names of methods",
    client(
      { addons: [{ samlp: [{ mappings: { constructor: "a", toString: "b" } }] }] },
      { addons: [{ samlp: [{ mappings: { toString: "c" } }] }] },
    ),
    [
      'low TNF-TOKEN-CHANGED auth0_client.a | addons.samlp.mappings.constructor ("a" becomes no value).',
      'low TNF-TOKEN-CHANGED auth0_client.a | addons.samlp.mappings.toString ("b" becomes "c").',
    ],
  ],
  [
    "an object in place of a reference",
    changed(
      "auth0_client_grant.g",
      { id: "g", audience: { toString: 1 }, client_id: { valueOf: 1, toString: 1 } },
      null,
    ),
    ["high TNF-PERMISSION-REMOVED auth0_client_grant.g"],
  ],
  [
    "a page template without its widget, which a newer provider may let through",
    changed("auth0_branding.b", branding("{%- auth0:head -%}{%- auth0:widget -%}"), branding("{%- auth0:head -%}")),
    ["high TNF-SIGN-IN-CHANGED auth0_branding.b | if Auth0 accepts the template: People cannot sign in: "],
  ],
  [
    "the keys of an application at another place",
    client({ jwks_uri: "https://a.example" }, { jwks_uri: "https://b.example" }),
    ['medium TNF-CREDENTIAL-CHANGED auth0_client.a | at "https://b.example" instead of "https://a.example".'],
  ],
  [
    "a page that is created, with code from elsewhere",
    changed("auth0_pages.p", null, page("<iframe src='https://other.example'></iframe>")),
    ["high TNF-SIGN-IN-CHANGED auth0_pages.p | login.html loads code from a new host | and login.enabled = true"],
  ],
  [
    "factors of a tenant that nobody has adopted: no former value, and no `email = false`, which the provider does not send",
    changed("auth0_guardian.g", null, { policy: "all-applications", email: false, duo: [{ enabled: false }] }),
    [
      'high TNF-MFA-OFF auth0_guardian.g | if people have enrolled only this factor and it is not so already: People cannot give the second factor duo: | The plan sets duo.enabled = false and policy = "all-applications"; what was set before is not in it.',
      'medium TNF-MFA-REQUIRED auth0_guardian.g | The policy "all-applications" requires a second factor of everybody',
    ],
  ],
  [
    "a policy for factors that the plan does not write: they may be on",
    changed("auth0_guardian.g", null, { policy: "all-applications" }),
    [
      'medium TNF-MFA-REQUIRED auth0_guardian.g | if it is not so already: The policy "all-applications" requires a second factor of everybody',
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
      ["branding", { universal_login: [{ body: "x" }] }, "high TNF-SIGN-IN-CHANGED", "has no widget"],
      ["email_template", { template: "reset_email", body: "x" }, "medium TNF-MAIL-OFF", '"reset_email" has no link'],
      ["email_template", { template: "welcome_email", body: "x" }, "low TNF-MAIL-OFF", 'body = "x"; what'],
      ["pages", { change_password: [{ html: "x", enabled: true }] }, "high TNF-SIGN-IN-CHANGED", "nor its ticket"],
      ["client_credentials", { client_id: "c1" }, "high TNF-CREDENTIAL-CHANGED", "which exists"],
      ...["brute_force_protection", "suspicious_ip_throttling", "breached_password_detection"].map(
        (name) =>
          [
            "attack_protection",
            { [name]: [{ enabled: true, shields: ["user_notification"] }] },
            "high TNF-PROTECTION-OFF",
            `no longer stopped: "block" is missing in ${name}.shields. The plan sets`,
          ] as const,
      ),
    ] as const
  ).map(([type, values, head, words]): [string, object, string[]] => [
    `${type}: a create sets what the tenant has`,
    changed(`auth0_${type}.x`, null, values),
    [`${head} auth0_${type}.x | ${words}`],
  ]),
  ...[{ shields: ["block"] }, {}, { shields: ["user_notification"], enabled: false }].map(
    (values): [string, object, string[]] => [
      `protection that a create sets, and that stops attacks, or is off: ${JSON.stringify(values)}`,
      changed("auth0_attack_protection.x", null, { brute_force_protection: [{ enabled: true, ...values }] }),
      "enabled" in values ? ["high TNF-PROTECTION-OFF auth0_attack_protection.x | so already: Guessing passwords"] : [],
    ],
  ),
  [
    "a page with a picture from elsewhere, a library of Auth0, and the same host in another script",
    changed(
      "auth0_pages.p",
      page(from("https://a.example/1.js")),
      page(`<img src='https://b.example/x.png'>${from("https://A.example/2.js")}${from("//cdn.auth0.com/l.js")}`),
    ),
    ["medium TNF-SIGN-IN-CHANGED auth0_pages.p | read the difference of login.html."],
  ],
  [
    "a name that the plan marks as sensitive",
    changed("auth0_role.r", { id: "r", name: "SENTINEL" }, null, { before_sensitive: { name: true } }),
    ["high TNF-PERMISSION-REMOVED auth0_role.r | Deletes the role (sensitive): "],
  ],
])("%s", (_what, change, expected) => {
  const lines = linesOf([change]);
  expectLines(lines, expected);
  expect(lines.join()).not.toContain("SENTINEL");
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
