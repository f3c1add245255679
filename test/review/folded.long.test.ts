/** Folds the reviews of many tenants: 8 with two outliers, and a comment with more tenants than it has room for. */
import type { Values } from "../../src/judge/impact/model";
import { foldedReviews, groupsOf } from "../../src/review/report/tenant-groups";
import { toJsonOfMany } from "../../src/review/report/json";
import { pagesOf } from "../../src/review/report/sections";
import { toMarkdown } from "../../src/review/report/markdown";
import { toText } from "../../src/review/report/text";
import { tenantsIn } from "../../src/review/input/tenants";
import { acl, allow, block, kept, policy } from "./support/objects";
import { change, configured, constant, plan, reviewTenant } from "./support/plan";
import { faultOf } from "./support/schema";
import type { TenantReview } from "../../src/review/judge/review";

type Planned = readonly [name: string, changes: readonly Values[], more?: Values];

const reviewed = (plans: readonly Planned[], options = {}): TenantReview[] =>
  tenantsIn(
    plans.map(([name, changes, more]) => ({
      name,
      plan: plan(changes, {
        ...more,
        ...configured(
          { tenant: { domain: constant(`${name}.example`) } },
          Object.fromEntries(changes.map(({ address }) => [String(address), "tenant"])),
        ),
      }),
    })),
  ).map((tenant) => reviewTenant(tenant, options));

const rule = (action: Values, cidr: string) => ({ action, match: { ipv4_cidrs: [cidr] } });
const office = (name: string, cidr: string) => acl(10, rule(block, cidr), { id: `acl_${name}` });
const widening = (name: string, to = "203.0.112.0/23", more = {}) =>
  change("tenant_network_acl.office", office(name, "203.0.113.0/24"), office(name, to), more);
const beside = (priority: number, action: Values, cidr: string) =>
  kept("tenant_network_acl.other", acl(priority, rule(action, cidr), { id: "acl_other" }));
const other = (priority: number) => beside(priority, allow, "198.51.100.0/24");

const names = Array.from({ length: 8 }, (_, index) => `t${index + 1}`);
const rendered = (tenants: readonly TenantReview[], most?: number) => {
  const { lead, reviews } = foldedReviews(tenants)!;
  const pages = pagesOf(reviews, lead);
  return {
    text: toText(pages),
    markdown: toMarkdown(pages, { tag: "t", at: new Date(0), ...(most !== undefined && { most }) }),
  };
};

test("6 of 8 tenants fold, although their other ACLs differ, and outliers say what differs", () => {
  const tenants = reviewed(
    names.map((name, index): Planned => {
      if (name === "t3") return [name, [widening(name, "203.0.112.0/24")]];
      // An ACL that is evaluated first gives the same change another effect.
      if (name === "t5") return [name, [widening(name), beside(1, allow, "203.0.112.0/25")]];
      return [name, index % 2 === 0 ? [widening(name)] : [widening(name), other(index)]];
    }),
  );
  const { text, markdown } = rendered(tenants);
  expect(text).toMatch(/^6 of 8 tenants: the same effects\.\n/);
  // Once for the 6 tenants, twice for t3, and once for t5.
  expect(text.match(/tenant_network_acl.office changes its rule/g)).toHaveLength(4);
  expect(markdown).toContain("**6 of 8 tenants: the same effects.**");
  expect(text).toContain("Review of t3");
  expect(text).toContain("- Only here: ");
  expect(text).toContain("- Not here: ");
});

test("the JSON folds too: one review for each effect, every tenant by name, and the unchanged ones counted", () => {
  const plans = names.map((name, index): Planned => {
    if (name === "t3") return [name, [widening(name, "203.0.112.0/24")]];
    return [name, [index < 6 ? widening(name) : other(5)]];
  });
  const json = toJsonOfMany(reviewed(plans)) as any;
  expect(faultOf(json)).toBeUndefined();
  expect(json.groups.map(({ count, unchanged, review }: any) => [count, unchanged, review])).toEqual([
    [1, false, "t3"],
    [5, false, "t1"],
    [2, true, "t7"],
  ]);
  expect(json.plans.map(({ name }: any) => name)).toEqual(["t3", "t1", "t7"]);
  expect(json.groups.flatMap(({ tenants }: any) => tenants)).toHaveLength(8);
  expect(json.groups[0].tenants).toMatchObject([
    { name: "t3", tenant: { name: "t3.example", source: "constant" }, changes: [{ actions: ["update"] }] },
  ]);
  expect(json.groups[0].differences.join()).toMatch(/^Only here: /);
});

const limited = (limit: number) => policy("default", { action: "block", limit });
const limit = (before: number) => change("tenant_rate_limit_policy.p", limited(before), limited(10));
const hidden = (name: string) => widening(name, undefined, { sensitive: { rule: true } });
const drift = {
  resource_drift: [change("tenant_network_acl.office", office("t2", "192.0.2.0/24"), office("t2", "203.0.113.0/24"))],
};

const same = (name: string): Planned => [name, [widening(name)]];

test.each<[string, readonly Planned[], readonly string[]]>([
  ["something unknown", ["t1", "t2", "t3"].map((name) => [name, [hidden(name)]]), ["t1 t2 t3"]],
  ["another effect", [same("t1"), ["t2", [widening("t2")], drift], same("t3")], ["t2", "t1 t3"]],
  ["another limit", [50, 60, 50].map((one, index) => [`t${index + 1}`, [limit(one)]]), ["t1 t3", "t2"]],
])("tenants with %s are one group only if their effects are equal", (_what, plans, folded) => {
  const groups = groupsOf(reviewed(plans));
  expect(groups.map(({ tenants }) => tenants.map(({ whole }) => whole.name).join(" "))).toEqual(folded);
});

test("a tenant whose plan is incomplete does not count as unchanged", () => {
  const cut = groupsOf(reviewed(["t1", "t2"].map((name) => [name, [], { complete: false }])));
  expect(cut.map(({ isUnchanged }) => isUnchanged)).toEqual([false]);
});

test("the comment keeps its limit for tenants that all differ, and names the counts first", () => {
  const { markdown } = rendered(
    reviewed(
      Array.from({ length: 24 }, (_, index): Planned => {
        const name = `tenant-${index}`;
        return [name, [widening(name, index < 4 ? undefined : `203.0.112.${index}/32`)]];
      }),
    ),
    9_000,
  );
  expect(markdown.length).toBeLessThan(9_000);
  expect(markdown).toContain("**4 of 24 tenants: the same effects.**");
  expect(markdown).toMatch(/1 more tenant has other effects, none of a higher level than those shown/);
});
