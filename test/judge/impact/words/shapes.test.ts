/** The words of facts, pinned here and nowhere else: each kind with one value and several, none, one that is not known, and one that is not shown. */
import { type Code, effect, type Effect, type Facts } from "../../../../src/judge/impact/effect";
import type { OutcomeFacts } from "../../../../src/judge/impact/network-acl/facts";
import type { Limit } from "../../../../src/judge/impact/rate-limit-policy/policy";
import type { Reason } from "../../../../src/judge/impact/statement/reason";
import { brief, sentence, who } from "../../../../src/judge/impact/words/words";

type Shape<K> = Extract<Facts, { readonly kind: K }>;
type Doubt = Pick<Effect, "certainty" | "assumptions">;

const doubt: Doubt = {
  certainty: "possible",
  assumptions: [{ is: "clause", text: "its list is known only after the apply" }],
};
const twoDoubts: Doubt = {
  ...doubt,
  assumptions: [...doubt.assumptions, { is: "clause", text: "the order is not known" }],
};

const everywhere = { countries: { outside: [] }, addresses: { outside: [] } };
const inside = (...codes: string[]) => ({ countries: { in: codes }, addresses: { outside: [] } });
const at = (...blocks: string[]) => ({ countries: { outside: [] }, addresses: { in: blocks } });
const extent = (areas: readonly object[], ipv4 = 0.2, ipv6 = ipv4) => ({ areas, ipv4, ipv6 }) as OutcomeFacts["extent"];
const criterion = (fact: string, values: readonly string[], isOther = false) => ({ fact, values, isOther });
const one = (...criteria: object[]) => ({ criteria }) as OutcomeFacts["cases"][number];
const agents = ["a", "b", "c", "d", "e"];
const common = { cases: [], exceptions: [], hosts: { before: [], after: [] } } as const;
const base = {
  ...common,
  kind: "outcome",
  apis: ["authentication"],
  extent: extent([everywhere], 1),
  before: "allowed",
  after: "blocked",
} as const;
const outcomes: Shape<"outcome">[] = [
  base,
  { ...base, apis: ["authentication", "management", "dynamic_client_registration"], after: "redirected" },
  { ...base, after: "redirected", hosts: { before: [], after: ["a.example", "b.example"] } },
  { ...base, before: "redirected", after: "redirected", hosts: { before: ["a.example"], after: ["a.example"] } },
  { ...base, before: "redirected", after: "redirected", hosts: { before: ["a.example"], after: ["b.example"] } },
  { ...base, before: "blocked", after: "redirected", extent: extent([inside("CU")], 0.0004) },
  { ...base, before: "blocked", after: "allowed", extent: extent([inside("CU", "IR")]) },
  { ...base, extent: extent([inside("CU", "IR", "KP", "SY", "RU", "BY")]), allowed: ["DE"] },
  { ...base, extent: extent([{ ...everywhere, countries: { outside: ["DE"] } }], 0.98), allowed: [] },
  { ...base, extent: extent([at("10.0.0.0/8"), inside("CU"), inside("IR"), inside("KP")]) },
  { ...base, extent: extent([at("10.0.0.1")]), exceptions: [one(criterion("user_agent", ["curl"]))] },
  {
    ...base,
    extent: extent([at("0.0.0.0/0")], 1, 0),
    exceptions: [one(criterion("asn", agents)), one(criterion("hostname", ["a"]))],
  },
  { ...base, extent: extent([{ ...everywhere, addresses: { outside: ["10.0.0.0/8"] } }], 0.996), isBound: true },
  { ...base, extent: null, cases: [one(criterion("user_agent", ["curl"]), criterion("asn", ["64500"]))] },
  {
    ...base,
    extent: null,
    cases: [
      one(criterion("user_agent", agents, true)),
      one(criterion("managed", ["x"])),
      one(criterion("managed", ["x", "y"], true)),
    ],
  },
  {
    ...base,
    extent: null,
    cases: [
      one(criterion("signature_key", ["k1"])),
      one(criterion("signature_key", ["k1", "k2"], true)),
      one(criterion("asn", ["1"])),
      one(criterion("asn", ["2"])),
    ],
  },
  { ...base, isHidden: true },
  { ...base, logged: { api: "authentication", sure: 1, possible: 0, of: 1 } },
  { ...base, logged: { api: "management", sure: 0, possible: 2, of: 2_000 } },
];

const people = (...names: string[]) => ({ count: names.length, some: names.map((id) => ({ id, words: id })) });
const hiddenPeople = (count: number) => ({ count, some: [] });
const organization = { id: "org_1", words: '"Acme" (org_1)' };
const group = { kind: "members", organization, before: 8, after: null } as const;
const ada = people("ada");
const two = people("ada", "bob");
const many = people("a", "b", "c", "d", "e", "f");
const members: Shape<"members">[] = [
  ...([ada, two, many, hiddenPeople(1), hiddenPeople(2)] as const).flatMap((some) => [
    { ...group, loses: some },
    { ...group, gains: some },
    { ...group, stays: some },
    { ...group, others: some },
  ]),
  { ...group, loses: ada, before: 1, after: 0 },
  { ...group, loses: ada, before: null },
  { ...group, loses: two, before: 2, after: 0, refusedBy: { setting: "allow_empty" } },
  { ...group, loses: two, refusedBy: { setting: "max_removals", most: 1 } },
  { ...group, loses: { count: 3_000, some: many.some }, before: 5_000 },
  { ...group, mayLose: 1 },
  { ...group, mayLose: 1, before: 1 },
  { ...group, mayLose: 1, before: null },
  { ...group, mayLose: null },
  { ...group, mayGain: true },
];

const name = (of: string, key?: object) => ({ address: `acl.${of}`, ...(key && { key }) });
const edge = name("k", { name: "edge" });
const object = { kind: "object", object: name("a") } as const;
const objects: Shape<"object">[] = [
  { ...object, object: edge, change: "created" },
  ...(["destroyed", "replaced", "forgotten", "imported"] as const).map((change) => ({ ...object, change })),
  { ...object, change: "destroyed", isLeftOver: true },
  { ...object, change: "replaced", stays: true },
  { ...object, object: edge, change: "replaced", next: { name: "new" }, how: "rotated" },
  { ...object, object: edge, change: "replaced", next: { prefix: "e-" }, how: "renamed" },
  { ...object, change: "adopted", noun: "network ACL", id: "acl_1" },
  { ...object, change: "moved", from: "acl.b" },
  { ...object, change: "renamed", from: "acl.b", noun: "network ACL" },
  { ...object, change: "drifted", attributes: ["rule"], planned: "undone" },
  { ...object, change: "drifted", planned: "kept" },
  { ...object, object: name("k", { isSecret: true }), change: "created" },
  { ...object, object: name("k", {}), change: "destroyed" },
  { ...object, change: "replaced", isList: true },
  { ...object, object: edge, change: "replaced", next: { name: "new" }, how: "replaced" },
  { ...object, change: "adopted", noun: "network ACL", id: undefined },
  { ...object, change: "drifted", attributes: [], planned: "kept" },
  { ...object, change: "drifted", attributes: ["rule", "active"], planned: "destroyed" },
];
const keys = { kind: "key", acl: '"Edge" (priority 1)' } as const;
const same = {
  kind: "same key",
  noun: "network ACL",
  attributes: ["priority"],
  value: "5",
  titles: ["acl.a"],
} as const;
const policy = {
  ...same,
  noun: "rate limit policy",
  attributes: ["consumer", "consumer_selector"],
  value: '"default"',
};
const held = { type: "tenant_network_acl", id: "acl_1" };

const third = "third_party_clients";
const block = (limit: number | null, by = third): Limit => ({ action: "block", limit, by });
const redirect = (limit: number, redirect_uri: string): Limit => ({
  action: "redirect",
  limit,
  redirect_uri,
  by: third,
});
const limit = (was: Limit | null, is: Limit | null, consumer_selector = third): Shape<"limit"> => {
  const of = { resource: "oauth_authentication_api", consumer: "client", consumer_selector };
  return { kind: "limit", ...of, apis: ["authentication"], was, is };
};
const limits: Shape<"limit">[] = [
  limit(block(50), block(10)),
  limit(block(5, "default"), block(5)),
  limit(null, block(1)),
  limit(block(100, "default"), block(0, "default"), "default"),
  limit(block(12_000, "client_id:abc"), null, "client_id:abc"),
  ...["cimd_clients", "constructor", "(sensitive)"].map((by) => limit(block(1, by), block(2, by), by)),
  limit(null, block(1), "(known after apply: policy.a)"),
  limit({ action: "log", limit: 5, by: third }, { action: "log", limit: 9, by: third }),
  limit({ action: "allow", limit: null, by: third }, block(null)),
  limit({ action: "(sensitive)", limit: null, by: third }, block(5)),
  limit(block(5), { action: "(known after apply)", limit: null, by: third }),
  limit(block(5), redirect(5, "https://a.example/x")),
  limit(redirect(5, "https://a.example/x"), redirect(5, "https://a.example/y")),
  limit(redirect(0, "https://a.example/x"), redirect(0, "https://a.example@b.example/")),
  limit(null, redirect(5, "(known after apply)")),
];

const request = {
  path: "/authorize",
  ip: "198.51.100.9",
  connecting_ip: "198.51.100.9",
  managed: [],
} as unknown as Extract<Reason, { kind: "counterexample" }>["request"];
const through = {
  ...request,
  path: "/api/v2/",
  connecting_ip: "10.0.0.1",
  country: "KP",
  subdivision: null,
  user_agent: "curl",
  signature_key: "k",
  managed: ["x", "y"],
};
const example = { kind: "counterexample", request, outcome: "allowed", demanded: ["blocked"] } as const;
const limited = { kind: "limit", callers: "the application abc", at_most: 5 } as const;
const policed = { callers: third, action: "limit", rate: 1 } as const;
const problem = { is: "missing", isSure: true, ids: ["ada"], count: 1 } as const;
const few = { is: "few", isSure: true, count: 1, bound: 2 } as const;
const reasons: Reason[] = [
  example,
  {
    ...example,
    request: through,
    outcome: "redirected",
    redirect_uri: "https://a.example",
    by: 'ACL "A"',
    demanded: ["blocked", "reached"],
  },
  limited,
  ...(
    [
      policed,
      { ...policed, rate: 2, shared: "together" },
      { ...policed, rate: "(sensitive)", callers: "(sensitive)" },
      { action: "limit", unknown: "limit" },
      { ...policed, unknown: "action", shared: "to each application" },
      { ...policed, action: "log" },
      { ...policed, action: "allow" },
    ] as const
  ).map((own) => ({ ...limited, policy: own, at_least: 1 })),
  { kind: "members", problems: [problem, { ...problem, ids: ["ada", "bob"], count: 2, is: "present" }] },
  {
    kind: "members",
    problems: [
      { ...problem, isSure: false },
      { ...problem, isSure: false, is: "present", ids: "(sensitive)", count: 2 },
    ],
  },
  { kind: "members", problems: [{ ...problem, ids: ["a", "b", "c", "d", "e"], count: 5 }] },
  { kind: "members", problems: [few, { ...few, is: "many", count: 3 }] },
  {
    kind: "members",
    problems: [
      { ...few, isSure: false },
      { ...few, is: "many", isSure: false, count: 3, bound: 1 },
      { ...few, count: "(sensitive)" },
      { ...few, count: 0, bound: 1 },
    ],
  },
  { kind: "effort" },
  { kind: "incomplete", because: [{ is: "incomplete" }] },
  { kind: "unread", what: "members" },
  { kind: "unread", what: "members", organization: "org_1" },
  { kind: "unread", what: "members", organization: "org_1", isMissing: true },
  { kind: "unread", what: "rate limit policies" },
  { kind: "nobody" },
  { kind: "value" },
  { kind: "value", name: "`countries`" },
  { kind: "sensitive", what: "counterexample" },
  { kind: "sensitive", what: "details" },
  { kind: "printed" },
  { kind: "unshown", parts: [{ is: "computed", attribute: "ips" }] },
  {
    kind: "assumed",
    of: limited,
    that: [{ is: "variable", attribute: "a", variable: "var.a" }, { is: "no dynamic request" }],
    beside: [],
  },
  {
    ...example,
    request: { ...request, path: "/oidc/register" },
    outcome: "redirected",
    demanded: ["blocked", "redirected", "logged"],
  },
];
const isOpen = ({ kind }: Reason) => ["incomplete", "unread", "value", "unshown"].includes(kind);
const statement = { kind: "statement", name: "sanctions", was: "other", is: "broken" } as const;
const blockers = (count: number) => Array.from({ length: count }, (_, index) => `acl.${index}`);
const lockout = {
  kind: "lockout",
  request: "token",
  outcome: "blocked",
  by: ["acl.a"],
  unless: [],
  shares: [],
} as const;
const weak = { kind: "weakened", name: "sanctions", was: "DE is blocked", is: "DE is reached" } as const;
type Gap<Each = Shape<"gap">> = Each extends unknown ? Omit<Each, "kind"> : never;
const gaps: readonly Gap[] = [
  { gap: "failed", others: 0 },
  { gap: "failed", error: { summary: "No such thing.", address: "auth0_client.a" }, others: 2 },
  { gap: "failed", error: { summary: "Lock-out", code: "TNF-PLAN-LOCKOUT" as Code }, others: 0 },
  { gap: "incomplete", deferred: [] },
  { gap: "incomplete", deferred: [{ address: "a.b", deferred: "instance_count_unknown" }] },
  { gap: "unplanned", stack: "edge two" },
  { gap: "refused", objects: "network ACLs", reason: "insufficient_scope." },
  { gap: "tenant", doubt: { is: "read from", host: "a.eu.auth0.com" } },
  { gap: "tenant", doubt: { is: "perhaps that of", others: ["edge", "core"] } },
  { gap: "tenant", doubt: { is: "not shown of", addresses: blockers(7) } },
];
const manage = (...managers: Shape<"duplicate">["managers"]) =>
  ({ kind: "duplicate", managers, identity: "network ACL acl_1" }) as const;

/** Each kind of facts that has shapes of its own. Rows of the table have a test of their own, and other tests pin texts. */
const shapes: { readonly [K in Exclude<Facts["kind"], "row" | "printed">]: readonly Shape<K>[] } = {
  outcome: outcomes,
  logging: (["lost", "gained"] as const).flatMap((direction) => [
    { ...common, kind: "logging", direction, acls: ["a"], apis: ["management"], extent: extent([inside("DE")]) },
    { ...common, kind: "logging", direction, acls: ["a", "b"], apis: ["authentication"], extent: null, isHidden: true },
  ]),
  acl: [
    { kind: "acl", about: "code", acl: '"A"', side: "match", code: "UK", likely: "GB" },
    { kind: "acl", about: "code", acl: '"A"', side: "not_match", code: "UK", likely: "GB", country: "United Kingdom" },
    { kind: "acl", about: "host", acl: '"A"', host: "a.example" },
    { kind: "acl", about: "https", acl: '"A"' },
    ...[0, 1, 2, 3].map((count) => ({ kind: "acl", about: "shadow", acl: '"A"', by: blockers(count) }) as const),
    ...[11, 1_100].map((count) => ({ kind: "acl", about: "number", count }) as const),
    ...[1, 2].map((count) => ({ kind: "acl", about: "overlap", count }) as const),
  ],
  members,
  limit: limits,
  gap: gaps.map((gap) => ({ kind: "gap", ...gap }) as Shape<"gap">),
  "own limit": ["default", "client_id:abc"].flatMap((selector) =>
    [0, 1, 2].flatMap((rate) =>
      [true, false].map((isCertain) => ({ kind: "own limit", client: "abc", rate, selector, isCertain }) as const),
    ),
  ),
  object: objects,
  collision: [
    { kind: "collision", noun: "network ACL", key: "priority 5", created: "acl.a" },
    {
      kind: "collision",
      noun: "rate limit policy",
      key: 'the selector "default"',
      created: "acl.a",
      destroyed: "acl.b",
    },
  ],
  duplicate: [
    manage(name("a"), { ...name("b"), goes: true }),
    manage(name("a"), { ...name("b"), plan: "eu" }, name("c")),
    { ...manage(name("a"), name("b")), isList: true },
    manage(...blockers(12).map((address) => ({ address }))),
  ],
  "same key": [
    { ...same, titles: ["acl.a", "acl.b"] },
    { ...same, titles: ["acl.a", "acl.b", "acl.c"] },
    { ...policy, holder: held },
    { ...same, holder: { ...held, name: "Wall", isIdentical: true } },
    { ...same, value: "(sensitive)", holder: { ...held, isReplacement: true } },
  ],
  features: [["match_all"], ["match_all", "keys"]].map((features) => ({ kind: "features", features })),
  key: [
    { ...keys, keys: [edge], going: ["destroyed"] },
    { ...keys, keys: [edge, name("l", {})], going: ["destroyed", "replaced"] },
    { ...keys, keys: [edge], going: ["replaced"], isUnmanaged: true },
    { ...keys, keys: [edge], stops: "material", goesFirst: true },
    { ...keys, keys: [], going: ["destroyed"] },
    { ...keys, keys: [edge, name("l", { prefix: "e-" })], keepsName: true },
    { ...keys, keys: [edge] },
    { ...keys, keys: [edge, name("l", {})], stops: "id", goesFirst: true },
  ],
  "unknown key": [
    { kind: "unknown key", acl: "A", id: "key_gone", known: [{ id: "key_a", name: "edge" }, { id: "key_b" }] },
    { kind: "unknown key", acl: "A", known: [] },
  ],
  "number of keys": [
    { kind: "number of keys", count: 11, most: 10 },
    { kind: "number of keys", count: 10, most: 10, replaced: edge },
  ],
  lockout: [
    { ...lockout, by: blockers(2), because: [{ is: "clause", text: "the address matches" }] },
    { ...lockout, by: blockers(7), isOpen: true },
    { ...lockout, unless: blockers(2), because: [{ is: "clause", text: "the address matches" }] },
    { ...lockout, outcome: "redirected", by: blockers(2) },
    lockout,
    { ...lockout, isOpen: true },
    { ...lockout, request: "breadth", isHidden: true },
    { ...lockout, request: "breadth", called: "AS 1", shares: [{ family: "IPv4", percent: 80 }] },
    { ...lockout, was: "blocked by another ACL" },
    { ...lockout, by: blockers(2), was: "blocked" },
    { ...lockout, outcome: "redirected", was: "blocked" },
    {
      ...lockout,
      request: "breadth",
      shares: [
        { family: "IPv4", percent: 80, byCountry: true },
        { family: "IPv6", percent: 100 },
      ],
      because: [{ is: "clause", text: "the list is not known" }],
    },
    { ...lockout, request: "protected request", called: "our CI", isHidden: true },
    { ...lockout, replaced: { address: "acl.b", noun: "ACL" } },
  ],
  statement: [
    ...reasons.map((reason) => ({ ...statement, is: isOpen(reason) ? ("undecided" as const) : statement.is, reason })),
    ...(["broken", "undecided"] as const).map(
      (is) => ({ ...statement, was: "broken", is, reason: { kind: "effort" } }) as const,
    ),
    { ...statement, is: "undecided", reason: example },
    { ...statement, reason: { kind: "printed" }, replaced: { address: "rlp.b", noun: "policy" } },
  ],
  weakened: [
    weak,
    { ...weak, isWarning: true },
    { ...weak, is: weak.was, isWarning: true },
    { ...weak, is: weak.was },
    { kind: "weakened", name: "CI", was: "from 10.0.0.1", of: "protected request", isDynamic: true },
    { kind: "weakened", name: "sanctions", was: weak.was, isDynamic: true, idle: ["auth0.eu"] },
    { kind: "weakened", name: "sanctions", was: weak.was, idle: ["auth0.eu", "auth0.us"] },
  ],
  guard: [
    { kind: "guard", is: null },
    { kind: "guard", is: "off", was: "error" },
    { kind: "guard", is: "warn" },
  ],
  unshown: [
    { kind: "unshown", block: "protected_request", name: "CI", attributes: ["ip"] },
    { kind: "unshown", block: "protected_request", name: "CI", attributes: ["ip", "path"] },
    { kind: "unshown", block: "expectation", provider: "auth0.eu" },
  ],
  blind: [
    { kind: "blind", names: ["sanctions"], because: [{ is: "tenant" }] },
    { kind: "blind", names: ["a", "b", "c"], because: [{ is: "tenant" }, { is: "part of a stack", part: "module.a" }] },
  ],
  rules: (["added", "changed", "removed", "refused"] as const).map((change) => ({
    kind: "rules",
    file: "rules.json",
    change,
    row: "auth0_client name any",
    ...(change !== "added" && { was: { level: "high", text: "A." } }),
    ...(change !== "removed" && { is: { level: "none", text: "our reason" } }),
  })),
  unreviewed: (["create", "destroy", "replace", "update", "run", "unknown"] as const).map((change, index) => ({
    kind: "unreviewed",
    address: "auth0_flow.f",
    change,
    paths: agents.concat("f", "g").slice(0, 2 * index),
  })),
};

const isDoubted = (kind: string) => ["outcome", "logging", "members", "limit", "lockout", "statement"].includes(kind);
const worded = (facts: Facts, more: Partial<Effect> = {}) =>
  `${facts.kind}: ${sentence(effect("TNF-REPLACED" as Code, facts, more))}`;

test("each kind of facts, with one value and several, none, unknown and sensitive ones", () => {
  const lines = Object.values(shapes).flatMap((all: readonly Facts[]) =>
    all.flatMap((facts, index) =>
      // The doubts of a few shapes are enough to see their words.
      [undefined, ...(isDoubted(facts.kind) && index < 4 ? [doubt, twoDoubts] : [])].map((more) => worded(facts, more)),
    ),
  );
  const open: Partial<Effect> = { assumptions: [{ is: "open attributes", attributes: ["members"] }] };
  const cause = { address: "acl.a", change: { kind: "changed", attributes: [] } } as const;
  lines.push(
    worded({ ...group, mayLose: 3 }, open),
    worded({ ...group, mayLose: null, before: null }, { assumptions: doubt.assumptions }),
    worded({ ...group, mayGain: true }, open),
    worded({ ...group, stays: ada }, { cause: [cause] }),
  );
  expect(`\n${[...new Set(lines)].join("\n")}\n`).toMatchSnapshot();
  const lost = effect("TNF-MEMBERS-REMOVED", { ...group, loses: two });
  expect([brief(lost), who(lost)]).toEqual(['2 of 8 members lose access to "Acme" (org_1).', "ada, bob"]);
});
