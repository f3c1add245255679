import { createCursor, isCursor, pagesOf } from "../../src/tenant/cursor";

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
