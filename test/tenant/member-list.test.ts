import { missing, scripted, type Reply } from "./support/scripted";

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
