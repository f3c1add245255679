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
