import type { Organization } from "../../src/tenant/organizations";
import { missing, scripted } from "./support/scripted";

const acme = { id: "org_1", name: "acme" };

test("reads organizations page by page, until a page names no next page", async () => {
  const bodies = [
    { organizations: [acme], next: "a" },
    { organizations: [{ id: "org_2", name: "other" }], next: "" },
  ];
  const { tenant, lines } = scripted(() => ({ body: bodies[lines.length - 1] }));
  const pages: (readonly Organization[])[] = [];
  for await (const page of tenant.organizations.pages()) pages.push(page);
  expect(pages).toEqual(bodies.map(({ organizations }) => organizations));
  expect(lines).toEqual(["GET /organizations?take=100", "GET /organizations?take=100&from=a"]);
});

test("reads one organization by its own request, and returns undefined if it does not exist", async () => {
  const { tenant } = scripted(({ path }) => (path.endsWith("org_1") ? { body: acme } : missing));
  expect(await tenant.organizations.get("org_1")).toEqual(acme);
  expect(await tenant.organizations.get("org_2")).toBeUndefined();
});

test.each([[[acme]], { organizations: "none" }, { organizations: [{ id: "org_1" }] }, { organizations: [], next: 1 }])(
  "refuses an unexpected page: %j",
  async (body) => {
    const { tenant } = scripted(() => ({ body }));
    const first = tenant.organizations.pages()[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ code: "unlike_service" });
  },
);
