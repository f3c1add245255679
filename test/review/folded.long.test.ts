/** Folds the reviews of many tenants: 40 with three outliers, and a comment for 400. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import type { Values } from "../../src/impact/model";
import { approvedFor, compareWithApproved, readApproved } from "../../src/review/approved";
import { foldedReviews, groupsOf } from "../../src/review/folded";
import { toJsonOfMany } from "../../src/review/json";
import { toMarkdown } from "../../src/review/render/markdown";
import { parsePlan } from "../../src/review/input/plan";
import { reviewTenant, tenantsIn, type TenantReview } from "../../src/review/tenants";
import { toText } from "../../src/review/render/text";
import { acl, allow, block, change, planText, policy } from "./support/plan";
import { faultOf } from "./support/schema";

const planOf = (domain: string, changes: readonly Values[], more: Values = {}) =>
  parsePlan(
    planText(changes, {
      ...more,
      configuration: {
        provider_config: { tenant: { name: "tenant", expressions: { domain: { constant_value: domain } } } },
        root_module: { resources: changes.map(({ address }) => ({ address, provider_config_key: "tenant" })) },
      },
    }),
    domain,
  );

const reviewed = (
  plans: readonly (readonly [name: string, changes: readonly Values[], more?: Values])[],
): TenantReview[] =>
  tenantsIn(plans.map(([name, changes, more]) => ({ name, plan: planOf(`${name}.example`, changes, more) }))).map(
    (tenant) => reviewTenant(tenant, {}),
  );

const office = (name: string, cidr: string) =>
  acl(10, { action: block, match: { ipv4_cidrs: [cidr] } }, { id: `acl_${name}` });
const widening = (name: string, to = "203.0.112.0/23") =>
  change("tenant_network_acl.office", office(name, "203.0.113.0/24"), office(name, to));
const other = (name: string, priority: number) =>
  acl(priority, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { id: `acl_other_${name}` });
const kept = (values: Values) => change("tenant_network_acl.other", values, values);

const names = Array.from({ length: 40 }, (_, index) => `t${index + 1}`);
const rendered = (tenants: readonly TenantReview[]) => {
  const { lead, reviews } = foldedReviews(tenants)!;
  return { text: toText(reviews, lead), markdown: toMarkdown(reviews, { tag: "t", at: new Date(0), lead }) };
};

test("38 of 40 tenants fold, although their other ACLs differ, and outliers say what differs", () => {
  const tenants = reviewed(
    names.map((name, index) => {
      if (name === "t7") return [name, [widening(name, "203.0.112.0/24")]];
      // An ACL that is evaluated first gives the same change another effect.
      if (name === "t9")
        return [
          name,
          [
            widening(name),
            kept(acl(1, { action: allow, match: { ipv4_cidrs: ["203.0.112.0/25"] } }, { id: `acl_first_${name}` })),
          ],
        ];
      return [name, index % 2 === 0 ? [widening(name)] : [widening(name), kept(other(name, index))]];
    }),
  );
  const { text, markdown } = rendered(tenants);
  expect(text).toMatch(/^38 of 40 tenants: the same effect\.\n/);
  // Once for the 38 tenants, twice for t7, and once for t9.
  expect(text.match(/tenant_network_acl.office changes its rule/g)).toHaveLength(4);
  expect(markdown).toContain("**38 of 40 tenants: the same effect.**");
  expect(text).toContain("Review of t7");
  expect(text).toMatch(/Differs from most tenants\n.*Most tenants: .* This tenant: /);
  expect(text).toContain(
    "A request such as /api/v2/ from 203.0.112.7. Most tenants: allowed becomes blocked. This tenant: stays allowed.",
  );
});

test("the JSON folds too: one review for each effect, every tenant by name, and the unchanged ones counted", async () => {
  const plans = names.map((name, index): [string, Values[]] => {
    if (name === "t7") return [name, [widening(name, "203.0.112.0/24")]];
    return [name, [index < 38 ? widening(name) : kept(other(name, 5))]];
  });
  const json = toJsonOfMany(reviewed(plans)) as Folded;
  expect(faultOf(json)).toBeUndefined();
  expect(json.format_version).toBe("1.0");
  expect(json.groups.map(({ count, unchanged, review }) => [count, unchanged, review])).toEqual([
    [37, false, "t1"],
    [1, false, "t7"],
    [2, true, "t39"],
  ]);
  expect(json.plans.map(({ name }) => name)).toEqual(["t1", "t7", "t39"]);
  expect(json.groups.flatMap(({ tenants }) => tenants)).toHaveLength(40);
  expect(json.groups[1]!.tenants).toEqual([
    { name: "t7", tenant: { name: "t7.example", certain: true, source: "constant" } },
  ]);
  expect(json.groups[1]!.differences.join()).toContain(
    "Most tenants: stays blocked. This tenant: blocked becomes allowed",
  );
  expect(json.groups[0]!.differences).toEqual([]);
  const file = path.join(mkdtempSync(path.join(tmpdir(), "folded-")), "review.json");
  writeFileSync(file, JSON.stringify(json));
  const approved = await readApproved(file, { stdin: Readable.from([]), environment: {} });
  const verdicts = (fresh: typeof plans) =>
    new Map(compareWithApproved(approved, reviewed(fresh)).map(({ name, verdict }) => [name, verdict]));
  expect(new Set(verdicts(plans).values())).toEqual(new Set(["same"]));
  const harmful = plans.map(([name, changes]): [string, Values[]] =>
    name === "t20" ? [name, [widening(name, "203.0.112.0/24")]] : [name, changes],
  );
  expect([...verdicts(harmful)].filter(([, verdict]) => verdict !== "same")).toEqual([["t20", "different"]]);
  // The job of one tenant has the plan of that tenant alone.
  const [own] = reviewed(plans.filter(([name]) => name === "t20"));
  expect(compareWithApproved(approvedFor(approved, "t20.example"), [own!])).toMatchObject([{ verdict: "same" }]);
  expect(compareWithApproved(approvedFor(approved, "t7.example"), [own!])).toMatchObject([
    { verdict: "different", promotion: { from: "t7.example", to: "t20.example" } },
  ]);
});

interface Folded {
  readonly format_version: string;
  readonly groups: readonly {
    readonly count: number;
    readonly unchanged: boolean;
    readonly review: string;
    readonly tenants: readonly object[];
    readonly differences: readonly string[];
  }[];
  readonly plans: readonly { readonly name: string }[];
}

test("counts the tenants that nothing changes, and shows no review of them", () => {
  const tenants = reviewed(names.map((name, index) => [name, [index < 3 ? widening(name) : kept(other(name, 5))]]));
  const { text } = rendered(tenants);
  expect(text).toMatch(/^3 of 40 tenants: the same effect\.\n37 of 40 tenants: nothing changes\.\n/);
  expect(text).not.toContain("Nothing changes for any request");
});

test("tenants with something unknown never fold, not even if their plans are equal", () => {
  const marked = (name: string) =>
    change("tenant_network_acl.office", office(name, "203.0.113.0/24"), office(name, "203.0.112.0/23"), {
      sensitive: { rule: true },
    });
  const groups = groupsOf(reviewed(names.slice(0, 3).map((name) => [name, [marked(name)]])));
  expect(groups.map(({ tenants }) => tenants.length)).toEqual([1, 1, 1]);
  const cut = groupsOf(reviewed(names.slice(0, 2).map((name) => [name, [], { complete: false }])));
  expect(cut.map(({ isUnchanged }) => isUnchanged)).toEqual([false, false]);
});

test("a tenant with another effect does not fold away", () => {
  const drift = {
    resource_drift: [change("tenant_network_acl.office", office("t2", "192.0.2.0/24"), office("t2", "203.0.113.0/24"))],
  };
  const groups = groupsOf(
    reviewed([
      ["t1", [widening("t1")]],
      ["t2", [widening("t2")], drift],
      ["t3", [widening("t3")]],
    ]),
  );
  expect(groups.map(({ tenants }) => tenants.map(({ whole }) => whole.name))).toEqual([["t1", "t3"], ["t2"]]);
});

test("tenants with other results of a probe do not fold", () => {
  const plans = [
    ["t1", [widening("t1")]],
    ["t2", [widening("t2"), kept(other("t2", 1))]],
    ["t3", [widening("t3")]],
  ] as const;
  const probe = { name: "partner", ip: "198.51.100.7" };
  const closed = change(
    "tenant_network_acl.rest",
    acl(90, { action: block, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { id: "acl_rest" }),
    acl(90, { action: block, match: { ipv4_cidrs: ["198.51.100.0/24"] } }, { id: "acl_rest" }),
  );
  const tenants = tenantsIn(
    plans.map(([name, changes]) => ({
      name,
      plan: planOf(`${name}.example`, name === "t3" ? [...changes, closed] : changes),
    })),
  );
  const reviews = tenants.map((tenant) => reviewTenant(tenant, { probes: [probe] }));
  expect(groupsOf(reviews).map(({ tenants: own }) => own.map(({ whole }) => whole.name))).toEqual([
    ["t1", "t2"],
    ["t3"],
  ]);
});

test("another limit is another effect", () => {
  const limit = (name: string, before: number) =>
    change(
      "tenant_rate_limit_policy.p",
      { id: `rlp_${name}`, ...policy("default", { action: "block", limit: before }) },
      { id: `rlp_${name}`, ...policy("default", { action: "block", limit: 10 }) },
    );
  const groups = groupsOf(
    reviewed([
      ["t1", [limit("t1", 50)]],
      ["t2", [limit("t2", 60)]],
      ["t3", [limit("t3", 50)]],
    ]),
  );
  expect(groups.map(({ tenants }) => tenants.length)).toEqual([2, 1]);
});

test("the comment keeps its limit for 400 tenants that all differ, and names the counts first", () => {
  const many = Array.from({ length: 400 }, (_, index) => `tenant-${index}`);
  const tenants = reviewed(
    many.map((name, index) => [name, index < 200 ? [widening(name)] : [widening(name, `203.0.112.${index - 200}/32`)]]),
  );
  const { markdown } = rendered(tenants);
  expect(markdown.length).toBeLessThan(60_000);
  expect(markdown).toContain("**200 of 400 tenants: the same effect.**");
  expect(markdown).toMatch(/181 more tenants have other effects, none graver than those shown/);
});
