import { missing, scripted, type Reply } from "./support/scripted";

const page = (total: number | undefined, from: number, count: number, next?: string): Reply => ({
  body: { members: Array.from({ length: count }, (_, index) => ({ user_id: `auth0|${from + index}` })), total, next },
});

test.each([
  [undefined, undefined],
  [0, 0],
  [999, 999],
  [1000, undefined],
  [5000, undefined],
])("reads from a first page with a total of %j that there are %j", async (told, total) => {
  const { tenant, lines } = scripted(() => page(told, 0, 0));
  expect((await tenant.organizationMembers.open("org_1")).total).toBe(total);
  expect(lines).toHaveLength(1);
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
  await expect(tenant.organizationMembers.open("org_1")).rejects.toMatchObject({ code: "not_found" });
});
