/** An interrupted replacement leaves two entries for one object in the state. The next apply keeps the object. */
import { unknown } from "../../src/cty/value";
import type { RegistryOptions } from "../../src/sdk/plan-registry";
import { bytes, host, serve, thing, value, type Thing } from "./support/serving";

const at = { size: 1, id: "7" };
const privateOf = (objectKey: string, own: object = {}) => Buffer.from(JSON.stringify({ objectKey, own }));
const old = privateOf("old");
const fresh = privateOf("new", { adopted: true });
const summaries = ({ diagnostics }: { diagnostics: { summary: string }[] }) =>
  diagnostics.map(({ summary }) => summary);

/** Reports two entries that neither the plan nor the provider can reconcile. */
const claiming: Thing["review"] = async ({ prior, action }, { plan, report }) => {
  if (prior && plan.claim(["identity", prior.id], action) !== undefined) {
    report({ severity: "error", summary: "Two entries", detail: "" });
  }
  if (plan.changes().some(({ planned }) => !planned))
    report({ severity: "warning", summary: "Something goes", detail: "" });
};

async function start(registry: RegistryOptions = {}, behaviour: Partial<Thing> = {}) {
  const destroyed: unknown[] = [];
  const updated: unknown[] = [];
  const resource = thing({
    review: claiming,
    delete: async ({ id }, _context, successor) => void (successor?.id === id || destroyed.push(id)),
    update: async (planned, { id }) => (updated.push(planned), { id }),
    ...behaviour,
  });
  const { call } = serve(resource, {}, registry);
  await call("configureProvider", { config: undefined });
  const calls = host(call);
  return {
    ...calls,
    destroyed,
    updated,
    read: (kept: Uint8Array) => call("readResource", { currentState: bytes(at), private: kept }),
    planDestroy: () => calls.plan(at, null, old),
    planKeep: (size = 1) => calls.plan(at, { size, id: null }, fresh),
  };
}
const planning = { command: () => ({ name: "plan", parallelism: 1 }) };

test("plans a change of the new entry, so that the apply calls for it before it destroys the old one", async () => {
  const plan = await start(planning);
  await plan.planDestroy();
  const kept = await plan.planKeep();
  expect(value(kept.plannedState)).toEqual({ size: 1, id: unknown });
  expect(summaries(kept)).toEqual(["An interrupted replacement will be completed"]);

  const apply = await start();
  const replanned = await apply.planKeep();
  expect(value(replanned.plannedState)).toEqual({ size: 1, id: unknown });
  const made = await apply.apply(at, { size: 1, id: unknown }, replanned.plannedPrivate);
  expect(value(made.newState)).toEqual(at);
  expect(JSON.parse(made.private.toString()).own).toEqual({});
  const { plannedPrivate, diagnostics } = await apply.planDestroy();
  expect(diagnostics).toEqual([]);
  expect(summaries(await apply.apply(at, null, plannedPrivate))).toEqual([]);
  expect([apply.destroyed, apply.updated]).toEqual([[], []]);
});

test("refuses to destroy the old entry if the new one was planned before, because the apply would not know of it", async () => {
  const { planKeep, planDestroy } = await start(planning);
  expect(value((await planKeep()).plannedState)).toEqual(at);
  expect(summaries(await planDestroy())).toContain("Two entries");
});

test("keeps the object in any order if the plan changes the new entry", async () => {
  const { planKeep, planDestroy } = await start(planning);
  expect(value((await planKeep(2)).plannedState)).toEqual({ ...at, size: 2 });
  expect(summaries(await planDestroy())).toEqual([]);
});

test("still refuses two resources of one object, unless one of them adopted it", async () => {
  const { plan, planDestroy } = await start(planning);
  await planDestroy();
  const kept = await plan(at, { size: 1, id: null }, privateOf("new"));
  expect(value(kept.plannedState)).toEqual(at);
  expect(summaries(kept)).toContain("Two entries");
});

test("plans no change of an adopted object without an old entry", async () => {
  const { read, planKeep } = await start();
  await read(fresh);
  const kept = await planKeep();
  expect([value(kept.plannedState), kept.diagnostics]).toEqual([at, []]);
});

test("forgets that an object was adopted when the provider creates it again", async () => {
  const { apply } = await start();
  const made = await apply(null, { size: 1, id: unknown }, privateOf("new", { adopted: true }));
  expect(JSON.parse(made.private.toString()).own).toEqual({});
});
