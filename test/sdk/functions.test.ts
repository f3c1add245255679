/** Provider functions: their declarations, their results, and their errors. */
import * as z from "zod";
import { decode, encode } from "../../src/cty/msgpack";
import { unknown, type Value } from "../../src/cty/value";
import { attribute, listOf } from "../../src/sdk/attribute";
import { ArgumentError, type ProviderFunction } from "../../src/sdk/functions";
import { handlersOf } from "../../src/sdk/handlers";

const definition = {
  name: "half",
  title: "Half of a number",
  description: "Halves it.",
  parameters: z.object({
    number: attribute(z.number(), "What to halve."),
    options: attribute(
      z.object({
        floor: attribute(z.boolean().optional(), "Rounds down."),
        steps: attribute(listOf(z.object({ by: attribute(z.number(), "By what.") })).optional(), "Further ones."),
      }),
      "How.",
    ),
  }),
  result: attribute(z.number(), "The half."),
} as const;

const half: ProviderFunction<typeof definition> = {
  definition,
  call({ number, options }) {
    if (number === 13) throw new Error("out of luck");
    if (number === 0) throw new ArgumentError("number", "nothing has no half.");
    const floor = typeof options === "object" && options.floor === true;
    return floor ? Math.floor((number as number) / 2) : (number as number) / 2;
  },
};

const service = handlersOf(
  {
    name: "test",
    version: "1.0.0",
    config: z.object({}),
    resources: {},
    dataSources: {},
    functions: { half: async () => half },
    configure: () => ({ stop: () => {} }),
    explain: (error) => ({ code: ["TNF-PLAN-EFFECTS", "Trouble"], detail: (error as Error).message }),
  },
  { log: () => {} },
) as Record<string, (request: object) => Promise<any>>;

const call = (name: string, number: number, options: Value = { floor: true }) =>
  service["callFunction"]!({
    name,
    arguments: [{ msgpack: encode(number, "number") }, { msgpack: encode(options, "dynamic") }],
  });

test("declares a function in the schema, in the metadata and in the list of functions", async () => {
  const told = (await service["getFunctions"]!({})).functions;
  expect(told.half).toMatchObject({
    summary: "Half of a number",
    parameters: [
      { name: "number", type: Buffer.from('"number"'), allowUnknownValues: true },
      { name: "options", type: Buffer.from('"dynamic"') },
    ],
    return: { type: Buffer.from('"number"') },
  });
  expect((await service["getProviderSchema"]!({})).functions).toEqual(told);
  expect((await service["getMetadata"]!({})).functions).toEqual([{ name: "half" }]);
});

test("calls a function without a configured provider", async () => {
  const { result, error } = await call("half", 5);
  expect([error, decode(result.msgpack, "number")]).toEqual([undefined, 2]);
});

test.each([
  [
    "an error about an argument",
    "half",
    0,
    { text: expect.stringMatching(/^nothing has no half \(https:\S+#tnf-function-argument\)$/), functionArgument: 0 },
  ],
  [
    "an exception in the function",
    "half",
    13,
    { text: expect.stringMatching(/^Trouble: out of luck \(https:\S+#tnf-plan-effects\)$/) },
  ],
  ["a call of an unknown function", "double", 1, { text: expect.stringContaining("double") }],
])("returns %s as the error of the call", async (_, name, number, error) => {
  expect(await call(name, number)).toEqual({ error });
});

test.each<[Value, string]>([
  [{ flor: true }, expect.stringMatching(/^`options\.flor` is not known: there are floor, steps \(https:/)],
  [
    { steps: [{ by: 1 }, { bi: 2 }] },
    expect.stringMatching(/^`options\.steps\[1\]\.bi` is not known: there are by \(https:/),
  ],
  [{ floor: "yes" }, expect.stringContaining("floor")],
  [{ steps: true }, expect.stringContaining("steps")],
])("checks the content of a dynamic argument: %j", async (options, text) => {
  expect(await call("half", 5, options)).toEqual({ error: { text, functionArgument: 1 } });
});

test.each<[Value]>([[unknown], [{ floor: unknown }], [{ steps: unknown }], [{ steps: [unknown] }]])(
  "calls the function when an option is unknown",
  async (options) => {
    const { result, error } = await call("half", 5, options);
    expect([error, decode(result.msgpack, "number")]).toEqual([undefined, 2.5]);
  },
);
