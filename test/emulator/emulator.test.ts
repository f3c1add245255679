import { tokenOf } from "../support/token";
import { createTenant, root } from "./client";

const acl = {
  description: "no robots",
  active: true,
  rule: { scope: "tenant", action: { block: true }, match: { geo_country_codes: ["UK"], asns: [64496] } },
};

test("responds in the recorded forms from creation to deletion of a network ACL", async () => {
  const tenant = await createTenant();
  const created = await tenant.call("POST", "/network-acls", acl);
  expect(created.status).toBe(201);
  expect(Object.keys(created.body)).toEqual([
    "description",
    "active",
    "priority",
    "rule",
    "created_at",
    "updated_at",
    "id",
  ]);
  expect(created.text).toContain(
    '"rule":{"match":{"asns":[64496],"geo_country_codes":["UK"]},"scope":"tenant","action":{"block":true}}',
  );
  const { id } = created.body;
  expect(id).toMatch(/^acl_[1-9A-HJ-NP-Za-km-z]{22}$/);
  expect(created.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  const got = await tenant.call("GET", `/network-acls/${id}`);
  expect(got.body).toEqual({ ...created.body, tenant_id: expect.any(String), deleted_at: null });
  expect((await tenant.call("GET", "/network-acls")).body).toEqual([created.body]);
  const totals = await tenant.call("GET", "/network-acls?include_totals=true&per_page=10");
  expect(totals.body).toEqual({ total: 1, start: 0, limit: 10, network_acls: [created.body] });

  const patched = await tenant.call("PATCH", `/network-acls/${id}`, { priority: 7 });
  expect(patched.body).toEqual({ ...created.body, priority: 7, updated_at: expect.any(String) });
  const put = await tenant.call("PUT", `/network-acls/${id}`, { ...acl, active: false });
  expect(put.body).toMatchObject({ active: false, priority: 50, created_at: created.body.created_at });

  const deleted = await tenant.call("DELETE", `/network-acls/${id}`);
  expect([deleted.status, deleted.text]).toEqual([200, '{"code":204,"object":""}']);
  const gone = await tenant.call("GET", `/network-acls/${id}`);
  expect([gone.status, gone.body]).toEqual([
    404,
    { statusCode: 404, error: "Not Found", message: "NetworkACL with this ID was not found" },
  ]);
});

test("logs every request over a port with its change", async () => {
  const tenant = await createTenant();
  const { url, close } = await tenant.listen();
  const token = await tokenOf(url, tenant);
  const { id } = tenant.store.addOrganization({ members: ["auth0|a"] });
  const response = await fetch(`${url}/api/v2/organizations/${id}/members`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ members: ["auth0|b"] }),
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([204, "application/json; charset=utf-8"]);
  await close();
  expect([...tenant.store.members(id)!].map(([user]) => user)).toEqual(["auth0|a", "auth0|b"]);
  expect(tenant.requests.slice(1)).toMatchObject([
    { method: "POST", path: "/oauth/token", status: 200 },
    {
      path: `/api/v2/organizations/${id}/members`,
      body: { members: ["auth0|b"] },
      change: `added to ${id}: auth0|b`,
    },
  ]);
});

test("restores the seed and keeps the client at a reset", async () => {
  const tenant = await createTenant({ seed: { organizations: [{ name: "acme", members: ["auth0|a"] }] } });
  const [before] = tenant.store.organizations.values();
  expect((await tenant.call("DELETE", `/organizations/${before!.id}`)).status).toBe(204);
  tenant.faults.add({ status: 500 });
  tenant.reset();
  expect(tenant.store.organizations.values()).toMatchObject([{ name: "acme" }]);
  expect(tenant.requests).toEqual([]);
  expect((await tenant.call("GET", "/network-acls")).status).toBe(200);
  expect((await tenant.fetch(new Request(`${root}/nowhere`))).status).toBe(404);
});
