/** Terraform's calls to a small test provider, without Terraform. */
import { createVirtualClock } from "./support/clock";
import * as z from "zod";
import { decode, encode } from "../../../src/formats/cty/msgpack";
import type { Type } from "../../../src/formats/cty/type";
import { unknown } from "../../../src/formats/cty/value";
import { attribute } from "../../../src/provider/sdk/attribute";
import { define } from "../../../src/provider/sdk/definition";
import { Incomplete, type DataSource } from "../../../src/provider/sdk/resource";
import { bytes, serve, thing, value, type Client, type Thing, configured, said } from "./support/serving";
import { linked } from "../../support/message-link";

test("upgrades a stored state from every older version, and refuses a newer one", async () => {
  const { call } = serve();
  const upgrade = (version: number, stored: object) =>
    call("upgradeResourceState", { version, rawState: { json: Buffer.from(JSON.stringify(stored)), flatmap: {} } });
  expect(value((await upgrade(0, { id: "1", width: 7 })).upgradedState)).toEqual({ id: "1", size: 7 });
  expect(value((await upgrade(1, { id: "1", length: 7 })).upgradedState)).toEqual({ id: "1", size: 7 });
  expect(value((await upgrade(2, { id: "1", size: 7, gone: true })).upgradedState)).toEqual({ id: "1", size: 7 });
  expect(await upgrade(3, {})).toMatchObject({
    diagnostics: [{ summary: "The state is of a newer version of the provider" }],
  });
  expect((await call("getProviderSchema")).resourceSchemas.test_thing.version).toBe(2);
});

test("has no functions", async () => {
  const { call } = serve();
  expect(await call("getFunctions")).toEqual({ functions: {} });
  expect([(await call("getProviderSchema")).functions, (await call("getMetadata")).functions]).toEqual([{}, []]);
});

test("stores a partly created object in the state, and reports the error", async () => {
  const cause = new Error("half-way");
  const { apply } = await configured({
    create: async () => Promise.reject(new Incomplete({ id: "7", size: 1 }, { cause })),
  });
  const answer = await apply(null, { size: 2, id: unknown });
  expect(value(answer.newState)).toEqual({ size: 1, id: "7" });
  expect(answer.diagnostics).toMatchObject([{ summary: "Trouble", detail: linked("half-way") }]);
});

test("fills gaps in a partial result from the plan, or from the prior state after a delete", async () => {
  const halfWay = (state: object) => async () =>
    Promise.reject(new Incomplete({ ...state }, { cause: new Error("no") }));
  const { apply } = await configured({ update: halfWay({}), delete: halfWay({ size: 9 }) });
  const prior = { size: 1, id: "7" };
  expect(value((await apply(prior, { size: 2, id: "7" })).newState)).toEqual({ size: 2, id: "7" });
  expect(value((await apply(prior, null, Buffer.from("{}"))).newState)).toEqual({ size: 9, id: "7" });
});

test("logs an error with the reported summary and detail", async () => {
  const { apply, logged } = await configured({ create: async () => Promise.reject(new Error("out of luck")) });
  await apply(null, { size: 1, id: unknown });
  expect(logged).toEqual([["error", "Trouble", { detail: "out of luck" }]]);
});

test("stores keys and identities in the private state of a plan, and no other values", async () => {
  const { plan } = await configured();
  const kept = await plan({ size: 123456789, id: "7" }, { size: 987654321, id: null });
  expect(JSON.parse(kept.plannedPrivate)).toEqual({
    objectKey: expect.any(String),
    successor: { id: "7" },
    replaced: { objectKey: expect.any(String), identity: { id: "7" } },
  });
});

test("keeps the state and warns when it reads before the provider is configured", async () => {
  const { call } = serve(thing({ read: async () => Promise.reject(new Error("must not be asked")) }));
  const currentState = bytes({ size: 1, id: "7" });
  const answer = await call("readResource", { currentState });
  expect(answer.newState).toBe(currentState);
  expect(answer.diagnostics).toMatchObject([{ summary: "The object was not refreshed" }]);
});

test("makes a review wait for running reads, and for the reads that follow them", async () => {
  let finish = () => {};
  const clock = createVirtualClock();
  clock.at(10_000, () => finish());
  const slow: Partial<Thing> = {
    async read({ size, id }) {
      if (id === "slow") await new Promise<void>((resolve) => (finish = resolve));
      return { size: size!, id: id! };
    },
    async review(_change, { plan, report }) {
      const isAlone = () => !plan.unplanned().some(({ identity }) => identity["id"] === "other");
      if (await plan.whenQuiet(() => (isAlone() ? "warning" : undefined))) report(said("Alone"));
    },
  };
  const { read, plan } = await configured(slow, {}, { clock });
  const others = read("slow").then(() => read("other"));
  expect((await plan({ size: 1, id: "1" }, { size: 2, id: null })).diagnostics).toEqual([]);
  await others;
});

describe("the provider block", () => {
  const limit = z.int().max(9, "make it smaller").optional();
  const config = z.object({
    limit: attribute(limit, "Limit.", {
      rules: [(given, report) => given === 0 && report("nothing is little", [], "warning")],
    }),
  });
  const type: Type = ["object", { limit: "number" }];
  const block = (most: number) => ({ msgpack: encode({ limit: most }, type) });
  const open = () => {
    const given: unknown[] = [];
    const { call } = serve(thing(), { config, configure: (written) => void given.push(written) });
    return { call, given };
  };

  test.each([
    ["a valid block", block(9), { limit: 9 }],
    ["an empty block if the configuration has none", undefined, {}],
    ["a block with a warning, which only the validation reports", block(0), { limit: 0 }],
  ])("configures the provider from %s", async (_, written, plain) => {
    const { call, given } = open();
    expect(await call("configureProvider", { config: written })).toEqual({ diagnostics: [] });
    expect(given).toEqual([plain]);
  });

  test("does not configure the provider when it is invalid", async () => {
    const { call, given } = open();
    const { diagnostics } = await call("configureProvider", { config: block(10) });
    expect(diagnostics).toMatchObject([{ summary: "Invalid limit" }]);
    expect(given).toEqual([]);
  });
});

test("loads the provider block with the first call that needs it, and once", async () => {
  let loads = 0;
  const block = async () => {
    loads++;
    return { config: z.object({}), configure: () => undefined };
  };
  const { call } = serve(thing(), { block });
  await call("validateResourceConfig", { config: bytes(null) });
  expect(loads).toBe(0);
  await call("validateProviderConfig", {});
  await call("configureProvider", {});
  expect(loads).toBe(1);
});

test("stops the client when Terraform stops the provider", async () => {
  const { call, client } = await configured();
  await call("stopProvider");
  expect(client.stopped).toBe(true);
});

test.each([
  [undefined, "test_thing adopts states of no other type, not of other_thing"],
  [{ old_thing: () => ({}), older_thing: () => ({}) }, "adopts states of old_thing, older_thing, not of other_thing"],
])("refuses to move an unsupported type, and names the supported types: %#", async (moves, words) => {
  const { call } = serve(thing({ moves }));
  const answer = await call("moveResourceState", {
    sourceTypeName: "other_thing",
    sourceProviderAddress: "registry.terraform.io/a/b",
    targetTypeName: "test_thing",
  });
  expect(answer.diagnostics).toMatchObject([
    { summary: "Cannot move other_thing to test_thing", detail: expect.stringContaining(words) },
  ]);
});

test("refuses to import an object that the service does not have", async () => {
  const { call } = await configured({ read: async () => undefined });
  expect((await call("importResourceState", { id: "7" })).diagnostics).toMatchObject([
    { summary: "Nothing to import", detail: expect.stringContaining("thing 7") },
  ]);
});

describe("a data source", () => {
  const definition = define({
    name: "sum",
    description: "A sum.",
    config: z.object({
      of: attribute(z.int().min(0, "count up"), "What to count to.", {
        rules: [(of, report) => of === 0 && report("there is nothing to count", [], "warning")],
      }),
    }),
    computed: z.object({ total: attribute(z.int(), "The sum.") }),
  });
  const type: Type = ["object", { of: "number", total: "number" }];
  const configOf = (of: number) => ({ msgpack: encode({ of, total: null }, type) as Buffer, json: Buffer.alloc(0) });
  const asked: unknown[] = [];
  const source: DataSource<Client, typeof definition> = {
    definition,
    async read(config, { warn }) {
      asked.push(config);
      if (config.of > 9) warn(["TNF-PLAN-EFFECTS", "Many"], "That took long.");
      return { total: (config.of * (config.of + 1)) / 2 };
    },
  };
  const ask = async (name: string, of: number) => {
    const { call } = await configured({}, { dataSources: { sum: async () => source } });
    return call(name, { typeName: "test_sum", config: configOf(of) });
  };
  const read = (of: number) => ask("readDataSource", of);

  test("returns its arguments, its result and a warning", async () => {
    const { state, diagnostics } = await read(10);
    expect(decode(state.msgpack, type)).toEqual({ of: 10, total: 55 });
    expect(diagnostics).toMatchObject([{ summary: "Many" }]);
    expect(asked.splice(0)).toEqual([{ of: 10 }]);
  });
});

test("refuses an unknown resource type, and lists the types of the provider", async () => {
  const { call } = serve();
  const { diagnostics } = await call("validateResourceConfig", { typeName: "test_thong", config: bytes(null) });
  expect(diagnostics).toMatchObject([
    { summary: "Unknown type test_thong", detail: linked("This provider has test_thing.", "TNF-UNKNOWN-TYPE") },
  ]);
});
