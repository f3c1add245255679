/** Plan notes describe the effect of a change to an existing object. */
import type { NetworkAclBody } from "../../src/tenant/network-acls";
import { openWorkspace, unwrapped } from "../support/workspace";
import { memberIds, openReview, type Planned, type Reviewing } from "./support/reviewing";

let review: Reviewing;
beforeEach(async () => {
  review = await openReview();
});
afterEach(() => review.close());

const rule = { action: { block: true }, match: { ipv4_cidrs: ["10.0.0.0/8"] }, scope: "authentication" };
const wide = { action: { allow: true }, match: { ipv4_cidrs: ["10.0.0.0/8"] }, scope: "authentication" };

let made = 0;
/** Adds an ACL to the tenant, and changes it. */
function changed(before: object, after: object, rest: { from?: object; to?: object } = {}): Planned {
  const priority = ++made;
  const id = `acl_${"1".repeat(19)}${String(100 + made).replaceAll("0", "A")}`;
  const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const body = { description: `acl ${made}`, active: true, priority, rule: before, ...rest.from };
  review.emulator.store.networkAcls.put({ id, ...times, ...(body as NetworkAclBody) });
  return {
    kind: "network_acl",
    prior: { id, ...times, ...body },
    config: { ...body, rule: after, ...rest.to },
  };
}

const told = async (objects: readonly Planned[], block: object = {}) => {
  const { errors, warnings } = await review.planAll(objects, block);
  expect(errors).toEqual([]);
  return warnings;
};
const summaries = async (objects: readonly Planned[], block: object = {}) =>
  (await told(objects, { lockout_guard: "off", ...block })).map(({ summary }) => summary);

test("shows a dangerous change by default, and a harmless one only with plan_warnings all", async () => {
  const allow = { ...rule, action: { allow: true } };
  const of = (...ipv4_cidrs: string[]) => ({ match: { ipv4_cidrs } });
  const office = of("192.0.2.0/24").match;
  const cases: [string, object, object, { from?: object; to?: object }?][] = [
    ["a block turned into an allow", rule, allow],
    ["a block turned into a log", rule, { ...rule, action: { log: true } }],
    ["an allow turned into a block", allow, rule],
    ["a block that loses a signal", { ...rule, match: { ...rule.match, geo_country_codes: ["DE"] } }, rule],
    ["a block that loses its exceptions", { ...rule, not_match: { asns: [1] } }, rule],
    ["a block that changes its scope", { ...rule, scope: "tenant" }, rule],
    ["a block of fewer addresses", rule, { ...rule, ...of("10.0.0.0/9", "10.128.0.0/10", "10.192.0.0/11") }],
    ["match turned into not_match", rule, { action: rule.action, not_match: rule.match, scope: rule.scope }],
    [
      "a block with one more exception",
      { ...rule, not_match: of("10.1.0.0/16").match },
      { ...rule, not_match: of("10.1.0.0/16", "10.2.0.0/16", "192.0.2.0/24").match },
    ],
    ["a block with an exception", rule, { ...rule, not_match: { asns: [1] } }],
    ["an allow of more", wide, { ...wide, ...of("10.0.0.0/7") }],
    ["an allow of a wider scope", wide, { ...wide, scope: "tenant" }],
    ["an allow that loses a signal", { ...wide, match: { ...wide.match, asns: [1] } }, wide],
    ["a block that is switched off", rule, rule, { to: { active: false } }],
    ["an allow that is switched on", wide, wide, { from: { active: false }, to: { active: true } }],
    ["another description", rule, rule, { to: { description: "other words" } }],
    ["a block of more", rule, { ...rule, ...of("10.0.0.0/7") }],
    ["an allow of less", wide, { ...wide, ...of("10.0.0.0/9") }],
    ["the same addresses as two CIDR blocks", wide, { ...wide, ...of("10.0.0.0/9", "10.128.0.0/9") }],
    ["an exception that matches no request", rule, { ...rule, not_match: office }],
    ["an inactive ACL", rule, wide, { from: { active: false } }],
    ["another priority", rule, rule, { to: { priority: 99 } }],
  ];
  const lines: string[] = [];
  for (const [what, before, after, rest] of cases) {
    review.emulator.reset();
    made = 0;
    const change = changed(before, after, rest);
    const usual = await summaries([change]);
    const all = usual.length > 0 ? usual : await summaries([change], { plan_warnings: "all" });
    lines.push(`${what}${usual.length > 0 ? "" : " (harmless)"}: ${all.join(" | ")}`);
  }
  const found = lines.join("\n").replaceAll(/"acl 1" \(acl_1+\w+\) /g, "");
  expect(found).toMatchInlineSnapshot(`
    "a block turned into an allow: Network ACL allows what it blocked, scope authentication, priority 1
    a block turned into a log: Network ACL logs what it blocked, scope authentication, priority 1
    an allow turned into a block: Network ACL blocks what it allowed, scope authentication, priority 1
    a block that loses a signal: Network ACL no longer has match.geo_country_codes, scope authentication, priority 1
    a block that loses its exceptions: Network ACL no longer has not_match.asns, scope authentication, priority 1
    a block that changes its scope: Network ACL scope authentication (was tenant), priority 1
    a block of fewer addresses: Network ACL blocks 2,097,152 fewer IPv4 addresses, scope authentication, priority 1
    match turned into not_match: Network ACL no longer has match.ipv4_cidrs, adds not_match.ipv4_cidrs, blocks 4,278,190,080 more IPv4 addresses and 16,777,216 fewer IPv4 addresses and 2^128 more IPv6 addresses, scope authentication, priority 1
    a block with one more exception: Network ACL blocks 65,536 fewer IPv4 addresses, scope authentication, priority 1
    a block with an exception: Network ACL adds not_match.asns, scope authentication, priority 1
    an allow of more: Network ACL allows 16,777,216 more IPv4 addresses, scope authentication, priority 1
    an allow of a wider scope: Network ACL scope tenant (was authentication), priority 1
    an allow that loses a signal: Network ACL no longer has match.asns, scope authentication, priority 1
    a block that is switched off: Network ACL is switched off, scope authentication, priority 1
    an allow that is switched on: Network ACL is switched on, scope authentication, priority 1
    another description (harmless): Network ACL "other words" (acl_11111111111111111111A1) matches the same requests, scope authentication, priority 1
    a block of more (harmless): Network ACL blocks 16,777,216 more IPv4 addresses, scope authentication, priority 1
    an allow of less (harmless): Network ACL allows 8,388,608 fewer IPv4 addresses, scope authentication, priority 1
    the same addresses as two CIDR blocks (harmless): Network ACL matches the same requests, scope authentication, priority 1
    an exception that matches no request (harmless): Network ACL adds not_match.ipv4_cidrs, scope authentication, priority 1
    an inactive ACL (harmless): Network ACL allows what it blocked, scope authentication, priority 1
    another priority (harmless): Network ACL scope authentication, priority 99 (was 1)"
  `);
  expect(await summaries([changed(rule, allow)], { plan_warnings: "off" })).toEqual([]);
});

test("shows changes of rate limit policies and member sets only with plan_warnings all", async () => {
  const organization = review.emulator.store.addOrganization({ name: "acme" }).id;
  const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const callers = { resource: "oauth_authentication_api", consumer: "client", consumer_selector: "default" };
  const id = `rlp_${"1".repeat(21)}`;
  const policy = { ...callers, configuration: { action: "block", limit: 5 } };
  review.emulator.store.rateLimitPolicies.put({ id, ...times, ...policy } as never);
  const set = { organization_id: organization, exclusive: true, remove_existing: false, on_destroy: "remove" };
  const objects: Planned[] = [
    {
      kind: "rate_limit_policy",
      prior: { id, ...times, ...policy },
      config: { ...callers, configuration: { action: "block", limit: 9 } },
    },
    {
      kind: "organization_member_set",
      prior: { ...set, id: organization, members: memberIds(2) },
      config: { ...set, members: memberIds(5) },
    },
  ];
  review.emulator.store.addMembers(organization, memberIds(2));
  expect((await summaries(objects)).filter((summary) => summary !== "Early Access")).toEqual([]);
  const [warning] = (await told(objects, { plan_warnings: "all" })).filter(({ summary }) => summary !== "Early Access");
  expect(warning!.detail).toContain(
    `Rate limit policy ${id} changes from block above 5/s to block above 9/s, for default [TNF-LIMIT-LOOSENED]`,
  );
  expect(warning!.detail).toContain(`The member set of ${organization} lists 3 more members`);
});

test("reports 20 changes in one warning, the dangerous changes first", async () => {
  const harmless = Array.from({ length: 18 }, () => changed(rule, rule, { to: { description: "again" } }));
  const worst = [changed(rule, wide), changed(wide, rule)];
  const warnings = await told([...harmless, ...worst], { plan_warnings: "all", lockout_guard: "off" });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]!.summary).toMatch(/what it .*; and 1 more that is dangerous, 18 other changes$/);
  expect(warnings[0]!.detail!.match(/^- Network ACL/gm)).toHaveLength(20);
});

test("Terraform shows the plan note once in the plan and once in the apply", async () => {
  const workspace = await openWorkspace();
  const acls = (action: string) => `
    provider "tenant" { lockout_guard = "off" }
    resource "tenant_network_acl" "many" {
      count       = 12
      description = "list ${"${count.index}"}"
      priority    = count.index + 1
      rule {
        action { ${action} = true }
        match { asns = [count.index] }
        scope = "authentication"
      }
    }`;
  const times = (output: string) => unwrapped(output).match(/allows what it blocked.*?; and 11 more that are dang/g);
  try {
    await workspace.apply(acls("block"));
    await workspace.write(acls("allow"));
    const { output } = await workspace.plan();
    expect(times(output)).toHaveLength(1);
    expect(output.match(/Warning: /g)).toHaveLength(1);
    expect(times(await workspace.apply())).toHaveLength(1);
  } finally {
    await workspace.close();
  }
});
