/** What is read of the tenant: pages, shared reads, what writes change of it, and how many requests each operation takes. */
import { createCursor, createSnapshot, dropping, isCursor, pagesOf } from "../../src/tenant/cursor";
import { createKnown } from "../../src/tenant/gate/progress";
import { aclBody, embed, type Embedded, policyBody, userIds } from "./support/embedded";
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

let embedded: Embedded;

const organization = "org_0123456789abcdef";
const withMembers = (count: number) => ({ seed: { organizations: [{ id: organization, members: userIds(count) }] } });

test.each([1, 2, 55, 100])("refreshes %i network ACLs with one request", async (count) => {
  embedded = await embed({ seed: { network_acls: Array.from({ length: count }, (_, index) => aclBody(index + 1)) } });
  const ids = embedded.emulator.store.networkAcls.values().map(({ id }) => id);
  const acls = await Promise.all(ids.map((id) => embedded.tenant.networkAcls.get(id)));
  expect(acls.map((acl) => acl?.id)).toEqual(ids);
  expect(await embedded.tenant.networkAcls.list()).toHaveLength(count);
  expect(embedded.lines()).toEqual(["GET /network-acls 200"]);
  expect(embedded.tokens()).toBe(1);
});

test("takes one request for each create, update and delete, and reads again after a write", async () => {
  embedded = await embed();
  const { networkAcls, rateLimitPolicies } = embedded.tenant;
  const acl = await networkAcls.create(aclBody(1));
  await networkAcls.replace(acl.id, aclBody(1, "changed"), { priority: 1 });
  expect((await networkAcls.get(acl.id))?.description).toBe("changed");
  await networkAcls.replace(acl.id, aclBody(7), { priority: 1 });
  expect((await networkAcls.get(acl.id))?.priority).toBe(7);
  await networkAcls.delete(acl.id, { priority: 7 });
  const policy = await rateLimitPolicies.create(policyBody(1));
  await rateLimitPolicies.update(policy.id, { action: "allow" });
  expect((await rateLimitPolicies.get(policy.id))?.configuration).toEqual({ action: "allow" });
  await rateLimitPolicies.delete(policy.id);
  expect(embedded.lines()).toEqual([
    "POST /network-acls 201",
    `PUT /network-acls/${acl.id} 200`,
    "GET /network-acls 200",
    `PUT /network-acls/${acl.id} 200`,
    "GET /network-acls 200",
    `DELETE /network-acls/${acl.id} 200`,
    "POST /rate-limit-policies 201",
    `PATCH /rate-limit-policies/${policy.id} 200`,
    "GET /rate-limit-policies 200",
    `DELETE /rate-limit-policies/${policy.id} 204`,
  ]);
});

test("names the object that prevents a create, and whether it can be adopted, with one more request", async () => {
  embedded = await embed();
  const first = await embedded.tenant.networkAcls.create(aclBody(1));
  const policy = await embedded.tenant.rateLimitPolicies.create(policyBody(1));
  const { networkAcls, rateLimitPolicies } = embedded.client();
  embedded.emulator.requests.length = 0;
  const lines = () => embedded.lines().splice(0, 99);
  await expect(networkAcls.create(aclBody(1, "another"))).rejects.toMatchObject({
    code: "priority_taken",
    message: `Network ACL "list 1" (${first.id}) already has priority 1, which "another" needs.`,
    existing: first,
    identical: false,
  });
  expect(lines()).toEqual(["POST /network-acls 409", "GET /network-acls 200"]);
  embedded.emulator.requests.length = 0;
  const again = embedded.client().networkAcls;
  await expect(again.create(aclBody(1))).rejects.toMatchObject({ existing: first, identical: true });
  expect(lines()).toEqual(["POST /network-acls 409", "GET /network-acls 200"]);
  // It was reported once already, so a second resource cannot adopt it.
  await expect(again.create(aclBody(1))).rejects.toMatchObject({ identical: false });
  embedded.emulator.requests.length = 0;
  const other = { ...policyBody(1), configuration: { action: "allow" } };
  await expect(embedded.client().rateLimitPolicies.create(other)).rejects.toMatchObject({
    code: "conflict",
    existing: policy,
    identical: false,
  });
  await expect(rateLimitPolicies.create(policyBody(1))).rejects.toMatchObject({ existing: policy, identical: true });
  await expect(rateLimitPolicies.create(policyBody(1))).rejects.toMatchObject({ identical: false });
  const refused = ["POST /rate-limit-policies 409", "GET /rate-limit-policies 200"];
  expect(lines()).toEqual([...refused, ...refused, ...refused]);
});

test("reads an object that is not in the list by its own request before it counts as deleted", async () => {
  embedded = await embed();
  const missing = `acl_${"1".repeat(22)}`;
  expect(await embedded.tenant.networkAcls.get(missing)).toBeUndefined();
  expect(embedded.lines()).toEqual(["GET /network-acls 200", `GET /network-acls/${missing} 404`]);
});

test.each([
  { stack: 1, tenant: 1, requests: 1 },
  { stack: 100, tenant: 100, requests: 1 },
  { stack: 250, tenant: 250, requests: 3 },
  { stack: 2, tenant: 250, requests: 3 },
])("refreshes $stack of $tenant policies with $requests", async (size) => {
  embedded = await embed({
    seed: { rate_limit_policies: Array.from({ length: size.tenant }, (_, index) => policyBody(index)) },
  });
  const all = embedded.emulator.store.rateLimitPolicies.values().map(({ id }) => id);
  const ids = all.slice(all.length - size.stack);
  const policies = await Promise.all(ids.map((id) => embedded.tenant.rateLimitPolicies.get(id)));
  expect(policies.map((policy) => policy?.id)).toEqual(ids);
  expect(embedded.lines()).toHaveLength(size.requests);
});

test.each([
  { members: 0, expected: undefined, requests: 1 },
  { members: 1, expected: undefined, requests: 1 },
  { members: 100, expected: undefined, requests: 1 },
  { members: 101, expected: undefined, requests: 2 },
  { members: 550, expected: 550, requests: 6 },
  { members: 999, expected: 999, requests: 10 },
  { members: 1000, expected: 1000, requests: 11 },
  { members: 1001, expected: 1001, requests: 12 },
  { members: 1250, expected: 1250, requests: 14 },
  { members: 1250, expected: undefined, requests: 15 },
  { members: 1250, expected: 900, requests: 15 },
])("reads $members members with $requests if it expects $expected", async ({ members, expected, requests }) => {
  embedded = await embed(withMembers(members));
  const found = await embedded.tenant.organizationMembers.list(organization, expected);
  expect(found.toSorted()).toEqual(userIds(members));
  expect(embedded.lines()).toHaveLength(requests);
  expect(embedded.emulator.requests.at(-1)?.query).toContain("fields=user_id&include_fields=true");
});

test("reads the members of an organization once for all calls, until a write", async () => {
  embedded = await embed(withMembers(30));
  const { organizationMembers } = embedded.tenant;
  const lists = await Promise.all([1, 2, 3].map(() => organizationMembers.list(organization)));
  lists[0]?.push("not shared");
  expect(await organizationMembers.list(organization)).toHaveLength(30);
  expect(embedded.lines()).toHaveLength(1);
  await organizationMembers.remove(organization, userIds(1));
  expect(await organizationMembers.list(organization)).toHaveLength(29);
  expect(embedded.lines()).toHaveLength(3);
});

test("adds K and removes L members with ceil(K / 10) + ceil(L / 10) requests", async () => {
  embedded = await embed(withMembers(47));
  const { organizationMembers } = embedded.tenant;
  const done: string[] = [];
  await organizationMembers.add(organization, userIds(63, 100), (ids) => done.push(...ids));
  await organizationMembers.remove(organization, userIds(47), (ids) => done.push(...ids));
  expect(embedded.lines()).toHaveLength(7 + 5);
  expect(done.toSorted()).toEqual([...userIds(47), ...userIds(63, 100)].toSorted());
  expect((await organizationMembers.list(organization)).toSorted()).toEqual(userIds(63, 100));
});
