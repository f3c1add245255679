/** Write-only values and the attributes that are derived from them, in plans, calls and states. */
import * as z from "zod";
import { decode, encode } from "../../../src/formats/cty/msgpack";
import type { Type } from "../../../src/formats/cty/type";
import { unknown, type ObjectValue, type Value } from "../../../src/formats/cty/value";
import { Diagnostic_Severity } from "../../../src/provider/plugin/protocol/tfplugin6";
import { attribute } from "../../../src/provider/sdk/attribute";
import { createCodec } from "../../../src/provider/sdk/codec";
import { define } from "../../../src/provider/sdk/definition";
import { planChange } from "../../../src/provider/sdk/plan";
import type { Resource } from "../../../src/provider/sdk/resource";
import { linked } from "../../support/message-link";
import { serve, type Client } from "./support/serving";

const definition = define({
  name: "safe",
  description: "A safe.",
  config: z.object({
    label: attribute(z.string().optional(), "Label.", { derived: true, replace: true }),
    code_wo: attribute(z.string().min(2, "use 2 characters").optional(), "Code.", { writeOnly: true, sensitive: true }),
    note: attribute(z.string().optional(), "Note."),
  }),
  computed: z.object({
    id: attribute(z.string(), "Id."),
    length: attribute(z.int(), "Length of the code.", { derived: true, replace: true }),
  }),
  identity: z.object({ id: attribute(z.string(), "Id.") }),
  derive({ code_wo: code }) {
    if (typeof code !== "string") return { length: unknown, label: unknown };
    return { length: code.length, label: `safe-${code.length}` };
  },
});

const { attributes } = createCodec(definition);
const config = (values: Partial<ObjectValue> = {}): ObjectValue => ({
  label: null,
  code_wo: "1234",
  note: null,
  id: null,
  length: null,
  ...(values as ObjectValue),
});
const prior = { label: "safe-4", code_wo: null, note: null, id: "1", length: 4 };
const plan = (before: ObjectValue | null, values?: Partial<ObjectValue>) =>
  planChange(attributes, before, config(values), definition.derive);

describe("a plan", () => {
  test("shows the derived attributes of a new object, but no write-only value", () => {
    expect(plan(null).planned).toEqual({ label: "safe-4", code_wo: null, note: null, id: unknown, length: 4 });
    expect(plan(null, { label: "own" }).planned).toMatchObject({ label: "own", length: 4 });
  });

  test("shows a changed write-only value through its derived attributes", () => {
    const { planned, replace } = plan(prior, { code_wo: "12345" });
    expect(planned).toMatchObject({ length: 5, label: "safe-5", code_wo: null });
    expect(replace).toEqual([[{ attribute: "label" }], [{ attribute: "length" }]]);
  });
});

const type: Type = ["object", { label: "string", code_wo: "string", note: "string", id: "string", length: "number" }];
const bytes = (value: Value) => ({ msgpack: encode(value, type) });
const value = (dynamic: { msgpack?: Uint8Array } | undefined) => decode(dynamic!.msgpack!, type);

function open() {
  const given: object[] = [];
  const safe: Resource<Client, typeof definition> = {
    definition,
    title: () => "safe",
    async create(planned) {
      given.push(planned);
      return { id: "1", length: planned.code_wo!.length };
    },
    read: async ({ id, label }) => ({ id: id!, label, length: 4 }),
    async update(planned, { id, length }) {
      given.push(planned);
      return { id, length };
    },
    delete: async () => {},
    import: async (id) => ({ id }),
  };
  return { ...serve(safe), given };
}

test("marks write-only and derived attributes in the schema", async () => {
  const { resourceSchemas } = await open().call("getProviderSchema");
  const named = Object.fromEntries(
    resourceSchemas.test_thing.block.attributes.map((each: { name: string }) => [each.name, each]),
  );
  expect(named.code_wo).toMatchObject({ optional: true, computed: false, sensitive: true, writeOnly: true });
  expect(named.label).toMatchObject({ optional: true, computed: true });
  expect(named.label.writeOnly).toBeFalsy();
  expect(named.length).toMatchObject({ optional: false, computed: true });
});

test("refuses a write-only value if the engine does not support write-only attributes", async () => {
  const { call } = open();
  const validate = async (written: ObjectValue | null, clientCapabilities?: object) =>
    (await call("validateResourceConfig", { config: bytes(written), clientCapabilities })).diagnostics;
  expect(await validate(config(), { writeOnlyAttributesAllowed: true })).toEqual([]);
  expect(await validate(config({ code_wo: null }))).toEqual([]);
  expect(await validate(null)).toEqual([]);
  for (const code_wo of ["1234", unknown] as const) {
    expect(await validate(config({ code_wo }))).toMatchObject([
      { severity: Diagnostic_Severity.ERROR, detail: expect.stringMatching(/^`code_wo` is write-only, which takes/) },
    ]);
  }
  const said = JSON.stringify(await validate(config({ code_wo: "7" }), { writeOnlyAttributesAllowed: true }));
  expect(said).toContain("`code_wo` is (sensitive): use 2 characters.");
});

test("passes the write-only value to create and update, and to no plan, state or private state", async () => {
  const { call, given } = open();
  const written = bytes(config());
  const planned = await call("planResourceChange", {
    priorState: bytes(null),
    proposedNewState: written,
    config: written,
  });
  const made = await call("applyResourceChange", { ...planned, priorState: bytes(null), config: written });
  expect(made.diagnostics).toEqual([]);
  expect(value(made.newState)).toEqual(prior);
  const noted = bytes(config({ note: "in the hall" }));
  const changed = bytes({ ...prior, note: "in the hall" });
  const kept = await call("applyResourceChange", { priorState: made.newState, plannedState: changed, config: noted });
  expect(value(kept.newState)).toEqual({ ...prior, note: "in the hall" });
  expect(given).toMatchObject([
    { code_wo: "1234", length: 4 },
    { code_wo: "1234", note: "in the hall" },
  ]);
  for (const answer of [planned, made, kept]) {
    const parts = [answer.plannedState?.msgpack, answer.newState?.msgpack, answer.plannedPrivate, answer.private];
    expect(Buffer.concat(parts.filter(Boolean)).includes("1234")).toBe(false);
  }
});

test("refuses the apply before any change when a derived value differs from the plan", async () => {
  const { call, given } = open();
  const plannedState = bytes({ ...prior, id: unknown });
  const request = { priorState: bytes(null), plannedState, config: bytes(config({ code_wo: "12345" })) };
  const { diagnostics, newState } = await call("applyResourceChange", request);
  expect(value(newState)).toBeNull();
  expect(given).toEqual([]);
  const changes = ['`label` was planned as "safe-4", but it is "safe-5"', "`length` was planned as 4, but it is 5"];
  expect(diagnostics).toMatchObject(
    changes.map((change) => ({
      detail: linked(`${change} now. Plan again. This object was not changed.`, "TNF-NOT-AS-PLANNED"),
    })),
  );
  const unplanned = bytes({ ...prior, id: unknown, label: unknown, length: unknown });
  const made = await call("applyResourceChange", { ...request, plannedState: unplanned });
  expect(made.diagnostics).toEqual([]);
  expect(value(made.newState)).toMatchObject({ length: 5, label: "safe-5" });
});
