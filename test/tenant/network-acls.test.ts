// Network ACLs that change priorities, over real HTTP.
import type { NetworkAcl } from "../../src/tenant/network-acls";
import type { Tenant } from "../../src/tenant/tenant";
import { aclBody, embed, type Embedded } from "./support/embedded";

let embedded: Embedded;
afterEach(() => embedded.close());

/** ACLs at priorities 1..count in the tenant. */
async function lists(count: number): Promise<NetworkAcl[]> {
  embedded = await embed({
    seed: { network_acls: Array.from({ length: count }, (_, index) => aclBody(index + 1, `list ${index + 1}`)) },
  });
  return embedded.emulator.store.networkAcls.values() as unknown as NetworkAcl[];
}

const moveTo = (tenant: Tenant, acl: NetworkAcl, priority: number) =>
  tenant.networkAcls.replace(acl.id, aclBody(priority, acl.description), { priority: acl.priority });

const order = () =>
  Object.fromEntries(
    embedded.emulator.snapshot().network_acls.map(({ description, priority }) => [description, priority]),
  );

const counted = (method: string) => embedded.lines().filter((line) => line.startsWith(method)).length;

test("swaps two ACLs in three writes, and returns both as they are", async () => {
  const [first, second] = (await lists(2)) as [NetworkAcl, NetworkAcl];
  const moved = await Promise.all([moveTo(embedded.tenant, first, 2), moveTo(embedded.tenant, second, 1)]);
  expect(moved.map(({ id, priority }) => [id, priority])).toEqual([
    [first.id, 2],
    [second.id, 1],
  ]);
  expect(order()).toEqual({ "list 1": 2, "list 2": 1 });
  expect(counted("PUT")).toBe(3);
  expect(counted("GET")).toBe(1);
});

test("swaps two ACLs correctly although responses are lost", async () => {
  const [first, second] = (await lists(2)) as [NetworkAcl, NetworkAcl];
  embedded.emulator.faults.add({ method: "PUT", nth: [1, 3, 5], reset: "after" });
  await Promise.all([moveTo(embedded.tenant, first, 2), moveTo(embedded.tenant, second, 1)]);
  expect(order()).toEqual({ "list 1": 2, "list 2": 1 });
});

test("creates an ACL at the priority of one that is deleted at the same time, in any order", async () => {
  const [first, second] = (await lists(2)) as [NetworkAcl, NetworkAcl];
  const { networkAcls } = embedded.tenant;
  const [created] = await Promise.all([
    networkAcls.create(aclBody(1, "new 1")),
    networkAcls.delete(first.id, { priority: 1 }),
  ]);
  expect(created.priority).toBe(1);
  await Promise.all([networkAcls.delete(second.id), networkAcls.create(aclBody(2, "new 2"))]);
  expect(order()).toEqual({ "new 1": 1, "new 2": 2 });
});

test("reports a write that fails for another reason clearly to the calls that waited for it", async () => {
  const [first, second] = (await lists(2)) as [NetworkAcl, NetworkAcl];
  embedded.emulator.faults.add({ method: "PUT", path: `/api/v2/network-acls/${second.id}`, status: 400 });
  const [one, other] = await Promise.allSettled([
    moveTo(embedded.tenant, first, 2),
    moveTo(embedded.tenant, second, 1),
  ]);
  expect(other).toMatchObject({ status: "rejected", reason: { code: "invalid_body" } });
  expect(one).toMatchObject({ status: "rejected", reason: { code: "priority_taken", existing: { id: second.id } } });
  expect(order()["list 2"]).toBe(2);
});

test("does not adopt an ACL that this process created or wrote", async () => {
  const [first] = (await lists(1)) as [NetworkAcl];
  const { tenant } = embedded;
  const body = aclBody(1, first.description);
  await expect(embedded.client().networkAcls.create(body)).rejects.toMatchObject({ identical: true });
  await moveTo(tenant, first, 1);
  await expect(tenant.networkAcls.create(body)).rejects.toMatchObject({ identical: false });
  await tenant.networkAcls.create(aclBody(2));
  await expect(tenant.networkAcls.create(aclBody(2))).rejects.toMatchObject({ identical: false });
});
