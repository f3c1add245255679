/** The plan tells what each edit of an ACL does, refuses ACLs that lock out Terraform, and compares scopes with those of the token. */
import type { PlannedObject } from "../../../src/judge/impact/model";
import type { Client } from "../../../src/provider/resources/client";
import { networkAcl } from "../../../src/provider/resources/network-acl/definition";
import { demandScopes } from "../../../src/provider/resources/review";
import type { Config } from "../../../src/provider/sdk/definition";
import { createPlanRegistry } from "../../../src/provider/sdk/plan-registry";
import type { NetworkAclBody } from "../../../src/tenant/network-acls";
import { createVirtualClock } from "../sdk/support/clock";
import { eachTest } from "../../support/each-test";
import { openReview, type Planned } from "./support/reviewing";

const review = eachTest(openReview);

const rule = { action: { block: true }, match: { ipv4_cidrs: ["10.0.0.0/8"] }, scope: "authentication" };

/** Adds an ACL to the tenant, and changes it. */
function changed(before: object, after: object): Planned {
  const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const body = { description: "acl", active: true, priority: 1 };
  const prior = { id: `acl_${"1".repeat(22)}`, ...times, ...body, rule: before };
  review.emulator.store.networkAcls.put(prior as { id: string } & typeof times & NetworkAclBody);
  return { kind: "network_acl", prior, config: { ...body, rule: after } };
}

const summaries = async (objects: readonly Planned[], block: object = {}) => {
  const { errors, warnings } = await review.planAll(objects, { lockout_guard: "off", ...block });
  expect(errors).toEqual([]);
  return warnings.map(({ summary }) => summary);
};

test("shows a change from the level of plan_warnings, which is critical and high by default", async () => {
  const told = async (after: object) => {
    const found: number[] = [];
    for (const block of [{}, { plan_warnings: "info" }, { plan_warnings: "off" }])
      found.push((await summaries([changed(rule, after)], block)).length);
    return found;
  };
  expect(await told({ ...rule, action: { allow: true } })).toEqual([1, 1, 0]);
  expect(await told({ ...rule, match: { ipv4_cidrs: ["10.0.0.0/7"] } })).toEqual([0, 1, 0]);
  expect(await told({ ...rule, not_match: { ipv4_cidrs: ["192.0.2.0/24"] } })).toEqual([0, 0, 0]);
});

type Acl = Config<typeof networkAcl>;

const acl = (priority: number, action: Acl["rule"]["action"], match: object, scope = "management"): Acl =>
  ({ description: `acl ${priority}`, active: true, priority, rule: { action, scope, ...match } }) as Acl;

const block = { block: true };

const creating = (...configs: Acl[]): Planned[] => configs.map((config) => ({ kind: "network_acl", config }));

const refusal = { summary: expect.stringMatching(/ (may block|blocks) Terraform itself$/) as string };

test("accepts to block some countries, and sees the host name of the tenant", async () => {
  const hosts = (side: string, name: string) => creating(acl(1, block, { [side]: { hostnames: [name] } }));
  const some = creating(acl(1, block, { match: { geo_country_codes: ["RU", "KP"] } }, "tenant"));
  for (const acls of [some, hosts("not_match", "127.0.0.1")]) {
    const { errors, warnings } = await review.planAll(acls, { plan_warnings: "off" });
    expect([errors, warnings.filter(({ summary }) => summary !== "Early Access")]).toEqual([[], []]);
  }
  expect((await review.planAll(hosts("match", "127.0.0.1"))).errors).toMatchObject([refusal]);
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
