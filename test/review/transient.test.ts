/** Checks what a review says about states that an apply passes, for plans of both providers. */
import type { Finding } from "../../src/impact/finding";
import type { Values } from "../../src/impact/model";
import type { BaseGuard } from "../../src/review/protect";
import { toJson } from "../../src/review/json";
import { toMarkdown } from "../../src/review/markdown";
import { reviewPlans, type Review } from "../../src/review/review";
import { acl, allow, block, change, members, plan, policy } from "./support/plan";

const runner = "198.51.100.10";
const office = (priority: number, more: Values = {}) =>
  acl(priority, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { id: "acl_office", ...more });
const wall = (priority: number, more: Values = {}) =>
  acl(priority, { action: block, match_all: true }, { id: "acl_wall", ...more });
const sanctions = (priority: number, more: Values = {}) =>
  acl(priority, { action: block, match: { geo_country_codes: ["KP", "IR"] } }, { id: "acl_sanctions", ...more });
const fresh = { id: null };
const newId = { unknown: { id: true } };
const replaced = { ...newId, actions: ["delete", "create"] };

const protect: BaseGuard = {
  file: "base.json",
  strength: "error",
  requests: [{ called: "CI", facts: { ip: runner } }],
};

const reviewOf = (
  changes: readonly Values[],
  { more = {} as Values, base = [] as readonly BaseGuard[] } = {},
): Review => reviewPlans("plan", [plan(changes, more)], { protect: base });

const transientsIn = ({ findings }: Review): Finding[] =>
  findings.filter(({ code }) => code.startsWith("TF-TRANSIENT"));

const go = (name: string) => `auth0_network_acl.${name}`;
const own = (name: string) => `tenant_network_acl.${name}`;
const guarded = {
  configuration: {
    provider_config: {
      tenant: {
        name: "tenant",
        expressions: { protected_requests: [{ name: { constant_value: "CI" }, ip: { constant_value: runner } }] },
      },
    },
  },
};

const lockouts: [string, (at: (name: string) => string) => readonly Values[]][] = [
  [
    "moves an allow and a wall",
    (at) => [change(at("office"), office(10), office(95)), change(at("wall"), wall(90), wall(99))],
  ],
  [
    "replaces an allow",
    (at) => [change(at("office"), office(10), office(10, fresh), replaced), change(at("wall"), wall(99), wall(99))],
  ],
  [
    "renames an allow without moved",
    (at) => [
      change(at("office"), office(10), null),
      change(at("hq"), null, office(10, fresh), newId),
      change(at("wall"), wall(99), wall(99)),
    ],
  ],
  [
    "creates an allow and a wall",
    (at) => [change(at("office"), null, office(10, fresh), newId), change(at("wall"), null, wall(99, fresh), newId)],
  ],
  [
    "destroys an allow and a wall",
    (at) => [change(at("office"), office(10), null), change(at("wall"), wall(99), null)],
  ],
];

const dependsOn = (type: string) => ({
  configuration: {
    provider_config: guarded.configuration.provider_config,
    root_module: {
      resources: [{ address: `${type}.wall`, depends_on: [`${type}.office`] }, { address: `${type}.office` }],
    },
  },
});
/** The state holds the dependencies of the last apply. */
const heldDependsOn = (type: string, ...held: readonly [string, Values][]) => ({
  prior_state: {
    values: {
      root_module: {
        resources: held.map(([name, values]) => ({
          address: `${type}.${name}`,
          mode: "managed",
          type,
          values,
          ...(name === "wall" && { depends_on: [`${type}.office`] }),
        })),
      },
    },
  },
});

describe.each(lockouts)("a plan that %s", (name, changesAt) => {
  test("may lock out Terraform on the way with the Go provider", () => {
    const found = transientsIn(reviewOf(changesAt(go)));
    expect(found).toEqual([
      expect.objectContaining({ code: "TF-TRANSIENT-LOCKOUT", address: go("office") }) as Finding,
    ]);
    expect(found[0]!.text).toMatch(
      /^For a moment during the apply, the plan (may block|blocks) the Management API for 198\.51\.100\.0\/24/,
    );
    expect(found[0]!.level).toBe(name === "replaces an allow" ? "critical" : "high");
  });

  test("may block a protected request on the way with the Go provider", () => {
    const found = transientsIn(reviewOf(changesAt(go), { base: [protect] }));
    expect(found.map(({ code }) => code)).toEqual(["TF-TRANSIENT-LOCKOUT"]);
    expect(found[0]!.text).toMatch(
      /^For a moment during the apply, "ACL \d+" \(priority \d+\) (may block|blocks) the request "CI" of protected_requests\./,
    );
  });

  test("locks nobody out with the provider tenant, which holds back such writes", () => {
    expect(transientsIn(reviewOf(changesAt(own)))).toEqual([]);
    expect(transientsIn(reviewOf(changesAt(own), { more: guarded, base: [protect] }))).toEqual([]);
  });

  test("may lock out with the provider tenant if its guard only warns, or does not know the request", () => {
    const weak = {
      configuration: {
        provider_config: { tenant: { name: "tenant", expressions: { lockout_guard: { constant_value: "warn" } } } },
      },
    };
    expect(transientsIn(reviewOf(changesAt(own), { more: weak })).map(({ code }) => code)).toEqual([
      "TF-TRANSIENT-LOCKOUT",
    ]);
    expect(transientsIn(reviewOf(changesAt(own), { base: [protect] })).map(({ code }) => code)).toEqual([
      "TF-TRANSIENT-LOCKOUT",
    ]);
  });
});

test("names the objects, their moment and a remedy", () => {
  const [, changesAt] = lockouts[0]!;
  expect(transientsIn(reviewOf(changesAt(go)))[0]!.text).toBe(
    "For a moment during the apply, the plan may block the Management API for 198.51.100.0/24 (256 addresses). This happens while " +
      "auth0_network_acl.office is changed already and auth0_network_acl.wall is not changed yet. Terraform may then be locked out, and " +
      "can neither finish the apply nor undo it. First apply the change of auth0_network_acl.wall alone, with `-target`, and then the rest.",
  );
});

test("follows depends_on when the Go provider creates an allow and a wall", () => {
  const [, changesAt] = lockouts[3]!;
  expect(transientsIn(reviewOf(changesAt(go), { more: dependsOn("auth0_network_acl") }))).toEqual([]);
  expect(transientsIn(reviewOf(changesAt(go)))[0]!.text).toContain(
    "Name auth0_network_acl.office in `depends_on` of auth0_network_acl.wall.",
  );
});

test("follows the dependencies in the state when the Go provider destroys an allow and a wall", () => {
  const [, changesAt] = lockouts[4]!;
  const more = heldDependsOn("auth0_network_acl", ["office", office(10)], ["wall", wall(99)]);
  expect(transientsIn(reviewOf(changesAt(go), { more }))).toEqual([]);
});

test.each([
  [
    "replaces a block",
    [change(go("s"), sanctions(10), sanctions(10, fresh), replaced)],
    "opens",
    "auth0_network_acl.s is destroyed and not created again yet",
  ],
  [
    "renames a block without moved",
    [change(go("s"), sanctions(10), null), change(go("t"), null, sanctions(10, fresh), newId)],
    "may open",
    "auth0_network_acl.s is destroyed already and auth0_network_acl.t is not created yet",
  ],
  [
    "replaces a block of the provider tenant",
    [change(own("s"), sanctions(10), sanctions(10, fresh), replaced)],
    "opens",
    "tenant_network_acl.s is destroyed and not created again yet",
  ],
  [
    "moves countries to another block",
    [
      change(
        own("s"),
        sanctions(10),
        acl(10, { action: block, match: { geo_country_codes: ["CU"] } }, { id: "acl_sanctions" }),
      ),
      change(
        own("t"),
        acl(20, { action: block, match: { geo_country_codes: ["CU"] } }),
        acl(20, { action: block, match: { geo_country_codes: ["KP", "IR", "CU"] } }),
      ),
    ],
    "may open",
    "tenant_network_acl.s is changed already and tenant_network_acl.t is not changed yet",
  ],
] as const)("finds requests that are open for a moment in a plan that %s", (_, changes, verb, moment) => {
  const review = reviewOf(changes);
  expect(transientsIn(review)).toEqual([
    expect.objectContaining({ code: "TF-TRANSIENT-OPEN", level: "medium" }) as Finding,
  ]);
  const [{ text }] = transientsIn(review) as [Finding];
  expect(text).toContain(
    `the plan ${verb} sign-in, the Management API and client registration to about 1.4 % of the world: everyone in Iran (IR) and North Korea (KP). This happens while ${moment}.`,
  );
  expect(review.verdict.summary[0]).toBe(`● ${text}`);
  expect(review.verdict.level).toBe("medium");
});

test("finds requests that are open while the provider tenant swaps an allow and a block", () => {
  const vip = (priority: number, codes: readonly string[]) =>
    acl(priority, { action: allow, match: { geo_country_codes: codes } }, { id: "acl_vip" });
  const swap = [
    change(own("s"), sanctions(10), sanctions(20)),
    change(own("vip"), vip(20, ["IR", "DE"]), vip(10, ["DE"])),
  ];
  const [{ text, level }] = transientsIn(reviewOf(swap)) as [Finding];
  expect(text).toContain(
    "may open sign-in, the Management API and client registration to about 1.4 % of the world: everyone in Iran (IR). This happens while tenant_network_acl.s waits at a free priority and tenant_network_acl.vip is not changed yet.",
  );
  expect(level).toBe("medium");
  // The same swap between two blocks leaves none of them out.
  const other = (priority: number) =>
    acl(priority, { action: block, match: { geo_country_codes: ["CU"] } }, { id: "acl_other" });
  expect(
    transientsIn(reviewOf([change(own("s"), sanctions(10), sanctions(20)), change(own("o"), other(20), other(10))])),
  ).toEqual([]);
});

test("finds requests with named facts that are open for a moment", () => {
  const bots = (more: Values = {}) => acl(5, { action: block, match: { user_agents: ["curl"] } }, more);
  const [{ text }] = transientsIn(reviewOf([change(go("bots"), bots(), bots(fresh), replaced)])) as [Finding];
  expect(text).toContain(
    "the plan opens sign-in, the Management API and client registration to requests with user agent curl.",
  );
});

test("shows no value that the plan marks as sensitive", () => {
  const secret = { rule: { match: { ipv4_cidrs: true } } };
  const net = (more: Values = {}) => acl(5, { action: block, match: { ipv4_cidrs: ["203.0.113.0/24"] } }, more);
  const changes = [change(go("net"), net(), net(fresh), { ...replaced, sensitive: secret })];
  const [{ text }] = transientsIn(reviewOf(changes)) as [Finding];
  expect(text).toContain("the plan opens sign-in, the Management API and client registration to (sensitive).");
  expect(JSON.stringify(toJson(reviewOf(changes)))).not.toContain("203.0.113");
});

const limit = (number: number, selector = "third_party_clients") =>
  policy(selector, { action: "block", limit: number });

test("finds limits that are missing for a moment", () => {
  const at = (name: string) => `auth0_rate_limit_policy.${name}`;
  const all = change(at("all"), limit(80, "default"), limit(80, "default"));
  const one = [change(at("p"), limit(5), limit(5), replaced)];
  const renamed = [change(at("p"), limit(5), null), change(at("q"), null, limit(9), newId)];
  const textOf = (changes: readonly Values[]) =>
    transientsIn(reviewOf(changes)).map(({ level, text }) => [level, text.split(" This ")[0]]);
  expect(textOf(one)).toEqual([
    ["low", "For a moment during the apply, requests of third_party_clients have no limit."],
  ]);
  expect(textOf(renamed)).toEqual([
    ["low", "For a moment during the apply, requests of third_party_clients may have no limit."],
  ]);
  expect(textOf([...one, all])).toEqual([
    [
      "low",
      "For a moment during the apply, requests of third_party_clients have only the default limit (block above 80/s (default)).",
    ],
  ]);
  expect(textOf([change(at("p"), limit(5), limit(9))])).toEqual([]);
});

test("finds members that the Go provider removes for a moment", () => {
  const people = Array.from({ length: 11 }, (_, index) => `auth0|${index}`);
  const levelsOf = (type: string, ids: readonly string[]) =>
    transientsIn(reviewOf([change(`${type}.staff`, members("org_1", ids), members("org_1", ids), replaced)])).map(
      ({ code, level, text }) => [code, level, text.split(" This ")[0]],
    );
  expect(levelsOf("auth0_organization_members", people)).toEqual([
    ["TF-TRANSIENT-LOCKOUT", "medium", "For a moment during the apply, 11 members of org_1 lose access."],
  ]);
  expect(levelsOf("auth0_organization_members", people.slice(0, 1))).toEqual([
    ["TF-TRANSIENT-LOCKOUT", "low", "For a moment during the apply, 1 member of org_1 loses access."],
  ]);
  expect(levelsOf("tenant_organization_member_set", people)).toEqual([]);
});

test("keeps a lesser effect for a moment out of the verdict if something lasting changes", () => {
  const draft = (active: boolean) => acl(50, { action: block, match: { geo_country_codes: ["CN"] } }, { active });
  const changes = [
    change(go("s"), sanctions(10), sanctions(10, fresh), replaced),
    change(go("draft"), draft(false), draft(true)),
  ];
  const review = reviewOf(changes);
  expect(transientsIn(review).map(({ level }) => level)).toEqual(["medium"]);
  expect(review.verdict.summary.join()).not.toContain("For a moment");
  expect(toMarkdown([review], { tag: "plan", at: new Date(0) })).toContain("For a moment during the apply");
});

test.each<[string, readonly Values[]]>([
  [
    "one update",
    [
      change(
        go("s"),
        sanctions(10),
        acl(10, { action: block, match: { geo_country_codes: ["KP"] } }, { id: "acl_sanctions" }),
      ),
    ],
  ],
  ["a first block", [change(go("s"), null, sanctions(10, fresh), newId)]],
  [
    "several blocks that are created",
    [
      change(go("s"), null, sanctions(10, fresh), newId),
      change(go("t"), null, acl(20, { action: block, match: { asns: [64500] } }, fresh), newId),
    ],
  ],
  [
    "blocks that are destroyed",
    [change(go("s"), sanctions(10), null), change(go("t"), acl(20, { action: block, match: { asns: [64500] } }), null)],
  ],
  [
    "a block that is created before the old one is destroyed",
    [change(go("s"), sanctions(10), sanctions(11, fresh), { ...newId, actions: ["create", "delete"] })],
  ],
  [
    "a replaced block before a wall",
    [change(go("s"), sanctions(10), sanctions(10, fresh), replaced), change(go("wall"), wall(99), wall(99))],
  ],
  [
    "ACLs that all move by one priority",
    [
      change(go("s"), sanctions(10), sanctions(11)),
      change(
        go("vip"),
        acl(11, { action: allow, match: { geo_country_codes: ["IR"] } }),
        acl(12, { action: allow, match: { geo_country_codes: ["IR"] } }, { id: "acl_11" }),
      ),
    ],
  ],
  [
    "new descriptions",
    [
      change(go("s"), sanctions(10), sanctions(10, { description: "x" })),
      change(go("wall"), wall(99), wall(99, { description: "y" })),
    ],
  ],
  [
    "a replaced inactive ACL",
    [change(go("s"), sanctions(10, { active: false }), sanctions(10, { ...fresh, active: false }), replaced)],
  ],
])("finds nothing for a moment in a plan with %s", (_, changes) => {
  expect(transientsIn(reviewOf(changes, { base: [] }))).toEqual([]);
  expect(transientsIn(reviewOf(changes, { base: [protect] }))).toEqual([]);
});
