/** Checks what a review says about the state in which one object is missing, for plans of both providers. */
import { worded } from "../impact/support/worded";
import { summaryOf } from "../../src/impact/words/verdict";
import { sentence } from "../../src/impact/words/words";
import type { Effect } from "../../src/impact/effect";
import type { Values } from "../../src/impact/model";
import { pagesOf } from "../../src/review/render/layout";
import { toMarkdown } from "../../src/review/render/markdown";
import type { Review } from "../../src/review/review";
import { acl, allow, block, change, configured, constant, kept, members, policy, reviewOf } from "./support/plan";

const runner = "198.51.100.10";
const office = (priority: number, more: Values = {}) =>
  acl(priority, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { id: "acl_office", ...more });
const wall = acl(99, { action: block, match_all: true }, { id: "acl_wall" });
const sanctions = (priority: number, more: Values = {}, codes = ["KP", "IR"]) =>
  acl(priority, { action: block, match: { geo_country_codes: codes } }, { id: "acl_sanctions", ...more });
const fresh = { id: null };
const newId = { unknown: { id: true } };
const replaced = { ...newId, actions: ["delete", "create"] };
const go = (name: string) => `auth0_network_acl.${name}`;
const own = (name: string) => `tenant_network_acl.${name}`;

const protect = [
  { file: "base.json", strength: "error" as const, requests: [{ called: "CI", facts: { ip: runner } }] },
];
const guarded = (more: Values = {}) =>
  configured({ tenant: { protected_request: [{ name: constant("CI"), ip: constant(runner) }], ...more } });

const transientsIn = ({ effects }: Review): Effect[] => effects.filter(({ code }) => code.startsWith("TNF-TRANSIENT"));
/** `ALL`: all APIs. */
const shown = (...options: Parameters<typeof reviewOf>) =>
  transientsIn(reviewOf(...options))
    .map(worded)
    .map(({ code, level, text }) => {
      const [first = ""] = text.replace("For a moment during the apply, ", "").split(" This happens");
      return `${code.slice("TNF-TRANSIENT-".length)} ${level} ${first.replace("sign-in, the Management API and client registration", "ALL")}`;
    });

describe.each<[string, (at: (name: string) => string) => readonly Values[], string]>([
  [
    "replaces an allow before a wall",
    (at) => [change(at("office"), office(10), office(10, fresh), replaced), kept(at("wall"), wall)],
    "is destroyed and not created again yet",
  ],
  [
    "renames an allow before a wall without moved",
    (at) => [
      change(at("office"), office(10), null),
      change(at("hq"), null, office(10, fresh), newId),
      kept(at("wall"), wall),
    ],
    "is destroyed and auth0_network_acl.hq is not created yet",
  ],
])("a plan that %s", (_name, changesAt, gap) => {
  const blocked = "LOCKOUT low the plan blocks ALL for 198.51.100.0/24 (256 addresses).";
  const lockout = (whose: string) =>
    expect.stringContaining(
      `LOCKOUT critical while ${go("office")} ${gap}, "ACL 99" (priority 99) would block ${whose}: match_all matches every request.`,
    );

  test.each<[string, typeof go, Values, typeof protect | [], unknown[]]>([
    ["the Go provider locks out Terraform", go, {}, [], [lockout("Terraform's request for a token"), blocked]],
    [
      "a protected request of the base branch is blocked too",
      go,
      {},
      protect,
      [lockout("Terraform's request for a token"), lockout('the protected request "CI"'), blocked],
    ],
    ["the guard of the provider tenant refuses it", own, guarded(), protect, []],
  ])("%s", (_what, at, more, base, found) => {
    expect(shown(changesAt(at), more, { protect: base }).toSorted()).toEqual(found);
  });

  test("locks out with the provider tenant if its guard only warns", () => {
    const levels = transientsIn(reviewOf(changesAt(own), guarded({ lockout_guard: constant("warn") })));
    expect(levels.map(({ level }) => level)).toContain("critical");
  });
});

test("names the object, the moment and a remedy, and leads if nothing lasting changes", () => {
  const replacing = change(go("s"), sanctions(10), sanctions(10, fresh), replaced);
  const review = reviewOf([replacing]);
  const text =
    "For a moment during the apply, the plan opens sign-in, the Management API and client registration to about 1.4 % of the world: " +
    "everyone in Iran (IR) and North Korea (KP). This happens while auth0_network_acl.s is destroyed and not created again yet. Write " +
    "`lifecycle { create_before_destroy = true }`, and give the new ACL another priority. If you do not want to replace the object, " +
    "remove its taint or `-replace`.";
  expect(transientsIn(review).map(worded)).toMatchObject([
    { code: "TNF-TRANSIENT-OPEN", level: "medium", address: go("s"), text },
  ]);
  expect({ ...review.verdict, summary: summaryOf(review.verdict) }).toMatchObject({
    level: "medium",
    summary: [`● ${text} [TNF-TRANSIENT-OPEN]`],
  });
  const draft = (active: boolean) => acl(50, { action: block, match: { geo_country_codes: ["CN"] } }, { active });
  const lasting = reviewOf([replacing, change(go("draft"), draft(false), draft(true))]);
  expect(summaryOf(lasting.verdict).join()).not.toContain("For a moment");
  expect(toMarkdown(pagesOf([lasting]), { tag: "plan", at: new Date(0) })).toContain("For a moment during the apply");
});

const opens = (who: string, level = "medium") => [`OPEN ${level} the plan opens ALL to ${who}.`];
const both = opens("about 1.4 % of the world: everyone in Iran (IR) and North Korea (KP)");
const net = (more: Values = {}) => acl(5, { action: block, match: { ipv4_cidrs: ["203.0.113.0/24"] } }, more);
const off = { active: false };
const limit = (number: number, selector = "third_party_clients") =>
  policy(selector, { action: "block", limit: number });
const rate = (name: string) => `auth0_rate_limit_policy.${name}`;
const usual = (number: number) => kept(rate("all"), limit(number, "default"));
const removed = [
  "OPEN low the limit of third-party applications (5 requests/s) is removed, unless a default policy applies.",
];
const people = (type: string, count: number, after?: readonly string[]) => {
  const all = Array.from({ length: count }, (_, index) => `auth0|${index}`);
  return change(`${type}.staff`, members("org_1", all), members("org_1", after ?? all), replaced);
};

test.each<[string, readonly Values[], readonly string[]]>([
  ["replaces a block", [change(own("s"), sanctions(10), sanctions(10, fresh), replaced)], both],
  [
    "renames a block without moved",
    [change(go("s"), sanctions(10), null), change(go("t"), null, sanctions(10, fresh), newId)],
    both,
  ],
  [
    "replaces a block by one that keeps a part",
    [change(go("s"), sanctions(10), sanctions(10, fresh, ["KP"]), replaced)],
    both,
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
    [change(go("s"), sanctions(10), sanctions(10, fresh), replaced), kept(go("wall"), wall)],
    [],
  ],
  [
    "replaces an inactive block",
    [change(go("s"), sanctions(10, off), sanctions(10, { ...fresh, ...off }), replaced)],
    [],
  ],
  ["swaps priorities", [change(go("s"), sanctions(10), sanctions(20)), change(go("o"), office(20), office(10))], []],

  ["replaces a limit", [change(rate("p"), limit(5), limit(5), replaced)], removed],
  ["renames a limit", [change(rate("p"), limit(5), null), change(rate("q"), null, limit(9), newId)], removed],
  [
    "replaces a limit next to a looser default",
    [change(rate("p"), limit(5), limit(5), replaced), usual(80)],
    ["OPEN low third-party applications can send 80 requests/s each (the default), from 5."],
  ],
  [
    "replaces a limit next to a default that blocks",
    [change(rate("p"), limit(5), limit(5), replaced), usual(0)],
    ["LOCKOUT medium third-party applications are blocked (limit 0, the default)."],
  ],
  ["replaces a limit next to an equal default", [change(rate("p"), limit(5), limit(5), replaced), usual(5)], []],
  ["replaces a limit by a looser one", [change(rate("p"), limit(5), limit(90), replaced), usual(80)], []],
  ["changes a limit", [change(rate("p"), limit(5), limit(9))], []],
  ["destroys a limit", [change(rate("p"), limit(5), null)], []],

  [
    "replaces a set of many members",
    [people("auth0_organization_members", 11)],
    ["LOCKOUT high all 11 members lose access to org_1, so nobody is left: auth0|0, auth0|1 and 9 more."],
  ],
  [
    "replaces a set of one member",
    [people("auth0_organization_members", 1)],
    ["LOCKOUT high 1 of 1 member loses access to org_1, so nobody is left: auth0|0."],
  ],
  ["replaces a set by one of others", [people("auth0_organization_members", 11, ["auth0|new"])], []],
  ["replaces a set of the provider tenant, which keeps them", [people("tenant_organization_member_set", 11)], []],
])("what is so for a moment in a plan that %s", (_what, changes, found) => {
  expect(shown(changes)).toEqual(found);
});

test("says which of more than ten missing ACLs were not compared", () => {
  const many = Array.from({ length: 11 }, (_, index) => {
    const one = acl(index + 1, { action: block, match: { asns: [64500 + index] } });
    return change(go(`a${index}`), one, { ...one, ...fresh }, replaced);
  });
  const notes = transientsIn(reviewOf(many)).filter(({ level }) => level === "info");
  expect(notes.map(sentence)).toEqual([
    expect.stringContaining(
      "Not every request was compared for the moment while auth0_network_acl.a10 is destroyed and not created again yet.",
    ),
  ]);
});
