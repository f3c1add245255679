/** Values that are known only after the apply, and both sides of what is replaced. */
import { changed, client, expectLines, linesOf, type Values } from "./support/lines";

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
const opens = { assign_membership_on_login: true };
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

test.each<[string, readonly object[], Values, readonly string[]]>([
  [
    "a new action in place of an old one: the old one goes",
    [trigger([twoActions[0]!, newAction], {}, { id: true }), made("auth0_action.n")],
    ids(first, refer("auth0_action.n.id")),
    [
      `${unbound} | | "Require MFA" no longer runs at "post-login"`,
      'low TNF-ACTION-CHANGED auth0_trigger_actions.t | "New" runs at "post-login"',
    ],
  ],
  [
    "an action that is known only after the apply: perhaps it is the old one",
    [trigger([twoActions[0]!, newAction], {}, { id: true })],
    ids(first, refer("terraform_data.x.output")),
    [`${unbound} | Possible, if the value that is known only after the apply leaves it out: "Require MFA"`],
  ],
  [
    "one place for two actions: one of them goes",
    [trigger([newAction], { id: true })],
    ids(refer("terraform_data.x.output")),
    [
      `${unbound} | | At least 1 of "Claims" and "Require MFA" no longer runs`,
      "low TNF-CHANGE-UNKNOWN auth0_trigger_actions.t",
    ],
  ],
  [
    "a new action beside all old ones: nothing goes",
    [trigger([...twoActions, newAction], {}, {}, { id: true })],
    ids(first, { constant_value: "act_2" }, refer("terraform_data.x.output")),
    ["low TNF-CHANGE-UNKNOWN auth0_trigger_actions.t"],
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
      'high TNF-CONNECTION-CLOSED auth0_organization_connections.o | through "con_2"',
      "info TNF-APP-OPENED auth0_organization_connections.o",
    ],
  ],
  [
    "a new application beside one that the set refers to: nothing goes",
    [enabled(["c1"]), exists("auth0_client.old", "c1"), made("auth0_client.n")],
    clients(refer("auth0_client.old.id", "auth0_client.n.id")),
    ["info TNF-CHANGE-UNKNOWN auth0_connection_clients.c"],
  ],
  [
    "a new application beside constants that the plan does not show: perhaps the old one goes",
    [enabled(["c1", "c2"]), exists("auth0_client.old", "c1"), made("auth0_client.n")],
    clients(refer("auth0_client.old.id", "auth0_client.n.id")),
    [`${shut} | leaves it out: | "c2"`],
  ],
  ...(
    [
      ["var.flag", true],
      ["var.stage", true],
      ["local.flag", true],
      ["terraform_data.x.output", true],
      ["var.shop", false],
      ["var.other_app", false],
      ["var.more_client_ids", false],
      ["module.app.client_id", false],
      ["data.auth0_client.x.id", false],
      ["var.no_id", true],
      ["each.value", true],
    ] as const
  ).map(([reference, mayGo]): [string, object[], Values, string[]] => [
    `a set that refers to the old application, perhaps under a condition: ${reference}`,
    [enabled(["c1", "c2"]), exists("auth0_client.old", "c1"), exists("auth0_client.two", "c2"), made("auth0_client.n")],
    clients(refer("auth0_client.old.id", "auth0_client.two.id", "auth0_client.n.id", reference)),
    mayGo ? [`${shut} | leaves them out: | "c1" and "c2"`] : ["info TNF-CHANGE-UNKNOWN auth0_connection_clients.c"],
  ]),
  [
    "a new application beside those of a variable",
    [enabled(["c1", "c2"]), made("auth0_client.n")],
    clients(refer("var.base", "auth0_client.n.id")),
    ["info TNF-CHANGE-UNKNOWN auth0_connection_clients.c"],
  ],
  [
    "a new application in a set of JSON syntax, which shows the constants: the old one goes",
    [enabled(["c1", "c2"]), made("auth0_client.n")],
    clients({ ...refer("auth0_client.n.id"), constant_value: ["c1", "${auth0_client.n.id}"] }),
    [`${shut} | "c2"`, opened],
  ],
  [
    "a destroyed application beside others that a set may lose",
    [enabled(["junk", "c1"]), changed("auth0_client.junk", { id: "junk", client_id: "junk", name: "Junk" }, null)],
    clients(refer("terraform_data.x.output")),
    [
      "high TNF-APP-STOPS auth0_client.junk | Deletes the application",
      `${shut} | leaves them out: | "Junk" (junk) and "c1"`,
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
  ].map(([title, expressions]): [string, object[], Values, string[]] => [
    `a value ${String(title)}: undecided`,
    [guessing([], { allowlist: true })],
    expressions ? { [attack]: expressions } : {},
    [`high TNF-CHANGE-UNKNOWN ${attack}`],
  ]),
  [
    "a list of a dynamic block with one unknown value",
    [guessing(["a"], { allowlist: [false, true] })],
    { [attack]: {} },
    [`high TNF-CHANGE-UNKNOWN ${attack}`, `medium TNF-PROTECTION-OFF ${attack} | "a"`],
  ],
  ...(
    [
      ["auth0_connection.x", ["options", "authentication_methods", "passkey"], [{ enabled: true }], "high"],
      ["auth0_connection.x", ["options", "attributes", "email"], [{ identifier: [{ active: true }] }], "high"],
      ["auth0_connection.x", ["options", "attributes", "email"], [], "low"],
      ["auth0_client.a", ["native_social_login", "apple"], [{ enabled: true }], "medium"],
      ["auth0_client.a", ["identity_assertion_authorization_grant"], [{ active: true }], "medium"],
      ["auth0_tenant.t", ["flags"], [], "high"],
    ] as const
  ).map(([address, names, was, level]): [string, object[], Values, string[]] => {
    const within = (value: unknown) =>
      names.reduceRight((inner, name, index) => (index === 0 ? { [name]: inner } : [{ [name]: inner }]), value);
    const sides = [within(was), within([])].map((one) => ({ id: "a", ...(one as Values) }));
    const unknown = { after_unknown: within(true) as Values };
    return [
      `a dynamic block ${names.join(".")}, which was ${JSON.stringify(was)}`,
      [changed(address, sides[0]!, sides[1]!, unknown)],
      {},
      [`${level} TNF-CHANGE-UNKNOWN ${address}`],
    ];
  }),
  [
    "the application of a grant with a key: its name",
    [...apps, grantFor("auth0_client_grant.g")],
    grantOf('auth0_client.app["admin"].id', 'auth0_client.app["admin"]', "auth0_client.app"),
    ['medium TNF-PERMISSION-ADDED auth0_client_grant.g | "App admin"'],
  ],
  [
    "the application of a grant with a key that the plan does not show: no name",
    [...apps, grantFor('auth0_client_grant.g["admin"]')],
    grantOf("auth0_client.app", "each.key"),
    ['medium TNF-PERMISSION-ADDED auth0_client_grant.g["admin"] | "auth0_client.app"'],
  ],
  [
    "one of two applications, whichever it is: no name",
    [...apps, grantFor("auth0_client_grant.g")],
    grantOf('auth0_client.app["admin"].id', 'auth0_client.app["admin"]', "auth0_client.b.id", "auth0_client.b"),
    ["medium TNF-PERMISSION-ADDED auth0_client_grant.g | (known after apply)"],
  ],
  ...(
    [
      [
        "terraform_data.x.output",
        "high TNF-PERMISSION-ADDED auth0_client_grant.g | Possible, if audience, which is known only after the apply, is ",
        "medium TNF-PERMISSION-ADDED auth0_client_grant.g | is not ",
      ],
      ["auth0_resource_server.n.identifier", "medium TNF-PERMISSION-ADDED auth0_client_grant.g | may get tokens"],
    ] as const
  ).map(([audience, ...lines]): [string, object[], Values, string[]] => [
    `the API of a grant, which may be the Management API unless it is new: ${audience}`,
    [
      changed("auth0_client_grant.g", null, { client_id: "c1", scopes: ["a"] }, { after_unknown: { audience: true } }),
      changed("auth0_resource_server.n", null, {}, { after_unknown: { id: true, identifier: true } }),
    ],
    { "auth0_client_grant.g": { audience: refer(audience) } },
    lines,
  ]),
  ...(["create", "added"] as const).map((how): [string, object[], Values, string[]] => [
    `an element that may let everybody in: ${how}`,
    [
      changed(
        "auth0_organization_connections.o",
        how === "create" ? null : { organization_id: "o", enabled_connections: [{ connection_id: "con_1" }] },
        {
          organization_id: "o",
          enabled_connections: [...(how === "create" ? [] : [{ connection_id: "con_1" }]), { connection_id: "con_2" }],
        },
        { after_unknown: { enabled_connections: [...(how === "create" ? [] : [{}]), opens] } },
      ),
    ],
    {},
    [
      "medium TNF-APP-OPENED auth0_organization_connections.o | Possible, if assign_membership_on_login, which is known only after the apply, is true: ",
      'info TNF-APP-OPENED auth0_organization_connections.o | "con_2"',
    ],
  ]),
  [
    "what Auth0 computes of a new user, and what the configuration writes",
    ["a", "b"].map((name) => ({
      ...made(`auth0_user.${name}`, { email: `${name}@example.com` }),
      change: { ...made("auth0_user.a", { email: "x" }).change, after_unknown: { app_metadata: true } },
    })),
    { "auth0_user.a": { app_metadata: refer("terraform_data.x.output") }, "auth0_user.b": {} },
    [
      "medium TNF-USER-CHANGED auth0_user.a | Possible, if app_metadata, which is known only after the apply, is set",
      "info TNF-USER-CHANGED auth0_user.b",
      "info TNF-USER-CHANGED auth0_user.a | app_metadata, which is known only after the apply, is not set",
    ],
  ],
  ...["https://a.example/x", "https://new.example", "https://*.a.example", "http://a.example"].map(
    (added): [string, object[], Values, string[]] => [
      `a sensitive address, whatever it is: ${added}`,
      [
        client(
          { callbacks: ["https://a.example"] },
          { callbacks: ["https://a.example", added] },
          { before_sensitive: { callbacks: true }, after_sensitive: { callbacks: true } },
        ),
      ],
      {},
      ["high TNF-CHANGE-UNKNOWN auth0_client.a"],
    ],
  ),
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
    ["high TNF-CHANGE-UNKNOWN auth0_guardian.g"],
  ],
  [
    "a number that is known only after the apply: as bad as a number can be",
    [changed("auth0_tenant.t", { session_lifetime: 9 }, {}, { after_unknown: { session_lifetime: true } })],
    { "auth0_tenant.t": { session_lifetime: refer("terraform_data.x.output") } },
    ["medium TNF-CHANGE-UNKNOWN auth0_tenant.t"],
  ],
  ...["delete create", "rename"].map((how): [string, object[], Values, string[]] => {
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
        `high TNF-PROTECTION-OFF ${attack} | | Guessing passwords`,
        `high TNF-PROTECTION-OFF ${attack} | | One address`,
        `medium TNF-PROTECTION-OFF ${destroyed}`,
      ],
    ];
  }),
])("what is known only after the apply: %s", (_what, changes, written, expected) =>
  expectLines(linesOf(changes, undefined, written), expected),
);

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
