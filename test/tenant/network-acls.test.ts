/** Network ACLs, their keys, organizations and members: what responses say, requests, priorities, pages, batches and conflicts. */
import { createHash, randomBytes } from "node:crypto";
import { systemClock } from "../../src/tenant/clock";
import { TenantError } from "../../src/tenant/error";
import { decodeNetworkAcl, decodeNetworkAcls } from "../../src/tenant/network-acl";
import type { NetworkAcl } from "../../src/tenant/network-acls";
import type { Organization } from "../../src/tenant/organizations";
import type { Tenant } from "../../src/tenant/tenant";
import { aclBody, embed, type Embedded, userIds } from "./support/embedded";
import { missing, type Reply, scripted } from "./support/scripted";

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
  const other = { existing: { id }, identical: false, message: expect.stringContaining(id) };
  await expect(networkAclKeys.create(...keyOf("edge"))).rejects.toMatchObject(other);
  const same = { existing: { id }, identical: true };
  await expect(embedded.client().networkAclKeys.create(...first)).rejects.toMatchObject(same);
  for (const again of [networkAclKeys, embedded.tenant.networkAclKeys]) {
    await expect(again.create(...first)).rejects.toMatchObject({ existing: { id }, identical: false });
  }
});

describe("a key that a rule names", () => {
  const named = (id: string) => ({
    ...aclBody(1),
    rule: { ...aclBody(1).rule, match: { http_message_signature: { keys: [{ id }] } } },
  });

  async function create() {
    embedded = await embed(flags, { clock: hurried });
    const { networkAclKeys, networkAcls } = embedded.tenant;
    const { id } = await networkAclKeys.create(...keyOf("edge"));
    return { acl: await networkAcls.create(named(id)), deleteKey: () => networkAclKeys.delete(id) };
  }

  test("is deleted if the rule stops naming it in the meantime", async () => {
    const { acl, deleteKey } = await create();
    const removal = deleteKey();
    await embedded.client().networkAcls.replace(acl.id, aclBody(1), { priority: 1 });
    await removal;
    expect(embedded.emulator.snapshot().network_acl_keys).toEqual([]);
  });

  test("stays after a few attempts if the rule still names it", async () => {
    const { acl, deleteKey } = await create();
    await expect(deleteKey()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining(acl.id) });
    expect(embedded.lines().filter((line) => line.startsWith("DELETE"))).toHaveLength(4);
  });
});

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

const path = "/organizations/org_1/members";
const refused: Reply = { status: 409, body: { statusCode: 409, message: "There already." } };

/** Responses to the writes, in order. `lost`: no response. Further writes succeed. */
function organization(members: string[], ...writes: (Reply | "lost")[]) {
  return scripted(({ method }) => {
    if (method === "GET") return { body: { members: members.map((user_id) => ({ user_id })), total: members.length } };
    const answer = writes.shift() ?? { status: 204 };
    if (answer === "lost") throw new TenantError("connection_failed", "It broke.");
    return answer;
  });
}

const kinds = ({ lines }: { lines: string[] }) => lines.map((line) => line.split(" ")[0]);

test.each(["add", "remove"] as const)("repeats %s if its response was lost", async (verb) => {
  const one = organization([], "lost");
  const done: string[] = [];
  await one.tenant.organizationMembers[verb]("org_1", userIds(3), (ids) => done.push(...ids));
  const line = `${verb === "add" ? "POST" : "DELETE"} ${path}`;
  expect([one.lines, done]).toEqual([[line, line], userIds(3)]);
});

test("reads the list to see whether all were added if the repetition is refused", async () => {
  const there = organization(userIds(3), "lost", refused);
  await there.tenant.organizationMembers.add("org_1", userIds(3));
  expect(kinds(there)).toEqual(["POST", "POST", "GET"]);
  const fewer = organization(userIds(2), "lost", refused);
  await expect(fewer.tenant.organizationMembers.add("org_1", userIds(3))).rejects.toMatchObject({ code: "conflict" });
  const removed = organization(userIds(3), "lost", refused);
  const removing = removed.tenant.organizationMembers.remove("org_1", userIds(3));
  await expect(removing).rejects.toMatchObject({ code: "conflict" });
  expect(kinds(removed)).toEqual(["DELETE", "DELETE"]);
});

test("reports a failed batch after those under way, and starts no further batch", async () => {
  const broken = organization([], { status: 204 }, { status: 204 }, refused);
  const done: string[] = [];
  const adding = broken.tenant.organizationMembers.add("org_1", userIds(200), (ids) => done.push(...ids));
  await expect(adding).rejects.toMatchObject({ code: "conflict" });
  expect(done).toHaveLength(10 * (broken.lines.length - 1));
  expect(broken.lines.length).toBeLessThan(20);
});
