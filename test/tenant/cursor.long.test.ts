import { createCursor, isCursor, pagesOf } from "../../src/tenant/cursor";
import { createTenant, type Tenant } from "../../src/tenant/tenant";
import { serve } from "./support/server";

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

test("stops a list whose pages take more than 256 MiB in total", async () => {
  const bytes = 32 * 1024 * 1024;
  let read = 0;
  const cursor = createCursor(async () => ({ items: [String(read)], next: String(++read), bytes }), idOf);
  for (let page = 1; page <= 8; page++) await cursor.advance();
  await expect(cursor.advance()).rejects.toMatchObject({
    code: "unlike_service",
    message:
      "The endpoint is not the Management API: a list takes more than 256 MiB. Tenantform stopped after the first 9 " +
      "entries.",
  });
});

describe("a server whose lists have no end", () => {
  const padding = "x".repeat(30 * 1024 * 1024);
  const kinds = {
    organizations: {
      read: (tenant: Tenant) => drain(tenant.organizations.pages()),
      item: (id: string) => ({ id, name: id }),
    },
    rate_limit_policies: {
      read: (tenant: Tenant) => drain(tenant.rateLimitPolicies.pages()),
      item: (id: string) => ({
        id,
        resource: "r",
        consumer: "c",
        consumer_selector: id,
        configuration: { action: "allow" },
        created_at: "",
        updated_at: "",
      }),
    },
    "rate_limit_policies, all at once": {
      read: (tenant: Tenant) => tenant.rateLimitPolicies.list(),
      item: (id: string) => kinds.rate_limit_policies.item(id),
    },
    members: {
      read: (tenant: Tenant) => tenant.organizationMembers.list("org_1"),
      item: (id: string) => ({ user_id: id }),
    },
  };
  test.each(Object.keys(kinds) as (keyof typeof kinds)[])("stops after 256 MiB of %s", async (kind) => {
    const { read, item } = kinds[kind];
    let asked = 0;
    const server = await serve(() => {
      const id = String(asked++);
      return { body: { [kind.split(",")[0]!]: [item(id)], next: id, padding } };
    });
    const tenant = createTenant({
      endpoint: server.endpoint,
      credentials: { kind: "access_token", accessToken: "ready" },
      userAgent: "tests/1",
    });
    await expect(read(tenant)).rejects.toMatchObject({
      code: "unlike_service",
      message: expect.stringContaining("a list takes more than 256 MiB"),
    });
    expect(asked).toBeLessThanOrEqual(11);
    await tenant.close();
    await server.close();
  });
});

async function drain(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages);
}

test("accepts a page that says that no next page exists", () => {
  expect([undefined, null, "", "x", 1, {}].map(isCursor)).toEqual([true, true, true, true, false, false]);
});
