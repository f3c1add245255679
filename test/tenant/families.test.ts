/** The API calls of each family of objects. */
import { TenantError } from "../../src/tenant/error";
import type { NetworkAcl } from "../../src/tenant/network-acls";
import type { Organization } from "../../src/tenant/organizations";
import type { RateLimitPolicy } from "../../src/tenant/rate-limit-policies";
import type { Tenant } from "../../src/tenant/tenant";
import { aclBody, embed, type Embedded, policyBody, userIds } from "./support/embedded";
import { missing, type Reply, scripted } from "./support/scripted";

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
  const some = organization(userIds(2), "lost", refused);
  await expect(some.tenant.organizationMembers.add("org_1", userIds(3))).rejects.toMatchObject({ code: "conflict" });
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

const moment = "2026-01-01T00:00:00.000Z";
const policy = (number: number): RateLimitPolicy => ({
  ...policyBody(number),
  id: `rlp_${number}`,
  created_at: moment,
  updated_at: moment,
});

test("requests the policies for some callers by these callers", async () => {
  const { tenant, lines } = scripted(() => ({ body: { rate_limit_policies: [policy(1)] } }));
  for await (const page of tenant.rateLimitPolicies.pages({ consumer: "client" })) expect(page).toEqual([policy(1)]);
  expect(lines).toEqual(["GET /rate-limit-policies?consumer=client&take=100"]);
});

test("reads the list once for each policy and for the policies of callers", async () => {
  const { tenant, lines } = scripted(({ path: at }) => ({
    body: at.includes("from=a")
      ? { rate_limit_policies: [policy(9)] }
      : { rate_limit_policies: [policy(1)], next: "a" },
  }));
  const { rateLimitPolicies } = tenant;
  const read = [rateLimitPolicies.get("rlp_9"), rateLimitPolicies.holder(policyBody(9)), rateLimitPolicies.list()];
  expect(await Promise.all(read)).toEqual([policy(9), policy(9), [policy(1), policy(9)]]);
  expect(await rateLimitPolicies.holder(policyBody(2))).toBeUndefined();
  expect(lines).toEqual(["GET /rate-limit-policies?take=100", "GET /rate-limit-policies?from=a&take=100"]);
});

test.each([{}, { configuration: {} }, { configuration: "allow" }, { id: 1 }])(
  "refuses an incomplete policy: %j",
  async (part) => {
    const body = { ...policy(1), ...part };
    const { tenant } = scripted(() => ({ status: 201, body }));
    const creating = tenant.rateLimitPolicies.create(policyBody(1));
    if (Object.keys(part).length === 0) expect(await creating).toEqual(body);
    else await expect(creating).rejects.toMatchObject({ code: expect.stringMatching(/unlike_service|unconfirmed/) });
  },
);

describe("network ACLs", () => {
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
});
