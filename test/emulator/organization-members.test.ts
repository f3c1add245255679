import { createTenant, requestToken, send, type Tenant } from "./client";

const users = (count: number, prefix = "u") => Array.from({ length: count }, (_, n) => `auth0|${prefix}${n}`);
const idsOf = (members: { user_id: string }[]) => members.map(({ user_id }) => user_id);

async function withMembers(count: number, options?: Parameters<typeof createTenant>[0]) {
  const tenant = await createTenant(options);
  const { id } = tenant.store.addOrganization({ members: users(count) });
  return { tenant, path: `/organizations/${id}/members`, id };
}

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

test("adds and removes members with 204, even if they are already added or removed", async () => {
  const { tenant, path, id } = await withMembers(2);
  const twice = ["auth0|a", "auth0|a", "auth0|u0"];
  for (const method of ["POST", "POST", "DELETE", "DELETE"]) {
    const response = await tenant.call(method, path, { members: twice });
    expect([response.status, response.text, response.headers.get("content-type")]).toEqual([
      204,
      "",
      "application/json; charset=utf-8",
    ]);
  }
  expect([...tenant.store.members(id)!].map(([user]) => user)).toEqual(["auth0|u1"]);
});

test("accepts a form with every notation of a list for a removal", async () => {
  const { tenant, path, id } = await withMembers(8);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const form of [
    "members[]=auth0|u0&members[]=auth0|u1",
    "members[0]=auth0%7Cu2&members[1]=auth0%7Cu3",
    "members=auth0|u4&members=auth0|u5",
    "members=auth0|u6",
  ]) {
    expect((await tenant.call("DELETE", path, form, headers)).status).toBe(204);
  }
  expect([...tenant.store.members(id)!].map(([user]) => user)).toEqual(["auth0|u7"]);
});

test.each([
  [{ members: [] }, "Payload validation error: 'Array is too short (0), minimum 1' on property members."],
  [{ members: users(11) }, "Payload validation error: 'Array is too long (11), maximum 10' on property members."],
  [{ members: [1] }, "Payload validation error: 'Expected type string but found type integer' on property members[0]."],
  [{}, "Payload validation error: 'Missing required property: members'."],
  [undefined, "Payload validation error: 'Expected type object but found type null'."],
])("refuses %j", async (body, message) => {
  const { tenant, path } = await withMembers(1);
  for (const method of ["POST", "DELETE"]) {
    const response = await tenant.call(method, path, body);
    expect(response.body).toEqual({ statusCode: 400, error: "Bad Request", message, errorCode: "invalid_body" });
  }
});

test("lists by checkpoint with next on every page that is not empty", async () => {
  const { tenant, path } = await withMembers(25);
  const { found, pages, last } = await walk(tenant, path, 10);
  expect(found.toSorted()).toEqual(users(25).toSorted());
  expect(pages).toBe(4);
  expect(last).toEqual({ members: [] });
  expect((await walk(tenant, path, 5)).pages).toBe(6);
  const [first] = [await tenant.call("GET", `${path}?take=10`)];
  expect(first.body).not.toHaveProperty("total");
  const page = idsOf(first.body.members);
  expect(page.toSorted()).toEqual(users(10).toSorted());
  expect(page).not.toEqual(page.toSorted());
  expect(Buffer.from(first.body.next, "base64").toString()).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}UTC,auth0\|u9$/,
  );
});

test("keeps the position of a cursor while members are added and removed", async () => {
  const { tenant, path, id } = await withMembers(20);
  const first = await tenant.call("GET", `${path}?take=10`);
  tenant.store.removeMembers(id, ["auth0|u9", "auth0|u3", "auth0|u15"]);
  tenant.store.addMembers(id, ["auth0|new"]);
  const second = await tenant.call("GET", `${path}?take=50&from=${encodeURIComponent(first.body.next)}`);
  expect(idsOf(second.body.members).toSorted()).toEqual(
    ["auth0|new", ...users(20).slice(10)].filter((user) => user !== "auth0|u15").toSorted(),
  );
});

test("lists by checkpoint with from alone, and ignores the offset defaults of clients", async () => {
  const { tenant, path } = await withMembers(60);
  const first = await tenant.call("GET", `${path}?include_totals=true&per_page=50&take=10`);
  expect(Object.keys(first.body)).toEqual(["members", "next"]);
  const second = await tenant.call("GET", `${path}?from=${encodeURIComponent(first.body.next)}`);
  expect(second.body.members).toHaveLength(50);
});

test("lists by offset the first thousand members, with and without totals", async () => {
  const { tenant, path } = await withMembers(1205);
  expect((await tenant.call("GET", path)).body).toHaveLength(50);
  const last = await tenant.call("GET", `${path}?page=9&per_page=100&include_totals=true`);
  expect(last.body).toMatchObject({ start: 900, limit: 100, total: 1000 });
  expect(last.body.members).toHaveLength(100);
  const beyond = await tenant.call("GET", `${path}?page=10&per_page=100&include_totals=true`);
  expect(beyond.body).toEqual({ members: [], start: 1000, limit: 100, total: 1000 });
  expect((await tenant.call("GET", `${path}?page=33&per_page=30`)).body).toHaveLength(10);
  for (const query of ["per_page=0", "per_page=101", "page=1001", "take=101", "take=0", "from=rubbish", "page=-1"]) {
    expect((await tenant.call("GET", `${path}?${query}`)).status).toBe(400);
  }
});

test("returns the known fields of a member, or the requested ones of them", async () => {
  const { tenant, path } = await withMembers(1);
  const picture = "https://a.example/p.png";
  const known = { user_id: "auth0|u0", email: "u@a.example", name: "U", picture };
  tenant.store.users.put({ ...known, nickname: "u" });
  expect((await tenant.call("GET", path)).body).toEqual([known]);
  const only = await tenant.call("GET", `${path}?fields=user_id,name&include_fields=true`);
  expect(only.body).toEqual([{ user_id: "auth0|u0", name: "U" }]);
  const without = await tenant.call("GET", `${path}?fields=email,picture&include_fields=false`);
  expect(without.body).toEqual([{ user_id: "auth0|u0", name: "U" }]);
  expect((await tenant.call("GET", `${path}?fields=roles`)).body).toEqual([{ roles: [] }]);
});

test("refuses the field roles without its own scope", async () => {
  const { tenant, path } = await withMembers(1);
  const { body } = await requestToken(tenant, { scope: "read:organization_members" });
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await send(tenant, "GET", `/api/v2${path}`, { headers })).status).toBe(200);
  const response = await send(tenant, "GET", `/api/v2${path}?fields=roles`, { headers });
  expect(response.body).toMatchObject({
    statusCode: 403,
    message: "Insufficient scope, expected any of: read:organization_members, read:organization_member_roles",
  });
});

test("responds 404 for an unknown organization, and 400 for an id that is too long", async () => {
  const tenant = await createTenant();
  for (const method of ["GET", "POST", "DELETE"]) {
    const body = method === "GET" ? undefined : { members: ["auth0|a"] };
    const absent = await tenant.call(method, "/organizations/org_1111111111111111/members", body);
    expect(absent.body).toEqual({
      statusCode: 404,
      error: "Not Found",
      message: "No organization found by that id or name",
    });
    const endless = await tenant.call(method, `/organizations/org_${"1".repeat(47)}/members`, body);
    expect(endless.body).toMatchObject({ statusCode: 400, errorCode: "invalid_uri" });
  }
});

test("refuses to add unknown users only if users are tracked, and never refuses to remove them", async () => {
  const { tenant, path, id } = await withMembers(0, { trackUsers: true });
  const { body } = await tenant.call("POST", "/users", { connection: "c", email: "a@a.example" });
  const refused = await tenant.call("POST", path, { members: [body.user_id, "auth0|ghost"] });
  expect(refused.body).toMatchObject({ statusCode: 400, message: expect.stringContaining("auth0|ghost") });
  expect(tenant.store.members(id)!.size).toBe(0);
  expect((await tenant.call("POST", path, { members: [body.user_id] })).status).toBe(204);
  expect((await tenant.call("DELETE", path, { members: ["auth0|ghost"] })).status).toBe(204);
  expect((await tenant.call("DELETE", `/users/${encodeURIComponent(body.user_id)}`)).status).toBe(204);
  expect(tenant.store.members(id)!.size).toBe(0);
});

test("lists the members of an earlier moment if the list lags behind", async () => {
  let time = Date.parse("2026-01-01T00:00:00Z");
  const { tenant, path } = await withMembers(3, { now: () => time });
  time += 10_000;
  await tenant.call("POST", path, { members: ["auth0|new"] });
  await tenant.call("DELETE", path, { members: ["auth0|u1"] });
  time += 1_000;
  const list = async () => idsOf((await tenant.call("GET", `${path}?take=50`)).body.members).toSorted();
  expect(await list()).toEqual(["auth0|new", "auth0|u0", "auth0|u2"]);
  tenant.faults.add({ method: "GET", path: "/api/v2/organizations/*/members", stale: 5_000 });
  expect(await list()).toEqual(["auth0|u0", "auth0|u1", "auth0|u2"]);
  time += 5_000;
  expect(await list()).toEqual(["auth0|new", "auth0|u0", "auth0|u2"]);
});
