import { createCursor, isCursor, pagesOf } from "../../src/tenant/cursor";

const idOf = (id: string) => id;

test("a list ends with the first page that names no next, or that is empty", async () => {
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

test("a page that names a next, and tells nothing new, leads nowhere", async () => {
  const cursor = createCursor(async () => ({ items: ["a"], next: "1" }), idOf);
  await cursor.advance();
  await expect(cursor.advance()).rejects.toMatchObject({
    code: "unlike_service",
    message: expect.stringContaining("a list of 1 names page after page without an end"),
  });
});

test("a list that is longer than any of the service's is not read on", async () => {
  let read = 0;
  const cursor = createCursor(async () => ({ items: [String(read)], next: String(++read) }), idOf);
  for (let page = 1; page < 10_000; page++) await cursor.advance();
  await expect(cursor.advance()).rejects.toMatchObject({ code: "unlike_service" });
});

test("a page may say of the next one that there is none", () => {
  expect([undefined, null, "", "x", 1, {}].map(isCursor)).toEqual([true, true, true, true, false, false]);
});
