/** What the client reads: pages behind cursors, lists of members, and copies that it keeps. */
import { createCursor, isCursor, pagesOf } from "../../src/tenant/cursor";
import { decodeNetworkAcl, decodeNetworkAcls } from "../../src/tenant/network-acl";
import { createSnapshot, dropping } from "../../src/tenant/snapshot";
import { aclBody } from "./support/embedded";
import { gate } from "./support/gate";
import { missing, type Reply, scripted } from "./support/scripted";

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

const page = (total: number | undefined, from: number, count: number, next?: string): Reply => ({
  body: { members: Array.from({ length: count }, (_, index) => ({ user_id: `auth0|${from + index}` })), total, next },
});

test("reads the list again in order if two pages have different totals", async () => {
  const { tenant, lines } = scripted(({ path }) => {
    const query = new URLSearchParams(path.split("?")[1]);
    const at = query.get("page");
    if (at !== null) return page(at === "1" ? 251 : 250, 100 * Number(at), at === "2" ? 50 : 100);
    return query.has("from") ? page(undefined, 100, 150) : page(undefined, 0, 100, "a");
  });
  expect(await tenant.organizationMembers.list("org_1")).toHaveLength(250);
  expect(lines.filter((line) => line.includes("take=100"))).toHaveLength(2);
});

test("does not mistake a missing organization for one without members", async () => {
  const { tenant } = scripted(() => missing);
  await expect(tenant.organizationMembers.list("org_1")).rejects.toMatchObject({ code: "not_found" });
});

test.each([0, 1, 250, 1200])("reads the names of %d members in as many requests as their ids", async (count) => {
  const all = Array.from({ length: count }, (_, index) => ({
    user_id: `auth0|${index}`,
    name: `User ${index}`,
    email: index % 2 === 0 ? "" : `u${index}@acme.example`,
  }));
  const { tenant, lines } = scripted(({ path }) => {
    const query = new URLSearchParams(path.split("?")[1]);
    const from = Number(query.get("from") ?? 100 * Number(query.get("page") ?? 0));
    const members = all.slice(from, from + 100);
    const next = query.has("take") && members.length > 0 ? { next: String(from + members.length) } : {};
    return { body: { members, ...next, ...(query.has("page") && { total: Math.min(count, 1000) }) } };
  });
  const ids = await tenant.organizationMembers.list("org_1");
  const requests = lines.splice(0).length;
  const people = await tenant.organizationMembers.people("org_1");
  expect(people.map(({ user_id: id }) => id)).toEqual(ids);
  expect(lines).toHaveLength(requests);
  expect(people.slice(0, 2)).toEqual(
    [
      { user_id: "auth0|0", name: "User 0" },
      { user_id: "auth0|1", name: "User 1", email: "u1@acme.example" },
    ].slice(0, count),
  );
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

const moment = "2026-01-01T00:00:00.000Z";
const acl = { ...aclBody(1), id: "acl_1", created_at: moment, updated_at: moment };

test.each([{ id: 1 }, { active: "yes" }, { rule: null }, { rule: { scope: "tenant" } }, { rule: { action: {} } }])(
  "refuses an incomplete ACL: %j",
  (part) => {
    expect([decodeNetworkAcl(acl), decodeNetworkAcls([acl])]).toEqual([acl, [acl]]);
    const broken = { ...acl, ...part };
    expect([decodeNetworkAcl(broken), decodeNetworkAcls([acl, broken])]).toEqual([undefined, undefined]);
  },
);

test("accepts both forms of a successful deletion", async () => {
  for (const reply of [{ status: 204 }, { body: { code: 204 } }]) {
    await scripted(() => reply).tenant.networkAcls.delete("acl_1");
  }
  for (const body of [{ code: 200 }, { code: "204" }, [], {}]) {
    const deleting = scripted(() => ({ body })).tenant.networkAcls.delete("acl_1");
    await expect(deleting).rejects.toMatchObject({ code: "unlike_service" });
  }
});
