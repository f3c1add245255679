/** Checks what a review says about the state in which one object is missing, for plans of both providers. */
import type { Effect } from "../../src/impact/effect";
import type { Values } from "../../src/impact/model";
import type { BaseGuard } from "../../src/review/base";
import { toJson } from "../../src/review/json";
import { toMarkdown } from "../../src/review/render/markdown";
import { reviewPlans, type Review } from "../../src/review/review";
import { acl, allow, block, change, members, plan, policy } from "./support/plan";

const runner = "198.51.100.10";
const office = (priority: number, more: Values = {}) =>
  acl(priority, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { id: "acl_office", ...more });
const wall = (priority: number, more: Values = {}) =>
  acl(priority, { action: block, match_all: true }, { id: "acl_wall", ...more });
const sanctions = (priority: number, more: Values = {}, codes = ["KP", "IR"]) =>
  acl(priority, { action: block, match: { geo_country_codes: codes } }, { id: "acl_sanctions", ...more });
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

const transientsIn = ({ effects }: Review): Effect[] => effects.filter(({ code }) => code.startsWith("TNF-TRANSIENT"));
const shown = (changes: readonly Values[], options: Parameters<typeof reviewOf>[1] = {}) =>
  transientsIn(reviewOf(changes, options)).map(({ code, level, text }) => [
    code,
    level,
    text.split(" This happens")[0],
  ]);

const go = (name: string) => `auth0_network_acl.${name}`;
const own = (name: string) => `tenant_network_acl.${name}`;
const guarded = (more: Values = {}) => ({
  configuration: {
    provider_config: {
      tenant: {
        name: "tenant",
        expressions: {
          protected_request: [{ name: { constant_value: "CI" }, ip: { constant_value: runner } }],
          ...more,
        },
      },
    },
  },
});
const everywhere = "sign-in, the Management API and client registration";
const office256 = "198.51.100.0/24 (256 addresses)";

describe.each<[string, (at: (name: string) => string) => readonly Values[], string]>([
  [
    "replaces an allow before a wall",
    (at) => [change(at("office"), office(10), office(10, fresh), replaced), change(at("wall"), wall(99), wall(99))],
    "is destroyed and not created again yet",
  ],
  [
    "renames an allow before a wall without moved",
    (at) => [
      change(at("office"), office(10), null),
      change(at("hq"), null, office(10, fresh), newId),
      change(at("wall"), wall(99), wall(99)),
    ],
    "is destroyed and AT.hq is not created yet",
  ],
])("a plan that %s", (_name, changesAt, gap) => {
  const moment = (at: (name: string) => string) => `${at("office")} ${gap.replace("AT.hq", at("hq"))}`;
  const blocked = `For a moment during the apply, the plan blocks ${everywhere} for ${office256}.`;

  test("locks out Terraform for a moment with the Go provider", () => {
    const [lockout, ...others] = transientsIn(reviewOf(changesAt(go)));
    expect(lockout).toMatchObject({ code: "TNF-TRANSIENT-LOCKOUT", level: "critical", address: go("office") });
    expect(lockout!.text).toContain(
      `For a moment during the apply, while ${moment(go)}, "ACL 99" (priority 99) would block Terraform's request for a token: ` +
        "match_all matches every request. Terraform can then neither finish the apply nor undo it. ",
    );
    expect(others.at(-1)!.text.split(" This happens")[0]).toBe(blocked);
  });

  test("blocks a protected request of the base branch for a moment", () => {
    const found = transientsIn(reviewOf(changesAt(go), { base: [protect] }));
    expect(found.map(({ level }) => level)).toEqual(["critical", "critical", "low"]);
    expect(found[0]!.text).toContain(
      `while ${moment(go)}, "ACL 99" (priority 99) would block the protected request "CI"`,
    );
  });

  test("is refused by the provider tenant, whose guard knows the request", () => {
    expect(shown(changesAt(own), { more: guarded(), base: [protect] })).toEqual([]);
  });

  test("locks out with the provider tenant if its guard only warns", () => {
    const more = guarded({ lockout_guard: { constant_value: "warn" } });
    expect(transientsIn(reviewOf(changesAt(own), { more })).map(({ level }) => level)).toContain("critical");
  });
});

test("names the object, the moment and a remedy", () => {
  const changes = [change(go("s"), sanctions(10), sanctions(10, fresh), replaced)];
  const review = reviewOf(changes);
  const text =
    `For a moment during the apply, the plan opens ${everywhere} to about 1.4 % of the world: everyone in Iran (IR) and North Korea ` +
    "(KP). This happens while auth0_network_acl.s is destroyed and not created again yet. Write `lifecycle { create_before_destroy = " +
    "true }`, and give the new ACL another priority. If you do not want to replace the object, remove its taint or `-replace`.";
  expect(transientsIn(review)).toEqual([
    expect.objectContaining({ code: "TNF-TRANSIENT-OPEN", level: "medium", address: go("s"), text }) as Effect,
  ]);
  expect(review.verdict.summary[0]).toBe(`● ${text} [TNF-TRANSIENT-OPEN]`);
  expect(review.verdict.level).toBe("medium");
});

const opens = (who: string, level = "medium") => [
  ["TNF-TRANSIENT-OPEN", level, `For a moment during the apply, the plan opens ${everywhere} to ${who}.`],
];
const bothCountries = "about 1.4 % of the world: everyone in Iran (IR) and North Korea (KP)";
const bots = (more: Values = {}) => acl(5, { action: block, match: { user_agents: ["curl"] } }, more);
const net = (more: Values = {}) => acl(5, { action: block, match: { ipv4_cidrs: ["203.0.113.0/24"] } }, more);

test.each<[string, readonly Values[], unknown]>([
  [
    "replaces a block of the provider tenant",
    [change(own("s"), sanctions(10), sanctions(10, fresh), replaced)],
    opens(bothCountries),
  ],
  [
    "renames a block without moved",
    [change(go("s"), sanctions(10), null), change(go("t"), null, sanctions(10, fresh), newId)],
    opens(bothCountries),
  ],
  [
    "replaces a block by one that keeps a part",
    [change(go("s"), sanctions(10), sanctions(10, fresh, ["KP"]), replaced)],
    opens(bothCountries),
  ],
  [
    "replaces a block of named facts",
    [change(go("bots"), bots(), bots(fresh), replaced)],
    opens("requests with user agent curl"),
  ],
  [
    "replaces a sensitive block",
    [change(go("net"), net(), net(fresh), { ...replaced, sensitive: { rule: { match: { ipv4_cidrs: true } } } })],
    opens("(sensitive)", "low"),
  ],
  [
    "replaces a block by one of other requests",
    [change(go("s"), sanctions(10), sanctions(10, fresh, ["CU"]), replaced)],
    [],
  ],
  ["updates a block", [change(go("s"), sanctions(10), sanctions(10, {}, ["KP"]))], []],
  ["creates a block", [change(go("s"), null, sanctions(10, fresh), newId)], []],
  ["destroys a block", [change(go("s"), sanctions(10), null)], []],
  [
    "creates the new block before it destroys the old one",
    [change(go("s"), sanctions(10), sanctions(11, fresh), { ...newId, actions: ["create", "delete"] })],
    [],
  ],
  [
    "replaces a block before a wall",
    [change(go("s"), sanctions(10), sanctions(10, fresh), replaced), change(go("wall"), wall(99), wall(99))],
    [],
  ],
  [
    "replaces an inactive block",
    [change(go("s"), sanctions(10, { active: false }), sanctions(10, { ...fresh, active: false }), replaced)],
    [],
  ],
  ["swaps priorities", [change(go("s"), sanctions(10), sanctions(20)), change(go("o"), office(20), office(10))], []],
])("what is open for a moment in a plan that %s", (_what, changes, found) => {
  const review = reviewOf(changes);
  expect(shown(changes)).toEqual(found);
  if (JSON.stringify(found).includes("(sensitive)")) {
    expect(JSON.stringify(toJson(review))).not.toContain("203.0.113");
  }
});

const limit = (number: number, selector = "third_party_clients") =>
  policy(selector, { action: "block", limit: number });
const at = (name: string) => `auth0_rate_limit_policy.${name}`;
const usual = (number: number) => change(at("all"), limit(number, "default"), limit(number, "default"));
const moment = (text: string) => `For a moment during the apply, ${text}`;

test.each<[string, readonly Values[], unknown]>([
  [
    "is replaced",
    [change(at("p"), limit(5), limit(5), replaced)],
    [
      [
        "TNF-TRANSIENT-OPEN",
        "low",
        moment("the limit of third-party clients (5 requests/s) is removed, unless a default policy applies."),
      ],
    ],
  ],
  [
    "is created by another resource",
    [change(at("p"), limit(5), null), change(at("q"), null, limit(9), newId)],
    [
      [
        "TNF-TRANSIENT-OPEN",
        "low",
        moment("the limit of third-party clients (5 requests/s) is removed, unless a default policy applies."),
      ],
    ],
  ],
  [
    "is replaced next to a looser default",
    [change(at("p"), limit(5), limit(5), replaced), usual(80)],
    [["TNF-TRANSIENT-OPEN", "low", moment("third-party clients can send 80 requests/s each (the default), from 5.")]],
  ],
  [
    "is replaced next to a default that blocks",
    [change(at("p"), limit(5), limit(5), replaced), usual(0)],
    [["TNF-TRANSIENT-LOCKOUT", "medium", moment("third-party clients are blocked (limit 0, the default).")]],
  ],
  ["is replaced next to an equal default", [change(at("p"), limit(5), limit(5), replaced), usual(5)], []],
  ["is looser afterwards", [change(at("p"), limit(5), limit(90), replaced), usual(80)], []],
  ["changes in place", [change(at("p"), limit(5), limit(9))], []],
  ["is destroyed", [change(at("p"), limit(5), null)], []],
])("a limit that %s", (_what, changes, found) => {
  expect(shown(changes)).toEqual(found);
});

test.each<[string, string, number, unknown]>([
  [
    "many members",
    "auth0_organization_members",
    11,
    ["high", "all 11 members lose access to org_1, so nobody is left: auth0|0, auth0|1 and 9 more."],
  ],
  [
    "one member",
    "auth0_organization_members",
    1,
    ["high", "1 of 1 member loses access to org_1, so nobody is left: auth0|0."],
  ],
  ["a set of the provider tenant, which keeps them", "tenant_organization_member_set", 11, undefined],
])("members that lose access for a moment: %s", (_what, type, count, found) => {
  const people = Array.from({ length: count }, (_, index) => `auth0|${index}`);
  const one = (ids: readonly string[]) => [
    change(`${type}.staff`, members("org_1", people), members("org_1", ids), replaced),
  ];
  const [level, text] = (found ?? []) as string[];
  expect(shown(one(people))).toEqual(found ? [["TNF-TRANSIENT-LOCKOUT", level, moment(text!)]] : []);
  expect(shown(one(["auth0|new"]))).toEqual([]);
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

test("says which of more than ten missing ACLs were not compared", () => {
  const many = Array.from({ length: 11 }, (_, index) => {
    const one = acl(index + 1, { action: block, match: { asns: [64500 + index] } });
    return change(go(`a${index}`), one, { ...one, ...fresh }, replaced);
  });
  const found = transientsIn(reviewOf(many));
  expect(found.map(({ level }) => level).filter((level) => level === "info")).toHaveLength(1);
  expect(found.find(({ level }) => level === "info")!.text).toContain(
    "Not every request was compared for the moment while auth0_network_acl.a10 is destroyed and not created again yet.",
  );
});
