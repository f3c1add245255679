/** Network ACLs and their keys: what responses say, requests, priorities and conflicts. */
import { createHash, randomBytes } from "node:crypto";
import { systemClock } from "../../src/tenant/clock";
import { decodeNetworkAcl, decodeNetworkAcls } from "../../src/tenant/network-acl";
import type { NetworkAcl } from "../../src/tenant/network-acls";
import type { Tenant } from "../../src/tenant/tenant";
import { aclBody, embed, type Embedded } from "./support/embedded";
import { scripted } from "./support/scripted";

const moment = "2026-01-01T00:00:00.000Z";
const wire = { ...aclBody(1), id: "acl_1", created_at: moment, updated_at: moment };

test.each([{ id: 1 }, { active: "yes" }, { rule: null }, { rule: { scope: "tenant" } }, { rule: { action: {} } }])(
  "refuses an incomplete ACL: %j",
  (part) => {
    expect([decodeNetworkAcl(wire), decodeNetworkAcls([wire])]).toEqual([wire, [wire]]);
    const broken = { ...wire, ...part };
    expect([decodeNetworkAcl(broken), decodeNetworkAcls([wire, broken])]).toEqual([undefined, undefined]);
  },
);

test("accepts both forms of a successful deletion", async () => {
  for (const reply of [{ status: 204 }, { body: { code: 204 } }]) {
    await scripted(() => reply).tenant.networkAcls.delete("acl_1");
  }
  for (const body of [{ code: 200 }, { code: "204" }, [], {}]) {
    const deleting = scripted(() => ({ body })).tenant.networkAcls.delete("acl_1");
    await expect(deleting).rejects.toMatchObject({ code: "unlike_service" });
  }
});

let embedded: Embedded;

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

const flags = { flags: ["tenant_acl_hmac_signature"] } as const;
/** Records the length of each pause. */
const hurried = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal) };

function keyOf(name: string) {
  const bytes = randomBytes(32);
  const fingerprint = createHash("sha256").update(bytes).digest("hex");
  return [{ name, alg: "hmac-sha256", value: bytes.toString("base64") }, fingerprint] as const;
}

test("shares one request among reads, and takes one request for each write", async () => {
  embedded = await embed(flags);
  const { networkAclKeys } = embedded.tenant;
  const made = await networkAclKeys.create(...keyOf("edge"));
  expect(await Promise.all([networkAclKeys.get(made.id), networkAclKeys.list()])).toEqual([made, [made]]);
  expect(await networkAclKeys.get("key_gone")).toBeUndefined();
  await networkAclKeys.delete(made.id);
  await networkAclKeys.delete(made.id);
  expect(await networkAclKeys.list()).toEqual([]);
  expect(embedded.lines()).toEqual([
    "POST /keys/network-acls 201",
    "GET /keys/network-acls 200",
    "GET /keys/network-acls/key_gone 404",
    `DELETE /keys/network-acls/${made.id} 204`,
    `DELETE /keys/network-acls/${made.id} 404`,
    "GET /keys/network-acls 200",
  ]);
});

test("names the id of a key with the same name, and says whether it is equal", async () => {
  embedded = await embed(flags);
  const first = keyOf("edge");
  const { id } = await embedded.tenant.networkAclKeys.create(...first);
  const { networkAclKeys } = embedded.client();
  const other = networkAclKeys.create(...keyOf("edge"));
  await expect(other).rejects.toMatchObject({
    existing: { id },
    identical: false,
    message: expect.stringContaining(id),
  });
  await expect(embedded.client().networkAclKeys.create(...first)).rejects.toMatchObject({
    existing: { id },
    identical: true,
  });
  for (const again of [networkAclKeys, embedded.tenant.networkAclKeys]) {
    await expect(again.create(...first)).rejects.toMatchObject({ existing: { id }, identical: false });
  }
});

describe("a key that a rule names", () => {
  const named = (id: string) => ({
    ...aclBody(1),
    rule: { ...aclBody(1).rule, match: { http_message_signature: { keys: [{ id }] } } },
  });

  test("is deleted if the rule stops naming it in the meantime", async () => {
    embedded = await embed(flags, { clock: hurried });
    const { networkAclKeys, networkAcls } = embedded.tenant;
    const { id } = await networkAclKeys.create(...keyOf("edge"));
    const acl = await networkAcls.create(named(id));
    const removal = networkAclKeys.delete(id);
    await embedded.client().networkAcls.replace(acl.id, aclBody(1), { priority: 1 });
    await removal;
    expect(embedded.emulator.snapshot().network_acl_keys).toEqual([]);
  });

  test("stays after a few attempts if the rule still names it", async () => {
    embedded = await embed(flags, { clock: hurried });
    const { networkAclKeys, networkAcls } = embedded.tenant;
    const { id } = await networkAclKeys.create(...keyOf("edge"));
    const acl = await networkAcls.create(named(id));
    await expect(networkAclKeys.delete(id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(acl.id),
    });
    expect(embedded.lines().filter((line) => line.startsWith("DELETE"))).toHaveLength(4);
  });
});
