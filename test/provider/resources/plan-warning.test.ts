/** What a plan tells and refuses: warnings with the lines of the review, lock-outs of Terraform, and missing scopes; no entries, no names of people. */
import type { PlannedObject } from "../../../src/judge/impact/model";
import type { Client } from "../../../src/provider/resources/client";
import { missingScopes, noteScopes } from "../../../src/provider/resources/scopes";
import { createPlanRegistry } from "../../../src/provider/sdk/plan-registry";
import { eachTest } from "../../support/each-test";
import * as hcl from "../../support/hcl";
import { openWorkspace, unwrapped } from "../../support/workspace";
import { createVirtualClock } from "../sdk/support/clock";
import { memberIds, openReview, type Planned } from "./support/reviewing";

const review = eachTest(openReview);

const europe = ["AT", "BE", "CH", "DE", "DK", "ES", "FI", "FR", "GB", "IT", "NL", "NO", "PL", "PT", "SE"];
const outside = { action: { block: true }, not_match: { geo_country_codes: europe }, scope: "authentication" };
const small = { action: { block: true }, match: { ipv4_cidrs: ["198.51.100.0/24"] }, scope: "authentication" };

const acl = (priority: number, rule: object, more: object = {}) => ({
  description: `acl ${priority}`,
  active: true,
  priority,
  rule,
  ...more,
});
const create = (values: ReturnType<typeof acl>): Planned => ({ kind: "network_acl", config: values });
const update = (before: ReturnType<typeof acl>, after: ReturnType<typeof acl>): Planned => ({
  kind: "network_acl",
  prior: review.put("network_acl", before, String(before.priority)),
  config: after,
});

/** The warnings, without those of other checks. */
async function warningsOf(objects: readonly Planned[], block: object = {}, parallelism = 10) {
  const { errors, warnings } = await review.planAll(objects, { lockout_guard: "warn", ...block }, parallelism);
  expect(errors).toEqual([]);
  const others = /^(Early Access|This plan (may|leaves)|\d+ of \d+ members? )/;
  return warnings.filter(({ summary }) => !others.test(summary!));
}

const share =
  /^✖ Blocks sign-in, tokens( and client registration)? for about \d\d % of the world\. Network ACL "acl 1"/;

test("the title has the share of requests and the object", async () => {
  const [warning, ...more] = await warningsOf([update(acl(1, outside, { active: false }), acl(1, outside))]);
  expect(more).toEqual([]);
  expect(warning!.summary).toMatch(share);
  expect(warning!.summary).toContain("is switched on. [TNF-ACL-TIGHTENED]");
  expect(warning!.detail).toMatch(/^This is about the whole plan\.\n\nRun /);
});

test("shows no entries of rules, no names of people and no other values of rules", async () => {
  const organization = review.emulator.store.addOrganization({ name: "acme" }).id;
  review.emulator.store.addMembers(organization, memberIds(8));
  const set = { organization_id: organization, exclusive: true, remove_existing: false, on_destroy: "remove" };
  const redirect = { redirect: true, redirect_uri: "https://secret-host.example/secret-path" };
  const warnings = await warningsOf(
    [
      create(acl(1, { ...small, match: { user_agents: ["secret-agent"] } })),
      create(acl(2, { ...small, action: redirect, match: { geo_country_codes: ["US", "IR"] } })),
      update(
        acl(3, { ...small, match: { hostnames: ["secret.example"] } }),
        acl(3, { ...small, match: { ipv4_cidrs: ["198.51.0.0/16"] }, not_match: { asns: [64_511] } }),
      ),
      {
        kind: "organization_member_set",
        prior: { ...set, id: organization, members: memberIds(8) },
        config: { ...set, members: memberIds(2) },
      },
    ],
    { plan_warnings: "info" },
  );
  expect(warnings).toHaveLength(1);
  const text = warnings.map(({ summary, detail }) => `${summary}\n${detail}`).join("\n");
  expect(text).not.toMatch(/secret|198\.51|64511|\bIR\b|Iran|United States|auth0\|/);
  // The set itself reports who leaves.
  expect(text).not.toContain(organization);
  expect(text.match(/^(- )?[✖●○] /gm)!.length).toBeGreaterThan(3);
});

test("with plan_warnings off, says nothing; without the other ACLs of the tenant, says so", async () => {
  const objects = () => [update(acl(1, outside, { active: false }), acl(1, outside))];
  expect(await warningsOf(objects(), { plan_warnings: "off" })).toEqual([]);
  const [warning, ...more] = await warningsOf(objects(), { lockout_guard: "off" });
  expect(more).toEqual([]);
  expect(warning!.detail).toContain("The plan did not read the other network ACLs of the tenant.");
});

test("warns of Early Access once, and not with hide_early_access_warning", async () => {
  const policies = ["default", "cimd_clients"].map((consumer_selector): Planned => ({
    kind: "rate_limit_policy",
    config: { consumer_selector, configuration: { action: "block", limit: 10 } },
  }));
  const early = async (block: object) =>
    (await review.planAll(policies, block)).warnings.filter(({ summary }) => summary === "Early Access");
  expect(await early({})).toHaveLength(1);
  expect(await early({ hide_early_access_warning: true })).toEqual([]);
});

test("with one parallel call, each warning has only changes that no earlier warning listed", async () => {
  const warnings = await warningsOf([create(acl(1, outside)), create(acl(2, outside))], {}, 1);
  const listed = warnings.flatMap(({ detail }) => detail!.match(/^- .*/gm) ?? []);
  expect(new Set(listed).size).toBe(listed.length);
  expect(warnings[0]!.summary).toMatch(share);
});

test("Terraform shows the effects in a warning, and the plan makes no request for them", async () => {
  const workspace = await openWorkspace();
  const countries = ["US", "IN", "CN", "BR", "ID", "JP", "NG", "MX", "DE", "FR", "GB", "EG"];
  const first = hcl.acl("first", { scope: "authentication" });
  await workspace.apply(first);
  workspace.served();
  await workspace.write(`${first}
    provider "tenant" { lockout_guard = "warn" }
    ${hcl.acl("many", {
      action: "block",
      priority: "count.index + 1",
      match: `geo_country_codes = [${JSON.stringify(countries)}[count.index]]`,
      scope: "authentication",
      rest: "count = 12",
    })}`);
  const { output } = await workspace.plan();
  expect(workspace.served()).toHaveLength(1);
  const text = unwrapped(output);
  expect(text).toMatch(/Warning: ✖ Blocks sign-in, tokens and client registration for about \d\d % of the world\./);
  expect(text).toContain("Warning: More network ACLs than an Auth0 subscription includes");
});

test("shows a change from the level of plan_warnings, which is critical and high by default", async () => {
  const rule = { action: { block: true }, match: { ipv4_cidrs: ["10.0.0.0/8"] }, scope: "authentication" };
  const told = async (after: object) => {
    const found: number[] = [];
    for (const block of [{}, { plan_warnings: "info" }, { plan_warnings: "off" }])
      found.push((await warningsOf([update(acl(1, rule), acl(1, after))], { lockout_guard: "off", ...block })).length);
    return found;
  };
  expect(await told({ ...rule, action: { allow: true } })).toEqual([1, 1, 0]);
  expect(await told({ ...rule, match: { ipv4_cidrs: ["10.0.0.0/7"] } })).toEqual([0, 1, 0]);
  expect(await told({ ...rule, not_match: { ipv4_cidrs: ["192.0.2.0/24"] } })).toEqual([0, 0, 0]);
});

test("sees the host name of the tenant", async () => {
  const hosts = (side: string): Planned[] => [
    create(acl(1, { action: { block: true }, [side]: { hostnames: ["127.0.0.1"] }, scope: "management" })),
  ];
  expect((await review.planAll(hosts("not_match"))).errors).toEqual([]);
  expect((await review.planAll(hosts("match"))).errors).toMatchObject([
    { summary: expect.stringMatching(/ (may block|blocks) Terraform itself$/) as string },
  ]);
});

const open = () => createPlanRegistry({ clock: createVirtualClock(), phase: "plan" });
const object = (...actions: string[]): PlannedObject => ({ address: "", type: "tenant_network_acl", actions });

/** The scopes that one call of the plan reports. */
async function missing(
  planned: PlannedObject,
  granted: string[] | undefined,
  lacking = new Set<string>(),
  registry = open(),
) {
  const plan = registry.enter({ kind: "thing" });
  const client = { missing: lacking, tenant: { tokens: { scopes: async () => granted } } } as unknown as Client;
  await noteScopes(planned, { client, plan });
  return missingScopes(client, plan).flatMap(({ keys }) => keys);
}

test("does not judge a token that is not fetched yet or names no scopes", async () => {
  expect(await missing(object("create"), undefined)).toEqual([]);
});

test("reports a scope for one object of a plan", async () => {
  const [registry, lacking] = [open(), new Set<string>()];
  expect(await missing(object("delete"), [], lacking, registry)).toEqual(["delete:network_acls"]);
  registry.enter({ kind: "thing" }).reported.add("delete:network_acls");
  expect(await missing(object("delete"), [], lacking, registry)).toEqual([]);
});

test("fetches the token before the first object is created", async () => {
  const wrong = new Error("wrong secret");
  const tokens = { authorize: () => Promise.reject(wrong), scopes: async () => undefined };
  const demand = (planned: PlannedObject, phase?: "plan") => {
    const other = createPlanRegistry();
    other.touch(phase);
    return noteScopes(planned, {
      client: { tenant: { tokens } } as unknown as Client,
      plan: other.enter({ kind: "thing" }),
    });
  };
  await expect(demand(object("create"))).rejects.toBe(wrong);
  await demand(object("no-op"));
  await demand(object("create"), "plan");
});
