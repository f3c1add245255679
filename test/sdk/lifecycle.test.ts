/** Read, plan and apply of one object: what is told, what is asked, and what is noted of it. */
import * as z from "zod";
import { unknown } from "../../src/cty/value";
import { attribute } from "../../src/sdk/attribute";
import type { Change } from "../../src/sdk/definition";
import { bytes, host, serve, thing, value, type Thing } from "./support/serving";

const configured = async (behaviour: Partial<Thing>, ...rest: [changes?: object, registry?: object]) => {
  const { call } = serve(thing(behaviour), ...rest);
  await call("configureProvider", { config: undefined });
  const read = (id: string) => call("readResource", { currentState: bytes({ size: 1, id }) });
  return { call, read, ...host(call) };
};
const summaries = ({ diagnostics }: { diagnostics?: { summary: string }[] }) =>
  (diagnostics ?? []).map(({ summary }) => summary);

test("drops a missing object from the state, with a warning", async () => {
  const { read } = await configured({ read: async () => undefined });
  const answer = await read("7");
  expect(value(answer.newState)).toBeNull();
  expect(answer.diagnostics).toMatchObject([{ summary: "Gone from the service" }]);
  expect(answer.diagnostics[0].detail).toContain("no longer has thing 7. It leaves the state. If the");
});

test("reports each warning of the provider once", async () => {
  const remark = { severity: "warning", summary: "Slow today", detail: "It is." } as const;
  const { read, plan, apply } = await configured({}, { warnings: () => [remark] });
  expect(summaries(await read("7"))).toEqual(["Slow today"]);
  expect(summaries(await read("8"))).toEqual([]);
  const { plannedPrivate } = await plan(null, { size: 1, id: null });
  expect(summaries(await apply(null, { size: 1, id: unknown }, plannedPrivate))).toEqual([]);
});

test("reads tell that this is a plan, and changes that it is none", async () => {
  const phases: unknown[] = [];
  const { read, plan, apply } = await configured({ review: async (_, entry) => void phases.push(entry.plan.phase) });
  await plan({ size: 1, id: "7" }, { size: 2, id: null });
  await read("7");
  await plan({ size: 1, id: "7" }, { size: 2, id: null });
  await apply({ size: 1, id: "7" }, { size: 2, id: "7" });
  await plan({ size: 1, id: "8" }, { size: 2, id: null });
  expect(phases).toEqual([undefined, "plan", "apply"]);
});

describe("an error that every request meets", () => {
  const common = { explain: () => ({ summary: "Locked out", detail: "…", isCommon: true }) };

  test("is told once by a plan, which asks no more", async () => {
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

  test("is told once by an apply, where the others say that they are not done either", async () => {
    const { apply } = await configured({ create: async () => Promise.reject(new Error("no")) }, common);
    expect(summaries(await apply(null, { size: 1, id: unknown }))).toEqual(["Locked out"]);
    expect(summaries(await apply(null, { size: 2, id: unknown }))).toEqual(["Not done either"]);
  });

  test("does not silence the reviews of an apply", async () => {
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

describe("a change that its review asks about again", () => {
  const refusing: Partial<Thing> = {
    async review({ action }, { plan, report, reviewAgain }) {
      if (action === "update") reviewAgain();
      if (plan.phase === "apply") report({ severity: "error", summary: "Refused", detail: "" });
      report({ severity: "warning", summary: "Seen", detail: "" });
    },
  };

  test("is refused by the apply, which leaves the object as it was", async () => {
    const written: unknown[] = [];
    const { plan, apply } = await configured({ ...refusing, update: async () => Promise.reject(written.push(1)) });
    const prior = { size: 1, id: "1" };
    const planned = await plan(prior, { size: 2, id: null });
    expect(summaries(planned)).toEqual(["Seen"]);
    const applied = await apply(prior, { size: 2, id: "1" }, planned.plannedPrivate);
    expect(summaries(applied)).toEqual(["Refused"]);
    expect(value(applied.newState)).toEqual(prior);
    expect(written).toEqual([]);
  });

  test("counts no longer for the changes that come after", async () => {
    const seen: unknown[] = [];
    const { plan, apply } = await configured({
      async review(_change, context) {
        seen.push(context.plan.changes().map(({ planned }) => planned));
        context.reviewAgain();
        if (context.plan.phase === "apply") context.report({ severity: "error", summary: "Refused", detail: "" });
      },
    });
    const planned = await plan({ size: 1, id: "1" }, { size: 2, id: null });
    await apply({ size: 1, id: "1" }, { size: 2, id: "1" }, planned.plannedPrivate);
    await plan({ size: 1, id: "2" }, { size: 3, id: null });
    expect(seen.at(-1)).toEqual([{ size: 3, id: "2" }]);
  });

  test("is always one that destroys, as Terraform does not plan that again; never one half of a replacement", async () => {
    const { plan, apply } = await configured(refusing);
    const going = await plan({ size: 1, id: "1" }, null);
    expect(summaries(await apply({ size: 1, id: "1" }, null, going.plannedPrivate))).toEqual(["Refused"]);
    const replaced = await plan({ size: 1, shape: "round", id: "2" }, { size: 1, shape: "square", id: null });
    expect(summaries(await apply({ size: 1, shape: "round", id: "2" }, null, replaced.plannedPrivate))).toEqual([]);
  });
});

describe("what a review could not look at is not done", () => {
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
    ["every request", { isCommon: true }, "Not done either"],
  ])("where the error of %s was told by another", async (_what, cause, instead) => {
    const written: unknown[] = [];
    const update: Thing["update"] = async ({ size }, { id }) => (written.push(size), { id });
    const explain = () => ({ summary: "No answer", detail: "…", ...cause });
    const told = await both(await configured({ review: failing, update }, { explain }));
    expect(told).toEqual([["No answer"], [instead], [], [instead]]);
    expect(written).toEqual([]);
  });

  test("until it is looked at after all", async () => {
    let isUp = false;
    const { plan, apply } = await configured({ review: async () => (isUp ? undefined : failing()) });
    const prior = { size: 1, id: "1" };
    const { plannedPrivate } = await plan(prior, { size: 2, id: null });
    expect(summaries(await apply(prior, { size: 2, id: "1" }, plannedPrivate))).toEqual(["Trouble"]);
    isUp = true;
    expect(summaries(await apply(prior, { size: 2, id: "1" }, plannedPrivate))).toEqual([]);
  });

  test("where a host destroys without a plan", async () => {
    const deleted: unknown[] = [];
    const { plan, apply } = await configured(
      { review: failing, delete: async ({ id }) => void deleted.push(id) },
      { explain: () => ({ summary: "No answer", detail: "…", topic: "looking" }) },
    );
    await plan({ size: 1, id: "1" }, { size: 2, id: null });
    expect(summaries(await apply({ size: 1, id: "2" }, null))).toEqual(["No answer"]);
    expect(deleted).toEqual([]);
  });
});

test("errors of one topic are told once by a plan, and each by an apply; those of none are told each", async () => {
  const topic = { explain: ({ message }: Error) => ({ summary: message, detail: "…", topic: message || undefined }) };
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
  test("is reviewed where the configuration holds, and else says what does not", async () => {
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

  test("and an apply leave warnings to the validation, which gave them already", async () => {
    const { call, plan, apply } = await configured({});
    const config = { size: 1, shape: "odd", id: null };
    const validated = await call("validateResourceConfig", { config: bytes(config) });
    expect(summaries(validated)).toEqual(["Doubtful shape"]);
    expect(summaries(await plan(null, config))).toEqual([]);
    expect(summaries(await apply(null, { ...config, id: unknown }))).toEqual([]);
  });

  test("keeps the object key of an object through errors of its configuration", async () => {
    const { plan } = await configured({});
    const first = await plan({ size: 1, id: "7" }, { size: 2, id: null });
    const { objectKey } = JSON.parse(first.plannedPrivate);
    const wrong = await plan({ size: 1, id: "7" }, { size: 2_000_000_000, id: null }, first.plannedPrivate);
    expect(JSON.parse(wrong.plannedPrivate).objectKey).toBe(objectKey);
  });

  test("tells what a review throws", async () => {
    const { plan } = await configured({ review: async () => Promise.reject(new Error("no answer")) });
    expect((await plan(null, { size: 1, id: null })).diagnostics).toMatchObject([{ detail: "no answer" }]);
  });
});

describe("an object that takes the place of another", () => {
  const prior = { size: 1, shape: "round", id: "7" };
  const wanted = { size: 1, shape: "square", id: null };

  /** As Terraform: the old one is planned with what replaces it, then the new one by itself, and both are done by that plan. */
  async function replacing(behaviour: Partial<Thing>) {
    const around = await configured(behaviour);
    const old = await around.plan(prior, wanted);
    const successor = await around.plan(null, wanted, old.plannedPrivate);
    return { ...around, old, successor };
  }

  test("is known as such, and meets no claim of it", async () => {
    const told: (string | undefined)[] = [];
    const reviewed: Change[] = [];
    const { old, successor } = await replacing({
      async review(change, { plan: entry }) {
        reviewed.push(change);
        told.push(entry.claim(["place", 1], "it"));
      },
    });
    expect(old.requiresReplace).toHaveLength(1);
    expect(told).toEqual([undefined, undefined]);
    expect(reviewed[1]).toMatchObject({ action: "create", replaced: { id: "7" } });
    expect(successor.diagnostics).toEqual([]);
  });

  test("is told to the one that goes: as it was made, where it has its identity already", async () => {
    const deleted: unknown[] = [];
    const { apply, successor } = await replacing({
      create: async () => ({ id: "7" }),
      delete: async (_state, _context, next) => void deleted.push(next),
    });
    await apply(null, { ...wanted, id: unknown }, successor.plannedPrivate);
    await apply(prior, null, successor.plannedPrivate);
    expect(deleted).toEqual([{ size: 1, shape: "square", id: "7" }]);
  });

  test("is told to the one that goes first by its identity, as far as that is known", async () => {
    const deleted: unknown[] = [];
    const { definition } = thing();
    const { apply, successor } = await replacing({
      definition: { ...definition, identity: z.object({ shape: attribute(z.string(), "Shape.") }) },
      delete: async (_state, _context, next) => void deleted.push(next),
    });
    await apply(prior, null, successor.plannedPrivate);
    expect(deleted).toEqual([{ shape: "square" }]);
  });

  test("is not told to one that goes for good", async () => {
    const deleted: unknown[] = [];
    const { apply, plan } = await configured({
      delete: async ({ id }, _context, next) => void deleted.push([id, next]),
    });
    const going = await plan(prior, null);
    await apply(prior, null, going.plannedPrivate);
    expect(deleted).toEqual([["7", undefined]]);
  });
});

test("what is being made is told to others with its identity already", async () => {
  const deleted: unknown[] = [];
  const { apply } = await configured({
    async update(_planned, { id }) {
      await apply({ size: 1, id }, null);
      return { id };
    },
    delete: async (_state, _context, next) => void deleted.push(next),
  });
  await apply({ size: 2, id: "7" }, { size: 3, id: "7" });
  expect(deleted).toEqual([{ size: 3, id: "7" }]);
});

test("what was made and is gone again is told to nobody; what failed to be made was never there", async () => {
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

test("an update that fails leaves the prior state; a create that fails leaves none", async () => {
  const no = async () => Promise.reject(new Error("no"));
  const { apply } = await configured({ create: no, update: no, delete: no });
  const prior = { size: 1, id: "7" };
  expect(value((await apply(prior, { size: 2, id: "7" })).newState)).toEqual(prior);
  expect(value((await apply(prior, null, Buffer.from("{}"))).newState)).toEqual(prior);
  expect(value((await apply(null, { size: 2, id: unknown })).newState)).toBeNull();
});
