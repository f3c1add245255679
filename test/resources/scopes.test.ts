/** Scopes that a plan needs, held against those of the token. */
import type { Client } from "../../src/resources/client";
import { demandScopes, verbs } from "../../src/resources/scopes";
import { createLedger } from "../../src/sdk/ledger";

const ledger = createLedger({ command: () => ({ name: "plan", parallelism: 1 }) });

async function missing(needed: string[], granted: string[] | undefined, mark = "m"): Promise<string[]> {
  const said: string[] = [];
  const plan = ledger.enter({ kind: "thing", mark, change: { action: "keep", prior: {}, planned: {} } });
  await demandScopes(needed, {
    client: { tenant: { scopes: async () => granted } } as Client,
    plan,
    log: () => {},
    privateState: {},
    report: ({ detail }) => said.push(detail.split(" ")[0]!),
  });
  return said;
}

test("those are named that the token lacks", async () => {
  const needed = ["create:network_acls", "read:network_acls"];
  expect(await missing(needed, ["read:network_acls"])).toEqual(["create:network_acls"]);
  expect(await missing(needed, needed)).toEqual([]);
});

test("a token that is not fetched yet, or tells nothing, is not judged", async () => {
  expect(await missing(["create:network_acls"], undefined)).toEqual([]);
});

test("each is named by one object of a plan, as often as that is planned", async () => {
  expect(await missing(["delete:x"], [], "a")).toEqual(["delete:x"]);
  expect(await missing(["delete:x"], [], "b")).toEqual([]);
  expect(await missing(["delete:x"], [], "a")).toEqual(["delete:x"]);
});

test("of a replacement the new half asks for itself", () => {
  expect(verbs).toEqual({ create: ["create"], keep: [], update: ["update"], replace: ["delete"], destroy: ["delete"] });
});

test("an apply that is about to write fetches its token with its plan", async () => {
  const wrong = new Error("wrong secret");
  const tenant = { authorize: () => Promise.reject(wrong), scopes: async () => undefined };
  const ask = (needed: string[], name: string) =>
    demandScopes(needed, {
      client: { tenant } as unknown as Client,
      plan: createLedger({ command: () => ({ name, parallelism: 1 }) }).enter({
        kind: "thing",
        change: { action: "create", planned: {} },
      }),
      log: () => {},
      privateState: {},
      report: () => {},
    });
  await expect(ask(["create:x"], "apply")).rejects.toBe(wrong);
  await ask([], "apply");
  await ask(["create:x"], "plan");
});
