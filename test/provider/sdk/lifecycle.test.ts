/** Read, plan and apply of one object: its errors, its reviews, and its entry in the plan registry. */
import * as z from "zod";
import { unknown } from "../../../src/formats/cty/value";
import { attribute } from "../../../src/provider/sdk/attribute";
import type { Change } from "../../../src/provider/sdk/definition";
import { bytes, configured, said, thing, value, type Thing } from "./support/serving";

const summaries = ({ diagnostics }: { diagnostics?: { summary: string }[] }) =>
  (diagnostics ?? []).map(({ summary }) => summary);

test("drops a missing object from the state, with a warning", async () => {
  const { read } = await configured({ read: async () => undefined });
  const answer = await read("7");
  expect(value(answer.newState)).toBeNull();
  expect(answer.diagnostics).toMatchObject([{ summary: "The object is gone from the tenant" }]);
  expect(answer.diagnostics[0].detail).toContain("no longer has thing 7. Terraform removes it from the state. If the");
});

test("reports each warning of the provider once", async () => {
  const remark = said("Slow today", "warning");
  const { read, plan, apply } = await configured({}, { warnings: () => [remark] });
  expect(summaries(await read("7"))).toEqual(["Slow today"]);
  expect(summaries(await read("8"))).toEqual([]);
  const { plannedPrivate } = await plan(null, { size: 1, id: null });
  expect(summaries(await apply(null, { size: 1, id: unknown }, plannedPrivate))).toEqual([]);
});

test("detects the plan phase from a read, and the apply phase from a change", async () => {
  const phases: unknown[] = [];
  const { read, plan, apply } = await configured({ review: async (_, entry) => void phases.push(entry.plan.phase) });
  await plan({ size: 1, id: "7" }, { size: 2, id: null });
  await read("7");
  await plan({ size: 1, id: "7" }, { size: 2, id: null });
  await apply({ size: 1, id: "7" }, { size: 2, id: "7" });
  await plan({ size: 1, id: "8" }, { size: 2, id: null });
  expect(phases).toEqual([undefined, "plan", "apply"]);
});

test.each([
  ["a plan", 2],
  ["an apply", 1],
])("a new object that came before the phase was known is reviewed in %s %i times", async (what, times) => {
  const reviewed: unknown[] = [];
  const { read, plan, apply } = await configured({ review: async ({ action }) => void reviewed.push(action) });
  await plan(null, { size: 1, id: null });
  await (what === "a plan" ? read("7") : apply({ size: 1, id: "7" }, { size: 2, id: "7" }));
  for (let call = 0; call < 2; call++) await plan({ size: 1, id: "7" }, { size: 2, id: null });
  expect(reviewed.filter((action) => action === "create")).toHaveLength(times);
});

describe("an error that every request meets", () => {
  const common = { explain: () => ({ ...said("Locked out"), isCommon: true }) };

  test("keeps an object in the state that another call does not find meanwhile", async () => {
    const find: Thing["read"] = async ({ id }) => {
      if (id === "7") throw new Error("no");
      await new Promise(setImmediate);
      return undefined;
    };
    const { read } = await configured({ read: find }, common);
    const [first, second] = await Promise.all([read("7"), read("8")]);
    expect([...summaries(first), ...summaries(second)]).toEqual(["Locked out"]);
    expect(value(second.newState)).toEqual({ size: 1, id: "8" });
  });

  test("is reported once in a plan, which then makes no further API calls", async () => {
    const asked: unknown[] = [];
    const { read, plan } = await configured(
      {
        read: async ({ id }) => Promise.reject(new Error(String(asked.push(id)))),
        review: async () => void asked.push("review"),
      },
      common,
    );
    expect(summaries(await read("7"))).toEqual(["Locked out"]);
    const second = await read("8");
    expect(summaries(second)).toEqual([]);
    expect(value(second.newState)).toEqual({ size: 1, id: "8" });
    expect(summaries(await plan({ size: 1, id: "8" }, { size: 2, id: null }))).toEqual([]);
    expect(asked).toEqual(["7"]);
  });

  test("is reported once in an apply, and every later change reports that it is not done either", async () => {
    const { apply } = await configured({ create: async () => Promise.reject(new Error("no")) }, common);
    expect(summaries(await apply(null, { size: 1, id: unknown }))).toEqual(["Locked out"]);
    expect(summaries(await apply(null, { size: 2, id: unknown }))).toEqual(["Skipped because of another error"]);
  });

  test("does not skip the reviews after an apply starts", async () => {
    const reviewed: unknown[] = [];
    const { read, apply, plan } = await configured(
      { read: async () => Promise.reject(new Error("no")), review: async () => void reviewed.push(1) },
      common,
    );
    await read("7");
    await plan({ size: 1, id: "7" }, { size: 2, id: null });
    expect(reviewed).toEqual([]);
    await apply({ size: 1, id: "7" }, { size: 2, id: "7" });
    await plan({ size: 1, id: "7" }, { size: 2, id: null });
    expect(reviewed).toEqual([1]);
  });
});

describe("the apply reviews", () => {
  const refusing: Partial<Thing> = {
    async review(_change, { plan, report }) {
      if (plan.phase === "apply") report(said("Refused"));
    },
  };

  test("every destroy, because Terraform does not plan a destroy again, and no replacement", async () => {
    const { plan, apply } = await configured(refusing);
    const going = await plan({ size: 1, id: "1" }, null);
    expect(summaries(await apply({ size: 1, id: "1" }, null, going.plannedPrivate))).toEqual(["Refused"]);
    const replaced = await plan({ size: 1, shape: "round", id: "2" }, { size: 1, shape: "square", id: null });
    expect(summaries(await apply({ size: 1, shape: "round", id: "2" }, null, replaced.plannedPrivate))).toEqual([]);
  });
});

describe("a change is not applied if its review failed", () => {
  const failing = async () => Promise.reject(new Error("no answer"));
  const both = async ({ plan, apply }: Awaited<ReturnType<typeof configured>>) => {
    const told: string[][] = [];
    for (const id of ["1", "2"]) {
      const prior = { size: 1, id };
      const planned = await plan(prior, { size: 2, id: null });
      told.push(summaries(planned));
      const applied = await apply(prior, { size: 2, id }, planned.plannedPrivate);
      told.push(summaries(applied));
      expect(value(applied.newState)).toEqual(prior);
    }
    return told;
  };

  test.each([
    ["one topic", { topic: "looking" }, "No answer"],
    ["every request", { isCommon: true }, "Skipped because of another error"],
  ])("although another object already reported the error of %s", async (_what, cause, instead) => {
    const written: unknown[] = [];
    const update: Thing["update"] = async ({ size }, { id }) => (written.push(size), { id });
    const explain = () => ({ ...said("No answer"), ...cause });
    const told = await both(await configured({ review: failing, update }, { explain }));
    expect(told).toEqual([["No answer"], [instead], [], [instead]]);
    expect(written).toEqual([]);
  });

  test("until a later review succeeds", async () => {
    let isUp = false;
    const { plan, apply } = await configured({ review: async () => (isUp ? undefined : failing()) });
    const prior = { size: 1, id: "1" };
    const { plannedPrivate } = await plan(prior, { size: 2, id: null });
    expect(summaries(await apply(prior, { size: 2, id: "1" }, plannedPrivate))).toEqual(["Trouble"]);
    isUp = true;
    expect(summaries(await apply(prior, { size: 2, id: "1" }, plannedPrivate))).toEqual([]);
  });

  test("although the engine destroys without a plan", async () => {
    const deleted: unknown[] = [];
    const { plan, apply } = await configured(
      { review: failing, delete: async ({ id }) => void deleted.push(id) },
      { explain: () => ({ ...said("No answer"), topic: "looking" }) },
    );
    await plan({ size: 1, id: "1" }, { size: 2, id: null });
    expect(summaries(await apply({ size: 1, id: "2" }, null))).toEqual(["No answer"]);
    expect(deleted).toEqual([]);
  });
});

test("reports errors of one topic once in a plan and each time in an apply, and always reports errors without a topic", async () => {
  const topic = {
    explain: ({ message }: Error) => ({
      code: ["TNF-PLAN-EFFECTS", message],
      detail: "…",
      topic: message || undefined,
    }),
  };
  const failing = async ({ id }: { id?: string }) => Promise.reject(new Error(id === "plain" ? "" : "scope"));
  const { read, apply } = await configured(
    { read: failing, update: async () => Promise.reject(new Error("scope")) },
    topic,
  );
  expect(summaries(await read("7"))).toEqual(["scope"]);
  expect(summaries(await read("8"))).toEqual([]);
  expect(summaries(await read("plain"))).toEqual([""]);
  expect(summaries(await read("plain"))).toEqual([""]);
  for (const id of ["7", "8"]) {
    expect(summaries(await apply({ size: 1, id }, { size: 2, id }))).toEqual(["scope"]);
  }
});

describe("a plan", () => {
  test("is reviewed if the configuration is valid, and otherwise reports the invalid value", async () => {
    const reviewed: Change[] = [];
    const { plan } = await configured({ review: async (change) => void reviewed.push(change) });
    const wrong = await plan(null, { size: 2_000_000_000, id: null });
    expect(wrong.diagnostics).toMatchObject([{ summary: "Invalid size" }]);
    expect(reviewed).toEqual([]);
    await plan({ size: 1, id: "7" }, { size: 2, id: null });
    await plan({ size: 1, id: "7" }, { size: 1, id: null });
    await plan({ size: 1, id: "7" }, { size: 1, shape: "round", id: null });
    await plan({ size: 1, id: "7" }, null);
    expect(reviewed.map(({ action }) => action)).toEqual(["update", "keep", "replace", "destroy"]);
  });
});

describe("an object that replaces another", () => {
  const prior = { size: 1, shape: "round", id: "7" };
  const wanted = { size: 1, shape: "square", id: null };

  /** Like Terraform, plans the old object with the new values first. Then plans the new object; its plan serves for both changes. */
  async function replacing(behaviour: Partial<Thing>) {
    const around = await configured(behaviour);
    const old = await around.plan(prior, wanted);
    const successor = await around.plan(null, wanted, old.plannedPrivate);
    return { ...around, old, successor };
  }

  test("is marked as a replacement, and stands for both objects", async () => {
    const added: unknown[] = [];
    const reviewed: Change[] = [];
    const { old, successor } = await replacing({
      async review(change, { plan: entry }) {
        reviewed.push(change);
        entry.add(change);
        added.push(entry.added().map(({ object, replaced }) => [object, replaced]));
      },
    });
    expect(old.requiresReplace).toHaveLength(1);
    expect(added).toEqual([[[reviewed[0], undefined]], [[reviewed[1], reviewed[0]]]]);
    expect(reviewed[1]).toMatchObject({ action: "create", replaced: { id: "7" } });
    expect(successor.diagnostics).toEqual([]);
  });

  test("is passed whole to the delete of the old object if it was created first", async () => {
    const deleted: unknown[] = [];
    const { apply, successor } = await replacing({
      create: async () => ({ id: "7" }),
      delete: async (_state, _context, next) => void deleted.push(next),
    });
    await apply(null, { ...wanted, id: unknown }, successor.plannedPrivate);
    await apply(prior, null, successor.plannedPrivate);
    expect(deleted).toEqual([{ size: 1, shape: "square", id: "7" }]);
  });

  test("is passed with its planned identity to the delete of the old object if that comes first", async () => {
    const deleted: unknown[] = [];
    const { definition } = thing();
    const { apply, successor } = await replacing({
      definition: { ...definition, identity: z.object({ shape: attribute(z.string(), "Shape.") }) },
      delete: async (_state, _context, next) => void deleted.push(next),
    });
    await apply(prior, null, successor.plannedPrivate);
    expect(deleted).toEqual([{ shape: "square" }]);
  });
});

test.each<[adopted: readonly (number | null)[], deletes: number[]]>([
  [[null], [0]],
  [[1], [0]],
  [[null, 1], [1]],
  [[1, null], [0]],
  [[1, 2], [1]],
  [[2, 1], [0]],
  // Not decided: the plan refuses two entries.
  [
    [1, 1],
    [0, 1],
  ],
])("of entries of one object, adopted at %j, the apply deletes it for %j", async (adopted, deletes) => {
  let now = 0;
  const { apply: make } = await configured(
    { create: async (_planned, context) => (context.adopted(), { id: "7" }) },
    {},
    { now: () => now },
  );
  const planning = await configured();
  const deleted: unknown[] = [];
  // An apply plans a deposed object again, in another process, and has its private state alone.
  const applying = await configured({ delete: async ({ size }, _context, next) => void (next ?? deleted.push(size)) });
  const entries = adopted.map((_is, size) => ({ size, id: "7" }));
  const kept: Uint8Array[] = [];
  for (const [index, one] of entries.entries()) {
    now = adopted[index] ?? 0;
    if (now > 0) kept[index] = (await make(null, { ...one, id: unknown })).private;
  }
  const reads = entries.map((one, index) =>
    planning.call("readResource", { currentState: bytes(one), private: kept[index] }),
  );
  for (const [index, { private: own }] of (await Promise.all(reads)).entries()) {
    const prior = entries[index]!;
    await planning.plan(prior, null, own);
    const { plannedPrivate } = await applying.plan(prior, null, own);
    await applying.apply(prior, null, plannedPrivate);
  }
  expect(deleted).toEqual(deletes);
});

test("passes no object to a delete if the object was deleted, or if its create failed", async () => {
  const deleted: unknown[] = [];
  const { apply } = await configured({
    create: async ({ size }) => (size === 3 ? Promise.reject(new Error("no")) : { id: "7" }),
    delete: async (_state, _context, next) => void deleted.push(next),
  });
  const first = await apply(null, { size: 2, id: unknown });
  await apply({ size: 2, id: "7" }, null, first.private);
  await apply(null, { size: 3, id: unknown });
  await apply({ size: 1, id: "7" }, null);
  expect(deleted).toEqual([undefined, undefined]);
});

test("keeps the prior state after a failed update or delete, and no state after a failed create", async () => {
  const no = async () => Promise.reject(new Error("no"));
  const { apply } = await configured({ create: no, update: no, delete: no });
  const prior = { size: 1, id: "7" };
  expect(value((await apply(prior, { size: 2, id: "7" })).newState)).toEqual(prior);
  expect(value((await apply(prior, null, Buffer.from("{}"))).newState)).toEqual(prior);
  expect(value((await apply(null, { size: 2, id: unknown })).newState)).toBeNull();
});
