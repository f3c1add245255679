// Keys of HTTP message signatures: the requests they take, conflicts, and lost responses.
import { createHash, randomBytes } from "node:crypto";
import type { InjectedFault } from "../../src/emulator/emulator";
import { systemClock } from "../../src/tenant/clock";
import { aclBody, embed, type Embedded } from "./support/embedded";

let embedded: Embedded;
afterEach(() => embedded.close());

const flags = { flags: ["tenant_acl_hmac_signature"] } as const;
/** Records the length of each pause. */
const hurried = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal) };

function body(name: string) {
  const bytes = randomBytes(32);
  const fingerprint = createHash("sha256").update(bytes).digest("hex");
  return [{ name, alg: "hmac-sha256", value: bytes.toString("base64") }, fingerprint] as const;
}

test("shares one request among reads, and takes one request for each write", async () => {
  embedded = await embed(flags);
  const { networkAclKeys } = embedded.tenant;
  const made = await networkAclKeys.create(...body("edge"));
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
  const first = body("edge");
  const { id } = await embedded.tenant.networkAclKeys.create(...first);
  const { networkAclKeys } = embedded.client();
  const other = networkAclKeys.create(...body("edge"));
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

test.each<[string, InjectedFault]>([
  ["reset before the effect", { reset: "before" }],
  ["503 without effect", { status: 503 }],
  ["reset after the effect", { reset: "after" }],
  ["response truncated", { spoil: "truncated" }],
])("%s: creates each key once with a known id, and deletes keys", async (_name, fault) => {
  embedded = await embed(flags);
  const { emulator, tenant } = embedded;
  emulator.faults.add({ method: "POST", path: "/api/v2/keys/*", nth: [1, 3], ...fault });
  const made = [];
  for (const name of ["a", "b", "c"]) made.push(await tenant.networkAclKeys.create(...body(name)));
  expect(emulator.snapshot().network_acl_keys!.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  emulator.faults.add({ method: "DELETE", path: "/api/v2/keys/network-acls/*", nth: 1, ...fault });
  for (const { id } of made) await tenant.networkAclKeys.delete(id);
  expect(emulator.snapshot().network_acl_keys).toEqual([]);
});

describe("a key that a rule names", () => {
  const named = (id: string) => ({
    ...aclBody(1),
    rule: { ...aclBody(1).rule, match: { http_message_signature: { keys: [{ id }] } } },
  });

  test("is deleted if the rule stops naming it in the meantime", async () => {
    embedded = await embed(flags, { clock: hurried });
    const { networkAclKeys, networkAcls } = embedded.tenant;
    const { id } = await networkAclKeys.create(...body("edge"));
    const acl = await networkAcls.create(named(id));
    const removal = networkAclKeys.delete(id);
    await embedded.client().networkAcls.replace(acl.id, aclBody(1), { priority: 1 });
    await removal;
    expect(embedded.emulator.snapshot().network_acl_keys).toEqual([]);
  });

  test("stays after a few attempts if the rule still names it", async () => {
    embedded = await embed(flags, { clock: hurried });
    const { networkAclKeys, networkAcls } = embedded.tenant;
    const { id } = await networkAclKeys.create(...body("edge"));
    const acl = await networkAcls.create(named(id));
    await expect(networkAclKeys.delete(id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(acl.id),
    });
    expect(embedded.lines().filter((line) => line.startsWith("DELETE"))).toHaveLength(4);
  });
});
