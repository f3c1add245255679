import { createKnown } from "../../../src/tenant/gate/known";
import { gate } from "../support/gate";

const at = (id: string, place: number) => ({ id, place });
const places = (known: { all(): readonly { id: string; place: number }[] }) =>
  Object.fromEntries(known.all().map(({ id, place }) => [id, place]));

test("keeps a write during a load, because the list may be from before", async () => {
  const leave = gate();
  const known = createKnown(async () => {
    await leave.opened;
    return [at("a", 1), at("b", 2), at("c", 3)];
  });
  const loading = known.load();
  expect(known.load()).toBe(loading);
  known.set("a", at("a", 9));
  known.set("b", undefined);
  leave.open();
  expect(await loading).toBe(true);
  expect(places(known)).toEqual({ a: 9, c: 3 });
});

test("prefers a write and a list to the state", async () => {
  const leave = gate();
  const known = createKnown(async () => {
    await leave.opened;
    return [at("a", 1), at("b", 2)];
  });
  known.assume(at("a", 3));
  expect(places(known)).toEqual({ a: 3 });
  known.set("a", at("a", 4));
  known.assume(at("a", 3));
  expect(places(known)).toEqual({ a: 4 });
  const loading = known.load();
  known.assume(at("b", 3));
  leave.open();
  await loading;
  known.assume(at("c", 4));
  expect(places(known)).toEqual({ a: 1, b: 2 });
});

test("keeps its content if the list cannot be read", async () => {
  const known = createKnown<{ id: string; place: number }>(() => Promise.reject(new Error("Insufficient scope")));
  known.set("a", at("a", 1));
  expect([await known.load(), known.loaded, places(known)]).toEqual([false, false, { a: 1 }]);
});
