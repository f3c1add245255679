/** What is read of the tenant: pages, shared reads, and what writes change of it. */
import { createCursor, isCursor, pagesOf } from "../../src/tenant/cursor";
import { createKnown } from "../../src/tenant/gate/known";
import { createSnapshot, dropping } from "../../src/tenant/snapshot";
import { gate } from "./support/gate";

const idOf = (id: string) => id;

test("ends a list at the first page that is empty or names no next page", async () => {
  for (const last of [{ items: ["c"] }, { items: [], next: "3" }]) {
    const told = [{ items: ["a", "b"], next: "1" }, { items: ["b"], next: "2" }, last];
    told[1]!.items.push("d");
    const cursor = createCursor(async (from) => told[Number(from ?? 0)]!, idOf);
    const pages: (readonly string[])[] = [];
    for await (const page of pagesOf(cursor)) pages.push(page);
    expect(pages).toEqual(told.map(({ items }) => items));
    expect([...cursor.items.keys()]).toEqual(["a", "b", "d", ...last.items]);
  }
});

test("refuses a list whose page names a next page but adds nothing", async () => {
  const cursor = createCursor(async () => ({ items: ["a"], next: "1" }), idOf);
  await cursor.advance();
  await expect(cursor.advance()).rejects.toMatchObject({
    code: "unlike_service",
    message: expect.stringContaining("the pages of a list have no end. Tenantform stopped after 1 entries"),
  });
});

test("refuses a list that is longer than any list of the service", async () => {
  let read = 0;
  const cursor = createCursor(async () => ({ items: [String(read)], next: String(++read) }), idOf);
  for (let page = 1; page < 10_000; page++) await cursor.advance();
  await expect(cursor.advance()).rejects.toMatchObject({ code: "unlike_service" });
});

test("accepts a page that says that no next page exists", () => {
  expect([undefined, null, "", "x", 1, {}].map(isCursor)).toEqual([true, true, true, true, false, false]);
});

/** Each read returns how many reads there were. */
function counted(fails: (read: number) => boolean = () => false) {
  let reads = 0;
  return createSnapshot(async () => {
    const read = ++reads;
    if (fails(read)) throw new Error(`failed ${read}`);
    return read;
  });
}

test("fails all waiting calls with a failed read, and does not keep it", async () => {
  const snapshot = counted((read) => read === 1);
  await Promise.all([snapshot.read(), snapshot.read()].map((read) => expect(read).rejects.toThrow("failed 1")));
  expect([await snapshot.read(), await snapshot.read()]).toEqual([2, 2]);
});

test("ignores the failure of a read that was dropped before", async () => {
  const leave = gate();
  let reads = 0;
  const snapshot = createSnapshot(async () => {
    if (++reads > 1) return reads;
    await leave.opened;
    throw new Error("failed");
  });
  const first = snapshot.read();
  snapshot.drop();
  expect(await snapshot.read()).toBe(2);
  leave.open();
  await expect(first).rejects.toThrow("failed");
  expect(await snapshot.read()).toBe(2);
});

test("drops everything that was read before or during a write", async () => {
  const snapshot = counted();
  expect(await snapshot.read()).toBe(1);
  const during = await dropping(snapshot, async () => [await snapshot.read(), await snapshot.read()]);
  expect(during).toEqual([2, 2]);
  expect(await snapshot.read()).toBe(3);
  const broken = dropping(snapshot, () => Promise.reject(new Error("broken")));
  await expect(broken).rejects.toThrow("broken");
  expect(await snapshot.read()).toBe(4);
});

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
