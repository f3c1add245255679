/** A plan compares the scopes that it needs with the scopes of the token. */
import { createVirtualClock } from "../sdk/support/clock";
import type { PlannedObject } from "../../src/impact/model";
import type { Client } from "../../src/resources/client";
import { demandScopes } from "../../src/resources/review";
import { createPlanRegistry } from "../../src/sdk/plan-registry";

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
