/** Checks what a review says about states that an apply passes, for plans of both providers. */
import type { Finding } from "../../src/impact/finding";
import type { Values } from "../../src/impact/model";
import type { BaseGuard } from "../../src/review/protect";
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

const reviewOf = (changes: readonly Values[], { more = {} as Values, base = [] as readonly BaseGuard[] } = {}): Review =>
  reviewPlans("plan", [plan(changes, more)], { protect: base });

const transientsIn = ({ findings }: Review): Finding[] => findings.filter(({ code }) => code.startsWith("TF-TRANSIENT"));

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
  ["moves an allow and a wall", (at) => [change(at("office"), office(10), office(95)), change(at("wall"), wall(90), wall(99))]],
  ["replaces an allow", (at) => [change(at("office"), office(10), office(10, fresh), replaced), change(at("wall"), wall(99), wall(99))]],
  ["renames an allow without moved", (at) => [change(at("office"), office(10), null), change(at("hq"), null, office(10, fresh), newId), change(at("wall"), wall(99), wall(99))]],
  ["creates an allow and a wall", (at) => [change(at("office"), null, office(10, fresh), newId), change(at("wall"), null, wall(99, fresh), newId)]],
  ["destroys an allow and a wall", (at) => [change(at("office"), office(10), null), change(at("wall"), wall(99), null)]],
];

test.each(lockouts)("warns of a lock-out on the way when the Go provider %s", (_, changesAt) => {
  for (const base of [[], [protect]]) {
    const found = transientsIn(reviewOf(changesAt(go), { base }));
    console.log(found.map(f=>`${f.code} ${f.level} ${f.address} ${f.text}`).join("\n"));
  }
  console.log(reviewOf(changesAt(go)).verdict.summary.join("\n"));
  expect(transientsIn(reviewOf(changesAt(own), { more: guarded, base: [protect] }))).toEqual([]);
  expect(transientsIn(reviewOf(changesAt(own)))).toEqual([]);
});
test("x", () => {
  for (const [name, changes] of [
    ["replaced", [change(go("s"), sanctions(10), sanctions(10, fresh), replaced)]],
    ["replaced ours", [change(own("s"), sanctions(10), sanctions(10, fresh), replaced)]],
    ["renamed", [change(own("s"), sanctions(10), null), change(own("t"), null, sanctions(20, fresh), newId)]],
    ["renamed2", [change(go("s"), sanctions(10), null), change(go("t"), null, sanctions(10, fresh), newId)]],
    ["swap", [change(own("s"), sanctions(10), sanctions(20)), change(own("w"), acl(20,{action:allow,match:{geo_country_codes:["IR"]}}), acl(10,{action:allow,match:{ipv4_cidrs:["10.0.0.0/8"]}},{id:"acl_20"}))]],
    ["swap go", [change(go("s"), sanctions(10), sanctions(20)), change(go("w"), acl(20,{action:allow,match:{geo_country_codes:["IR"]}}), acl(10,{action:allow,match:{ipv4_cidrs:["10.0.0.0/8"]}},{id:"acl_20"}))]],
    ["ua", [change(go("s"), acl(5,{action:block,match:{user_agents:["curl"]}}), acl(5,{action:block,match:{user_agents:["curl"]}}), replaced)]],
    ["policy", [change("auth0_rate_limit_policy.p", policy("third_party_clients", {action:"block",limit:5}), policy("third_party_clients", {action:"block",limit:5}), replaced)]],
    ["policy2", [change("auth0_rate_limit_policy.p", policy("third_party_clients", {action:"block",limit:5}), null),change("auth0_rate_limit_policy.q", null, policy("third_party_clients", {action:"block",limit:5}), newId)]],
    ["members", [change("auth0_organization_members.p", members("org_1", ["a","b"]), members("org_1", ["a","b"]), replaced)]],
  ] as const) {
    const r = reviewOf(changes);
    console.log(name, r.verdict.level, r.verdict.summary.join("\n"), "\n", transientsIn(r).map(f=>`${f.code} ${f.level} ${f.address} ${f.text}`).join("\n"));
  }
});
