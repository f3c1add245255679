/** What one object has to do with others: Terraform's own application, the same thing at a new address, two managers, many instances. */
import { summaryOf } from "../../../../src/judge/impact/words/verdict";
import { sentence } from "../../../../src/judge/impact/words/words";
import { parsePlan } from "../../../../src/review/input/plan";
import { tenantsIn } from "../../../../src/review/input/tenants";
import { configured, constant, reviewPlans, reviewTenant } from "../../../review/support/plan";
import { changed, client, expectLines, linesOf, link, shop, type Values } from "./support/lines";

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
const update = (one: ReturnType<typeof link>, values: Values) => {
  const { change } = one.stays;
  return { ...one.stays, change: { ...change, after: { ...change.after, ...values } } };
};
const permission = (name: string, index = 0) =>
  link("role_permission", `p[${index}]`, {
    role_id: "r1",
    resource_server_identifier: "https://api",
    permission: name,
  });
const replaced = (one: ReturnType<typeof link>, other: ReturnType<typeof link>) => ({
  ...one.gone,
  change: { ...one.gone.change, actions: ["delete", "create"], after: other.new.change.after },
});
const mayClose = "medium TNF-CONNECTION-CLOSED";

test.each<[string, readonly object[], readonly string[]]>([
  [
    "a grant with another key",
    [grants("a").gone, grants("b").new],
    [
      `medium TNF-PERMISSION-REMOVED auth0_client_grant.a | ${after("auth0_client_grant.a", "auth0_client_grant.b")} | To keep it, write \`moved\` with from = auth0_client_grant.a and to = auth0_client_grant.b.`,
    ],
  ],
  [
    "a grant with another key and fewer scopes",
    [grants("a").gone, grants("b", { scopes: ["read"], subject_type: "client" }).new],
    [
      'high TNF-PERMISSION-REMOVED auth0_client_grant.b | "write"',
      "medium TNF-PERMISSION-REMOVED auth0_client_grant.a",
    ],
  ],
  [
    "a grant for users in place of one for machines",
    [grants("a").gone, grants("b", { subject_type: "user" }).new],
    ["high TNF-PERMISSION-REMOVED auth0_client_grant.a", "medium TNF-PERMISSION-ADDED auth0_client_grant.b"],
  ],
  [
    "a grant that is replaced by itself",
    [again(grants("a").gone, "delete", "create")],
    ["medium TNF-PERMISSION-REMOVED auth0_client_grant.a | if the apply ends between the destroy and the create: "],
  ],
  [
    "a grant whose new object is the old one, which then goes",
    [again(grants("a").gone, "create", "delete")],
    ["high TNF-PERMISSION-REMOVED auth0_client_grant.a"],
  ],
  [
    "entries that become a list",
    [pair("a", "c1").gone, pair("b", "c2").gone, pairs("all", "c2", "c1").new],
    [
      `${mayClose} auth0_connection_client.a | ${after("auth0_connection_client.a", "auth0_connection_clients.all")} | take auth0_connection_client.a out of the state by \`removed\` with destroy = false, and import auth0_connection_clients.all.`,
      `${mayClose} auth0_connection_client.b`,
    ],
  ],
  [
    "a list that becomes entries, one of which is missing",
    [pairs("all", "c1", "c2").gone, pair("a", "c1").new],
    [
      'high TNF-CONNECTION-CLOSED auth0_connection_clients.all | can no longer sign in to "c2"',
      `${mayClose} auth0_connection_clients.all | ${after("auth0_connection_clients.all", "auth0_connection_client.a")}`,
    ],
  ],
  [
    "entries that become a list which replaces what others have bound",
    [link("trigger_action", "a", { trigger: "post-login", action_id: "a1" }).gone, bound("all", "a1").new],
    [
      "high TNF-ACTION-UNBOUND auth0_trigger_actions.all | if other actions are bound",
      "medium TNF-ACTION-UNBOUND auth0_trigger_action.a",
    ],
  ],
  [
    "a sender of mail in a module, and switched off",
    [senders("a").gone, senders("b", { enabled: false }).new],
    ["high TNF-MAIL-OFF auth0_email_provider.b", "medium TNF-MAIL-OFF auth0_email_provider.a"],
  ],
  [
    "a list of connections that are off, which goes",
    [
      link("organization_connections", "b", {
        organization_id: "o",
        enabled_connections: [{ connection_id: "c", is_enabled: false }],
      }).gone,
    ],
    [],
  ],
  [
    "a list that goes to the connection which the plan creates",
    [
      changed(
        "auth0_connection_clients.k",
        { id: "con_1", connection_id: "con_1", enabled_clients: ["a"] },
        { enabled_clients: ["a"] },
        { actions: ["delete", "create"], after_unknown: { id: true, connection_id: true } },
      ),
      database("new").new,
    ],
    ["high TNF-CONNECTION-CLOSED auth0_connection_clients.k"],
  ],
  [
    "a connection that Terraform forgets for another one, which gets its applications",
    [
      changed(
        "auth0_connection.u",
        { id: "con_1", name: "Users", strategy: "auth0" },
        { name: "Users", strategy: "auth0" },
        {
          actions: ["create", "forget"],
          after_unknown: { id: true },
        },
      ),
      changed(
        "auth0_connection_clients.k",
        { id: "con_1", connection_id: "con_1", enabled_clients: ["a"] },
        { enabled_clients: ["a"] },
        { actions: ["delete", "create"], after_unknown: { id: true, connection_id: true } },
      ),
    ],
    ["high TNF-CONNECTION-CLOSED auth0_connection_clients.k", "low TNF-FORGOTTEN auth0_connection.u (forgotten)"],
  ],
  ...(
    [
      [
        "a connection that the list of its organization switches off",
        true,
        false,
        ["high TNF-CONNECTION-CLOSED auth0_organization_connection.a"],
      ],
      [
        "a connection that the list of its organization switches on",
        false,
        true,
        ["info TNF-APP-OPENED auth0_organization_connections.b"],
      ],
      ["a connection that is off, also in the list of its organization", false, false, []],
    ] as const
  ).map(([name, was, is, expected]): [string, readonly object[], readonly string[]] => [
    name,
    [
      link("organization_connection", "a", { organization_id: "o", connection_id: "c", is_enabled: was }).gone,
      link("organization_connections", "b", {
        organization_id: "o",
        enabled_connections: [{ connection_id: "c", is_enabled: is }],
      }).new,
    ],
    expected,
  ]),
  [
    "a link that people join by, from a list to an entry of which Auth0 computes the rest",
    [
      link("organization_connections", "b", {
        organization_id: "o",
        enabled_connections: [{ connection_id: "c", assign_membership_on_login: true, show_as_button: true }],
      }).gone,
      changed(
        "auth0_organization_connection.a",
        null,
        { organization_id: "o", connection_id: "c", assign_membership_on_login: true },
        { after_unknown: { show_as_button: true } },
      ),
    ],
    ["medium TNF-CONNECTION-CLOSED auth0_organization_connections.b"],
  ],
  [
    "an entry whose new values the plan marks as sensitive",
    [
      link("organization_discovery_domains", "b", {
        organization_id: "o",
        discovery_domains: [{ id: "odd_1", domain: "a.example", status: "verified" }],
      }).gone,
      changed(
        "auth0_organization_discovery_domain.a",
        null,
        { organization_id: "o", domain: "a.example", status: "SECRET" },
        { after_sensitive: { status: true } },
      ),
    ],
    [
      'low TNF-SIGN-IN-CHANGED auth0_organization_discovery_domains.b | "a.example"',
      "low TNF-CHANGE-UNKNOWN auth0_organization_discovery_domains.b",
    ],
  ],
  ...[true, false].map((is_enabled): [string, readonly object[], readonly string[]] => [
    `a link that the plan hides whether it is on: ${is_enabled}`,
    [
      link("organization_connection", "a", { organization_id: "o", connection_id: "c", is_enabled: true }).gone,
      changed(
        "auth0_organization_connection.b",
        null,
        { organization_id: "o", connection_id: "c", is_enabled },
        { after_sensitive: { is_enabled: true } },
      ),
    ],
    is_enabled
      ? ["medium TNF-CONNECTION-CLOSED auth0_organization_connection.a"]
      : [
          "high TNF-CHANGE-UNKNOWN auth0_organization_connection.b",
          "medium TNF-CONNECTION-CLOSED auth0_organization_connection.a",
        ],
  ]),
  ...(["entry", "list"] as const).map((from): [string, readonly object[], readonly string[]] => {
    const [one, all] = [true, false].map((assign_membership_on_login) => ({
      connection_id: "c",
      assign_membership_on_login,
    }));
    const entry = link("organization_connection", "a", { organization_id: "o", ...one });
    const list = (...own: object[]) =>
      link("organization_connections", "b", { organization_id: "o", enabled_connections: own });
    const single = link("organization_connection", "a", { organization_id: "o", ...all });
    return [
      `a link that people no longer join by, on the way from the ${from}`,
      from === "entry" ? [entry.gone, list(all!).new] : [list(one!).gone, single.new],
      [
        `medium TNF-SIGN-IN-CHANGED auth0_organization_connection${from === "entry" ? ".a" : "s.b"}`,
        `medium TNF-CONNECTION-CLOSED auth0_organization_connection${from === "entry" ? ".a" : "s.b"}`,
      ],
    ];
  }),
  [
    "settings that a resource forgets, and another one has",
    [
      link("tenant", "a", { session_lifetime: 9 }).gone,
      link("tenant", "b", { session_lifetime: 9, friendly_name: "b" }).new,
    ],
    [],
  ],
  [
    "an entry that a list leaves to a resource of its own, beside one that goes",
    [update(pairs("all", "c1", "c2", "c3"), { enabled_clients: ["c1"] }), pair("b", "c2").new],
    [
      `high TNF-CONNECTION-CLOSED auth0_connection_clients.all | can no longer sign in to "c3".`,
      "high TNF-DUPLICATE auth0_connection_clients.all",
      `${mayClose} auth0_connection_clients.all | if Terraform changes auth0_connection_clients.all after it creates auth0_connection_client.b: | can no longer sign in to "c2".`,
    ],
  ],
  [
    "an entry that another list gets",
    [
      update(pairs("one", "c1", "c2"), { enabled_clients: ["c1"] }),
      update(pairs("all", "c3"), { enabled_clients: ["c2", "c3"] }),
    ],
    [
      "high TNF-DUPLICATE auth0_connection_clients.one",
      `${mayClose} auth0_connection_clients.one | if Terraform changes auth0_connection_clients.one after it changes auth0_connection_clients.all: `,
      "info TNF-APP-OPENED auth0_connection_clients.all",
    ],
  ],
  [
    "instances of `count` that move up",
    [
      replaced(permission("read"), permission("write")),
      replaced(permission("write", 1), permission("admin", 1)),
      permission("admin", 2).gone,
    ],
    [
      'medium TNF-PERMISSION-REMOVED auth0_role_permission.p[0] | if the API enforces permissions: | loses "read"',
      "medium TNF-PERMISSION-REMOVED auth0_role_permission.p[1] | destroys auth0_role_permission.p[1] after it creates auth0_role_permission.p[0]: ",
      "medium TNF-PERMISSION-REMOVED auth0_role_permission.p[2] | destroys auth0_role_permission.p[2] after it creates auth0_role_permission.p[1]: ",
    ],
  ],
  [
    "instances of `count` that move up, and get more",
    [
      replaced(grants("a", { client_id: "c0" }), grants("a", { scopes: ["delete", "read", "write"] })),
      grants("b").gone,
    ],
    [
      'high TNF-PERMISSION-REMOVED auth0_client_grant.a | "c0"',
      'medium TNF-PERMISSION-ADDED auth0_client_grant.a | "delete"',
      "medium TNF-PERMISSION-REMOVED auth0_client_grant.b | destroys auth0_client_grant.b after it creates auth0_client_grant.a: ",
    ],
  ],
  [
    "users, whom nothing makes again",
    [database("a").gone, database("b").new],
    [
      "critical TNF-USERS-DELETED auth0_connection.a | auth0_connection.b has the same name: if it is the same object, write `moved` with from = auth0_connection.a",
    ],
  ],
])("%s: lost only if the destroy comes last", (_what, changes, expected) => expectLines(linesOf(changes), expected));

test("The end of an organization comes before the loss of its members, and is as bad", () => {
  const members = changed("auth0_organization_members.m", { organization_id: "org_1", members: ["a|1", "a|2"] }, null);
  const organization = changed("auth0_organization.acme", { id: "org_1", name: "acme" }, null);
  expectLines(linesOf([members, organization]), [
    "critical TNF-ORGANIZATION-DELETED auth0_organization.acme",
    "critical TNF-MEMBERS-EMPTIED auth0_organization_members.m",
    "low TNF-DESTROYED auth0_organization_members.m",
  ]);
  const other = changed("auth0_organization.other", { id: "org_2", name: "other" }, null);
  expect(linesOf([members, other])[1]).toContain("high TNF-ORGANIZATION-DELETED auth0_organization.other");
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
    "an object twice, whose client ID is sensitive, and is its id",
    ["a", "b"].map((name) =>
      changed(`auth0_client.${name}`, shop, shop, {
        before_sensitive: { client_id: true },
        after_sensitive: { client_id: true },
      }),
    ),
    undefined,
  ],
  [
    "lists of owners whose long ids begin alike",
    ["a", "b"].map(
      (name) =>
        link("connection_clients", name, { connection_id: "c".repeat(200) + name, enabled_clients: ["c1"] }).stays,
    ),
    undefined,
  ],
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

test("what goes with something that goes itself is named in one effect", () => {
  const [gone] = linesOf([
    changed("auth0_client.a", shop, null),
    changed("auth0_client_grant.g", { id: "g1", client_id: "c1", audience: "https://api.example" }, null),
    changed("auth0_organization_client_grant.o", { organization_id: "org_1", grant_id: "g1" }, null),
  ]);
  expect(gone).toMatch(
    /Deletes the application "Shop".* With it: auth0_client_grant\.g and auth0_organization_client_grant\.o\.$/,
  );
});

test("instances that differ in what they do have an effect each", () => {
  const roles = (index: number, role: string) =>
    changed(
      `auth0_user_roles.u["${index}"]`,
      { user_id: `u${index}`, roles: [] },
      { user_id: `u${index}`, roles: [role] },
    );
  const lines = linesOf([...Array.from({ length: 6 }, (_, index) => roles(index, "reader")), roles(6, "admin")]);
  expect(lines).toEqual([
    expect.stringContaining('"u0" gets "reader". The same is so of 5 other instances'),
    expect.stringContaining('"u6" gets "admin".'),
  ]);
});

test("no permission, role or API of an instance is hidden behind another one", () => {
  const seven = (made: (index: number) => ReturnType<typeof link>) =>
    linesOf(Array.from({ length: 7 }, (_, index) => made(index).new)).length;
  expect(seven((index) => permission(`p${index}`, index))).toBe(7);
  expect(seven((index) => link("user_role", `r["${index}"]`, { user_id: "u", role_id: `r${index}` }))).toBe(7);
  expect(seven((index) => link("user_role", `r["${index}"]`, { user_id: `u${index}`, role_id: "r" }))).toBe(1);
  const grantTo = (index: number) => link("client_grant", `g["${index}"]`, { ...orders, audience: `https://${index}` });
  expect(seven(grantTo)).toBe(7);
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
  const action_invocations = ["auth0_rotate", "aws_lambda_invoke", "local_command"].map((type) => ({
    address: `action.${type}.x`,
    type,
  }));
  const plan = { format_version: "1.2", complete: true, resource_changes: [], action_invocations };
  const { verdict } = reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")]);
  expect(summaryOf(verdict)).toEqual([
    "● medium: Changed, and not judged: action.auth0_rotate.x (runs programs) and action.local_command.x (runs programs). [TNF-NOT-REVIEWED]",
  ]);
});

test("programs that the apply runs are said", () => {
  const provisioners = [{ type: "local-exec", expressions: {} }];
  const configuration = { root_module: { resources: [{ address: "auth0_role.r", provisioners }] } };
  const reviewed = (change: object) => {
    // A change that nobody judges does not hide them.
    const resource_changes = [changed("auth0_flow.f", null, { name: "F" }), change];
    const plan = { format_version: "1.2", complete: true, resource_changes, configuration };
    return summaryOf(reviewPlans("plan", [parsePlan(JSON.stringify(plan), "plan")]).verdict)[0];
  };
  const of = (...change: Parameters<typeof changed>) => reviewed(changed(...change));
  expect(of("auth0_role.r", null, { name: "R" })).toMatch(
    /^● medium: Changed, and not judged: auth0_role\.r \(runs programs: local-exec\) and auth0_flow\.f \(created\)\./,
  );
  expect(of("auth0_role.r", { name: "R", description: "a" }, { name: "R", description: "b" })).toMatch(/^○ /);
  const read = { actions: ["read"], before: null, after: { program: ["sh"] } };
  expect(reviewed({ address: "data.external.p", type: "external", name: "p", mode: "data", change: read })).toMatch(
    /^● medium: Changed, and not judged: data\.external\.p \(runs programs\) and auth0_flow\.f/,
  );
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
