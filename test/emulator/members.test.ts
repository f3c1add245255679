/** The members of an organization: additions, removals, and lists by checkpoint and by offset. refusals.test.ts has the rest. */
import { createMembership, membersAfter, type Member } from "../../src/emulator/state/membership";
import fc from "../support/random";
import { createTenant, requestToken, send, type Tenant } from "./client";

const users = (count: number) => Array.from({ length: count }, (_, n) => `auth0|u${n}`);
const idsOf = (members: { user_id: string }[]) => members.map(({ user_id }) => user_id);

async function withMembers(count: number, options?: Parameters<typeof createTenant>[0]) {
  const tenant = await createTenant(options);
  const { id } = tenant.store.addOrganization({ members: users(count) });
  const path = `/organizations/${id}/members`;
  const list = async (query = "") => (await tenant.call("GET", `${path}${query}`)).body;
  const now = () => [...tenant.store.members(id)!].map(([user]) => user);
  return { tenant, path, id, list, now };
}

test("adds and removes members with 204, even if they are already added or removed", async () => {
  const { tenant, path, now } = await withMembers(2);
  for (const method of ["POST", "POST", "DELETE", "DELETE"]) {
    const response = await tenant.call(method, path, { members: ["auth0|a", "auth0|a", "auth0|u0"] });
    expect([response.status, response.text]).toEqual([204, ""]);
  }
  expect(now()).toEqual(["auth0|u1"]);
});

test("accepts a form with every notation of a list for a removal", async () => {
  const { tenant, path, now } = await withMembers(8);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const form of [
    "members[]=auth0|u0&members[]=auth0|u1",
    "members[0]=auth0%7Cu2&members[1]=auth0%7Cu3",
    "members=auth0|u4&members=auth0|u5",
    "members=auth0|u6",
  ]) {
    expect((await tenant.call("DELETE", path, form, headers)).status).toBe(204);
  }
  expect(now()).toEqual(["auth0|u7"]);
});

/** All members by checkpoint, and the number of pages. */
async function walk(tenant: Tenant, path: string, take: number) {
  const found: string[] = [];
  let from = "";
  for (let pages = 1; ; pages++) {
    const { body } = await tenant.call("GET", `${path}?take=${take}${from && `&from=${encodeURIComponent(from)}`}`);
    found.push(...idsOf(body.members));
    if (body.next === undefined) return { found, pages, last: body };
    from = body.next;
  }
}

test("lists by checkpoint with next on every page that is not empty, in no order inside of a page", async () => {
  const { tenant, path, list } = await withMembers(25);
  const { found, pages, last } = await walk(tenant, path, 10);
  expect([found.toSorted(), pages, last]).toEqual([users(25).toSorted(), 4, { members: [] }]);
  expect((await walk(tenant, path, 5)).pages).toBe(6);
  // Clients send the defaults of offsets as well.
  const first = await list("?include_totals=true&per_page=50&take=10");
  expect(Object.keys(first)).toEqual(["members", "next"]);
  const page = idsOf(first.members);
  expect(page.toSorted()).toEqual(users(10).toSorted());
  expect(page).not.toEqual(page.toSorted());
  expect(Buffer.from(first.next, "base64").toString()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}UTC,auth0\|u9$/);
  expect((await list(`?from=${encodeURIComponent(first.next)}`)).members).toHaveLength(15);
});

test("keeps the position of a cursor while members are added and removed", async () => {
  const { tenant, id, list } = await withMembers(20);
  const first = await list("?take=10");
  tenant.store.removeMembers(id, ["auth0|u9", "auth0|u3", "auth0|u15"]);
  tenant.store.addMembers(id, ["auth0|new"]);
  const second = idsOf((await list(`?take=50&from=${encodeURIComponent(first.next)}`)).members);
  const left = users(20)
    .slice(10)
    .filter((user) => user !== "auth0|u15");
  expect(second.toSorted()).toEqual(["auth0|new", ...left].toSorted());
});

test("lists by offset the first thousand members, with and without totals", async () => {
  const { list } = await withMembers(1205);
  expect(await list()).toHaveLength(50);
  const last = await list("?page=9&per_page=100&include_totals=true");
  expect({ ...last, members: last.members.length }).toEqual({ start: 900, limit: 100, total: 1000, members: 100 });
  const beyond = await list("?page=10&per_page=100&include_totals=true");
  expect(beyond).toEqual({ members: [], start: 1000, limit: 100, total: 1000 });
  expect(await list("?page=33&per_page=30")).toHaveLength(10);
});

test("returns the known fields of a member, or the requested ones of them; roles need a scope of their own", async () => {
  const { tenant, path, list } = await withMembers(1);
  const known = { user_id: "auth0|u0", email: "u@a.example", name: "U", picture: "https://a.example/p.png" };
  tenant.store.users.put({ ...known, nickname: "u" });
  const few = [{ user_id: "auth0|u0", name: "U" }];
  expect(await list()).toEqual([known]);
  expect(await list("?fields=user_id,name&include_fields=true")).toEqual(few);
  expect(await list("?fields=email,picture&include_fields=false")).toEqual(few);
  expect(await list("?fields=roles")).toEqual([{ roles: [] }]);
  const { body } = await requestToken(tenant, { scope: "read:organization_members" });
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await send(tenant, "GET", `/api/v2${path}`, { headers })).status).toBe(200);
  const refused = await send(tenant, "GET", `/api/v2${path}?fields=roles`, { headers });
  const scopes = "read:organization_members, read:organization_member_roles";
  expect([refused.status, refused.body.message]).toEqual([403, `Insufficient scope, expected any of: ${scopes}`]);
});

test("takes only known users if users are tracked, but removes any; a deleted user is no member", async () => {
  const { tenant, path, now } = await withMembers(0, { trackUsers: true });
  const { body } = await tenant.call("POST", "/users", { connection: "c", email: "a@a.example" });
  expect((await tenant.call("POST", path, { members: [body.user_id, "auth0|ghost"] })).status).toBe(400);
  expect(now()).toEqual([]);
  expect((await tenant.call("POST", path, { members: [body.user_id] })).status).toBe(204);
  expect((await tenant.call("DELETE", path, { members: ["auth0|ghost"] })).status).toBe(204);
  expect((await tenant.call("DELETE", `/users/${encodeURIComponent(body.user_id)}`)).status).toBe(204);
  expect(now()).toEqual([]);
});

test("lists the members of an earlier moment if the list lags behind", async () => {
  let time = Date.parse("2026-01-01T00:00:00Z");
  const { tenant, path, list } = await withMembers(3, { now: () => time });
  time += 10_000;
  await tenant.call("POST", path, { members: ["auth0|new"] });
  await tenant.call("DELETE", path, { members: ["auth0|u1"] });
  time += 1_000;
  const seen = async () => idsOf((await list("?take=50")).members).toSorted();
  const after = ["auth0|new", "auth0|u0", "auth0|u2"];
  expect(await seen()).toEqual(after);
  tenant.faults.add({ method: "GET", path: "/api/v2/organizations/*/members", stale: 5_000 });
  expect(await seen()).toEqual(users(3));
  time += 5_000;
  expect(await seen()).toEqual(after);
});

const memberOf = (micros: number): Member => ({ user: `auth0|${micros % 7}-${micros}`, micros });
const compare = (a: Member, b: Member) => a.micros - b.micros || (a.user < b.user ? -1 : 1);

test("keeps members in the order they joined, now and at each earlier moment, and continues after any member", () => {
  const step = fc.record({ add: fc.boolean(), micros: fc.nat(40) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(40), fc.nat(10), (steps, after, count) => {
      const membership = createMembership();
      const model = new Map<string, Member>();
      const history: (readonly Member[])[] = [];
      for (const [at, { add, micros }] of steps.entries()) {
        const { user } = memberOf(micros);
        if (add) membership.add(user, at);
        else membership.remove(user, at);
        if (add && !model.has(user)) model.set(user, { user, micros: at });
        if (!add) model.delete(user);
        history[at] = [...model.values()].toSorted(compare);
        expect(membership.list()).toEqual(history[at]);
      }
      for (const [at, then] of history.entries()) expect([at, membership.list(at)]).toEqual([at, then]);
      const now = membership.list();
      expect([...membership]).toEqual(now.map(({ user, micros }) => [user, micros]));
      const given = memberOf(after);
      const behind = now.filter((member) => compare(given, member) < 0);
      expect(membersAfter(now, count, given)).toEqual(behind.slice(0, count));
      expect(membersAfter(now, count)).toEqual(now.slice(0, count));
    }),
    { numRuns: 100 },
  );
});
