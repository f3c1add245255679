import { createTenant } from "./client";

test("creates, changes and deletes an organization with its memberships", async () => {
  const tenant = await createTenant();
  const created = await tenant.call("POST", "/organizations", { name: "acme", metadata: { a: "b" } });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id: expect.stringMatching(/^org_[0-9A-Za-z]{16}$/),
    name: "acme",
    display_name: "acme",
    metadata: { a: "b" },
  });
  const path = `/organizations/${created.body.id}`;
  await tenant.call("POST", `${path}/members`, { members: ["auth0|a"] });
  const patched = await tenant.call("PATCH", path, { display_name: "Acme" });
  expect(patched.body).toEqual({ ...created.body, display_name: "Acme" });
  expect((await tenant.call("GET", path)).body).toEqual(patched.body);
  expect((await tenant.call("GET", `${path}/members`)).body).toHaveLength(1);
  expect((await tenant.call("DELETE", path)).status).toBe(204);
  for (const method of ["GET", "DELETE"]) {
    expect((await tenant.call(method, path)).body.message).toBe("No organization found by that id or name");
  }
});

test("refuses names that are in use or malformed", async () => {
  const tenant = await createTenant();
  await tenant.call("POST", "/organizations", { name: "acme" });
  const other = await tenant.call("POST", "/organizations", { name: "globex" });
  expect((await tenant.call("POST", "/organizations", { name: "acme" })).status).toBe(409);
  expect((await tenant.call("PATCH", `/organizations/${other.body.id}`, { name: "acme" })).status).toBe(409);
  expect((await tenant.call("PATCH", `/organizations/${other.body.id}`, { name: "globex" })).status).toBe(200);
  for (const name of ["", "A", "a b", "x".repeat(51)]) {
    expect((await tenant.call("POST", "/organizations", { name })).status).toBe(400);
  }
});

const names = (list: { name: string }[]) => list.map(({ name }) => name);

test("lists by offset and by checkpoint", async () => {
  const tenant = await createTenant();
  for (let n = 0; n < 5; n++) tenant.store.addOrganization({ name: `o${n}` });
  expect(names((await tenant.call("GET", "/organizations?per_page=2&page=1")).body)).toEqual(["o2", "o3"]);
  const totals = await tenant.call("GET", "/organizations?include_totals=true&per_page=2");
  expect(totals.body).toMatchObject({ start: 0, limit: 2, total: 5 });
  const first = await tenant.call("GET", "/organizations?take=3");
  const second = await tenant.call("GET", `/organizations?take=3&from=${first.body.next}`);
  const both = [...first.body.organizations, ...second.body.organizations];
  expect([first.body.organizations.length, names(both).toSorted()]).toEqual([3, ["o0", "o1", "o2", "o3", "o4"]]);
  expect(second.body).not.toHaveProperty("next");
});

test("continues a list after the organization at its checkpoint was deleted", async () => {
  const tenant = await createTenant();
  const made = Array.from({ length: 9 }, () => tenant.store.addOrganization().id);
  const seen: string[] = [];
  let from = "";
  for (let page = 0; page < 20; page++) {
    const { body } = await tenant.call("GET", `/organizations?take=2${from && `&from=${from}`}`);
    const ids = body.organizations.map(({ id }: { id: string }) => id);
    seen.push(...ids);
    await tenant.call("DELETE", `/organizations/${ids.at(-1)}`);
    if (body.next === undefined) break;
    from = body.next;
  }
  expect(seen.toSorted()).toEqual(made.toSorted());
});

test("creates and reads a user, and accepts deleting it twice", async () => {
  const tenant = await createTenant();
  const created = await tenant.call("POST", "/users", {
    connection: "Username-Password-Authentication",
    email: "jo@a.example",
    password: "secret",
    user_id: "jo",
    user_metadata: { likes: "tea" },
  });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ user_id: "auth0|jo", email: "jo@a.example", name: "jo@a.example" });
  expect(created.text).not.toContain("secret");
  const path = "/users/auth0%7Cjo";
  expect((await tenant.call("GET", path)).body).toEqual(created.body);
  expect((await tenant.call("POST", "/users", { connection: "c", user_id: "jo" })).status).toBe(409);
  expect([(await tenant.call("DELETE", path)).status, (await tenant.call("DELETE", path)).status]).toEqual([204, 204]);
  expect((await tenant.call("GET", path)).body).toEqual({
    statusCode: 404,
    error: "Not Found",
    message: "The user does not exist.",
    errorCode: "inexistent_user",
  });
});
