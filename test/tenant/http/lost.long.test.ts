// Lost responses to writes: no object is duplicated or lost.
import type { InjectedFault } from "../../../src/emulator/emulator";
import { aclBody, embed, policyBody, userIds, type Embedded } from "../support/embedded";

let embedded: Embedded;
afterEach(() => embedded.close());

const organization = "org_0123456789abcdef";

/** Ways to lose a response. In the last four, the request took effect. */
const losses: [string, InjectedFault][] = [
  ["reset before the effect", { reset: "before" }],
  ["503 without effect", { status: 503 }],
  ["408 without effect", { status: 408 }],
  ["reset after the effect", { reset: "after" }],
  ["response truncated", { spoil: "truncated" }],
  ["response malformed", { spoil: "malformed" }],
  ["response too late", { latency: 4_000 }],
];

describe.each(losses)("%s", (_name, fault) => {
  const timeouts = "latency" in fault ? { exchange: 2_500 } : {};

  test.each([1, 2, 3])("creates each object once and knows its id after losing response %i", async (nth) => {
    embedded = await embed({}, { timeouts });
    const { tenant, emulator } = embedded;
    emulator.faults.add({ method: "POST", path: "/api/v2/*", nth, ...fault });
    const acls = await Promise.all([1, 2, 3].map((priority) => tenant.networkAcls.create(aclBody(priority))));
    const policies = await Promise.all([1, 2, 3].map((one) => tenant.rateLimitPolicies.create(policyBody(one))));
    const { network_acls, rate_limit_policies } = emulator.snapshot();
    expect(network_acls.map(({ id, priority }) => [id, priority]).toSorted()).toEqual(
      acls.map(({ id, priority }) => [id, priority]).toSorted(),
    );
    expect(rate_limit_policies.map(({ id }) => id).toSorted()).toEqual(policies.map(({ id }) => id).toSorted());
  });

  test("repeats updates and deletes", async () => {
    embedded = await embed({}, { timeouts });
    const { tenant, emulator } = embedded;
    const acl = await tenant.networkAcls.create(aclBody(1));
    const policy = await tenant.rateLimitPolicies.create(policyBody(1));
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      for (const family of ["network-acls", "rate-limit-policies"]) {
        emulator.faults.add({ method, path: `/api/v2/${family}/*`, nth: 1, ...fault });
      }
    }
    expect(await tenant.networkAcls.replace(acl.id, aclBody(9, "new"), { priority: 1 })).toMatchObject({ priority: 9 });
    expect(await tenant.rateLimitPolicies.update(policy.id, { action: "allow" })).toMatchObject({
      configuration: { action: "allow" },
    });
    expect(emulator.snapshot()).toMatchObject({
      network_acls: [{ id: acl.id, priority: 9, description: "new" }],
      rate_limit_policies: [{ id: policy.id, configuration: { action: "allow" } }],
    });
    await tenant.networkAcls.delete(acl.id);
    await tenant.rateLimitPolicies.delete(policy.id);
    expect(emulator.snapshot()).toMatchObject({ network_acls: [], rate_limit_policies: [] });
  });

  test.each([1, 2, 3])("adds and reports all members after losing the response to batch %i", async (nth) => {
    embedded = await embed({ seed: { organizations: [{ id: organization, members: userIds(25) }] } }, { timeouts });
    const { tenant, emulator } = embedded;
    const path = `/api/v2/organizations/${organization}/members`;
    emulator.faults.add({ method: "POST", path, nth, ...fault });
    emulator.faults.add({ method: "DELETE", path, nth, ...fault });
    const done: string[] = [];
    await tenant.organizationMembers.add(organization, userIds(25, 100), (ids) => done.push(...ids));
    await tenant.organizationMembers.remove(organization, userIds(25), (ids) => done.push(...ids));
    const present = await embedded.client().organizationMembers.list(organization);
    expect(present.toSorted()).toEqual(userIds(25, 100));
    expect(done).toHaveLength(50);
  });
});

test("sends one request to look for an effect, and does not create a found object again", async () => {
  embedded = await embed();
  embedded.emulator.faults.add({ method: "POST", path: "/api/v2/*", nth: [1, 2], reset: "after" });
  await embedded.tenant.networkAcls.create(aclBody(1));
  await embedded.tenant.rateLimitPolicies.create(policyBody(1));
  expect(embedded.lines()).toEqual([
    "POST /network-acls 0",
    "GET /network-acls 200",
    "POST /rate-limit-policies 0",
    "GET /rate-limit-policies 200",
  ]);
});

test("does not adopt an older object of somebody else, even if it is equal", async () => {
  embedded = await embed();
  const { emulator, tenant } = embedded;
  const old = new Date(Date.now() - 60_000).toISOString();
  emulator.store.networkAcls.put({ ...aclBody(1), id: `acl_${"1".repeat(22)}`, created_at: old, updated_at: old });
  const policy = { ...policyBody(1), id: `rlp_${"1".repeat(21)}`, created_at: old, updated_at: old };
  emulator.store.rateLimitPolicies.put(policy);
  emulator.faults.add({ method: "POST", path: "/api/v2/*", nth: [1, 2], reset: "before" });
  await expect(tenant.networkAcls.create(aclBody(1))).rejects.toMatchObject({
    identical: true,
    existing: { id: `acl_${"1".repeat(22)}` },
  });
  await expect(tenant.rateLimitPolicies.create(policyBody(1))).rejects.toMatchObject({
    identical: true,
    existing: { id: policy.id },
  });
});

test("does not adopt an object that this process made for another resource", async () => {
  embedded = await embed();
  const { emulator, tenant } = embedded;
  const first = await tenant.networkAcls.create(aclBody(1));
  const policy = await tenant.rateLimitPolicies.create(policyBody(1));
  emulator.faults.add({ method: "POST", path: "/api/v2/*", nth: [1, 2], reset: "after" });
  await expect(tenant.networkAcls.create(aclBody(1))).rejects.toMatchObject({
    identical: false,
    existing: { id: first.id },
  });
  await expect(tenant.rateLimitPolicies.create(policyBody(1))).rejects.toMatchObject({
    identical: false,
    existing: { id: policy.id },
  });
  expect(emulator.snapshot()).toMatchObject({ network_acls: [{ id: first.id }], rate_limit_policies: [policy] });
});

test("reports exactly the members that were added before a batch failed", async () => {
  embedded = await embed({ seed: { organizations: [{ id: organization, members: [] }] } });
  const { emulator, tenant } = embedded;
  emulator.faults.add({ method: "POST", nth: 4, path: `/api/v2/organizations/${organization}/members`, status: 400 });
  const done: string[] = [];
  const adding = tenant.organizationMembers.add(organization, userIds(200), (ids) => done.push(...ids));
  await expect(adding).rejects.toMatchObject({ code: "invalid_body" });
  const present = await tenant.organizationMembers.list(organization);
  expect(present.toSorted()).toEqual(done.toSorted());
  expect(done.length).toBeGreaterThanOrEqual(30);
  expect(done.length).toBeLessThan(200);
});

test("carries out all writes in a storm of 429s", async () => {
  embedded = await embed();
  embedded.emulator.faults.add({
    path: "/api/v2/**",
    probability: 0.3,
    seed: 5,
    status: 429,
    headers: { "retry-after": "0" },
  });
  const acls = await Promise.all(
    Array.from({ length: 20 }, (_, index) => embedded.tenant.networkAcls.create(aclBody(index + 1))),
  );
  expect(new Set(acls.map(({ id }) => id)).size).toBe(20);
  expect(embedded.emulator.snapshot().network_acls).toHaveLength(20);
  expect(embedded.tenant.usage().throttled).toBeGreaterThan(0);
});
