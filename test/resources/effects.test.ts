/** The plan tells what each edit of an ACL does, refuses ACLs that lock out Terraform, and compares scopes with those of the token. */
import type { PlannedObject } from "../../src/impact/model";
import type { Client } from "../../src/resources/client";
import { networkAcl } from "../../src/resources/network-acl/definition";
import { demandScopes } from "../../src/resources/review";
import type { Config } from "../../src/sdk/definition";
import { createPlanRegistry } from "../../src/sdk/plan-registry";
import type { NetworkAclBody } from "../../src/tenant/network-acls";
import { requestToken } from "../emulator/client";
import { createVirtualClock } from "../sdk/support/clock";
import { eachTest } from "../support/each-test";
import { openReview, type Planned } from "./support/reviewing";

const review = eachTest(openReview);

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

const summaries = async (objects: readonly Planned[], block: object = {}) => {
  const { errors, warnings } = await review.planAll(objects, { lockout_guard: "off", ...block });
  expect(errors).toEqual([]);
  return warnings.map(({ summary }) => summary);
};

test("shows a grave change by default, and lesser effects only from the level of plan_warnings", async () => {
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
  const told: string[] = [];
  for (const [what, before, after, rest] of cases) {
    review.emulator.reset();
    made = 0;
    const [warning, ...more] = await summaries([changed(before, after, rest)]);
    expect(more).toEqual([]);
    if (warning !== undefined) told.push(what);
  }
  expect(told).toEqual([
    "a block turned into an allow",
    "a block turned into a log",
    "an allow turned into a block",
    "a block that loses its exceptions",
    "a block that changes its scope",
    "a block of fewer addresses",
    "match turned into not_match",
    "a block with one more exception",
    "a block with an exception",
    "a block that is switched off",
  ]);
  const more = changed(rule, { ...rule, ...of("10.0.0.0/7") });
  expect([await summaries([more]), await summaries([more], { plan_warnings: "info" })]).toEqual([
    [],
    [expect.stringMatching(/^● Blocks sign-in.*\[TNF-ACL-TIGHTENED\]$/)],
  ]);
  expect(await summaries([changed(rule, allow)], { plan_warnings: "off" })).toEqual([]);
});

type Acl = Config<typeof networkAcl>;

const acl = (priority: number, action: Acl["rule"]["action"], match: object, scope = "management"): Acl =>
  ({ description: `acl ${priority}`, active: true, priority, rule: { action, scope, ...match } }) as Acl;

const block = { block: true };
const everywhere = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };

const creating = (...configs: Acl[]): Planned[] => configs.map((config) => ({ kind: "network_acl", config }));

const refusal = { summary: expect.stringMatching(/ (may block|blocks) Terraform itself$/) as string };

test("refuses to block every address, unless lockout_guard is warn or off", async () => {
  const acls = [acl(1, block, { match: everywhere }, "tenant")];
  expect((await review.planAll(creating(...acls))).errors).toMatchObject([refusal]);
  const warned = await review.planAll(creating(...acls), { lockout_guard: "warn" });
  expect(warned.errors).toEqual([]);
  expect(warned.warnings).toContainEqual(expect.objectContaining(refusal));
  const off = await review.planAll(creating(...acls), { lockout_guard: "off", plan_warnings: "off" });
  expect(off.errors).toEqual([]);
  const others = /^(Early Access$|✖ Blocks )/;
  expect(off.warnings.filter(({ summary }) => !others.test(summary!))).toEqual([]);
});

test("accepts to block some countries, and sees the host name of the tenant", async () => {
  const hosts = (side: string, name: string) => creating(acl(1, block, { [side]: { hostnames: [name] } }));
  const some = creating(acl(1, block, { match: { geo_country_codes: ["RU", "KP"] } }, "tenant"));
  for (const acls of [some, hosts("not_match", "127.0.0.1")]) {
    const { errors, warnings } = await review.planAll(acls, { plan_warnings: "off" });
    expect([errors, warnings.filter(({ summary }) => summary !== "Early Access")]).toEqual([[], []]);
  }
  expect((await review.planAll(hosts("match", "127.0.0.1"))).errors).toMatchObject([refusal]);
});

test("refuses an ACL that blocks Terraform's request for a token, unless access_token is set", async () => {
  const signIn = creating(acl(1, block, { match: everywhere }, "authentication"));
  const said = await review.planAll(signIn, { plan_warnings: "off" });
  expect(said).toMatchObject({ errors: [refusal], warnings: [] });
  expect(said.errors[0]!.detail).toContain("would block Terraform's request for a token");
  const { access_token } = (await requestToken(review.emulator)).body;
  expect(await review.planAll(signIn, { access_token, plan_warnings: "off" })).toMatchObject({
    errors: [],
    warnings: [],
  });
});

const open = () => createPlanRegistry({ clock: createVirtualClock(), phase: "plan" });
const object = (...actions: string[]): PlannedObject => ({ address: "", type: "tenant_network_acl", actions });

async function missing(planned: PlannedObject, granted: string[] | undefined, registry = open()): Promise<string[]> {
  const said: string[] = [];
  const plan = registry.enter({ kind: "thing", change: { action: "keep", prior: {}, planned: {} } });
  await demandScopes(planned, {
    client: { tenant: { tokens: { scopes: async () => granted } } } as Client,
    plan,
    log: () => {},
    report: ({ detail }) => said.push(/ (\w+:\w+) is missing/.exec(detail)![1]!),
  });
  return said;
}

test("names the scopes that the token lacks", async () => {
  expect(await missing(object("create"), ["read:network_acls"])).toEqual(["create:network_acls"]);
  expect(await missing(object("create"), ["create:network_acls"])).toEqual([]);
});

test("does not judge a token that is not fetched yet or names no scopes", async () => {
  expect(await missing(object("create"), undefined)).toEqual([]);
});

test("reports a scope for one object of a plan", async () => {
  const registry = open();
  expect(await missing(object("delete"), [], registry)).toEqual(["delete:network_acls"]);
  expect(await missing(object("delete"), [], registry)).toEqual([]);
});

test("fetches the token before the first object is created", async () => {
  const wrong = new Error("wrong secret");
  const tokens = { authorize: () => Promise.reject(wrong), scopes: async () => undefined };
  const demand = (planned: PlannedObject, phase?: "plan") => {
    const other = createPlanRegistry();
    other.touch(phase);
    return demandScopes(planned, {
      client: { tenant: { tokens } } as unknown as Client,
      plan: other.enter({
        kind: "thing",
        change: { action: "create", planned: {} },
      }),
      log: () => {},
      report: () => {},
    });
  };
  await expect(demand(object("create"))).rejects.toBe(wrong);
  await demand(object("no-op"));
  await demand(object("create"), "plan");
});
