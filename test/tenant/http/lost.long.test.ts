// Lost responses to writes: no object is duplicated or lost.
import type { InjectedFault } from "../../../src/emulator/emulator";
import { fingerprintOf } from "../../../src/provider/resources/network-acl-key/definition";
import { aclBody, embed, policyBody, userIds, type Embedded } from "../support/embedded";

let embedded: Embedded;

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

  test("creates each object once and knows its id, whichever response is lost", async () => {
    embedded = await embed({ flags: ["tenant_acl_hmac_signature"] }, { timeouts });
    const { tenant, emulator } = embedded;
    for (const path of ["network-acls", "rate-limit-policies", "keys/*"]) {
      emulator.faults.add({ method: "POST", path: `/api/v2/${path}`, nth: [1, 3], ...fault });
    }
    const acls = await Promise.all([1, 2, 3].map((priority) => tenant.networkAcls.create(aclBody(priority))));
    const policies = await Promise.all([1, 2, 3].map((one) => tenant.rateLimitPolicies.create(policyBody(one))));
    const keys = [];
    for (const name of ["a", "b", "c"]) {
      const value = Buffer.alloc(32, name).toString("base64");
      keys.push(await tenant.networkAclKeys.create({ name, alg: "hmac-sha256", value }, fingerprintOf(value)));
    }
    const { network_acls, rate_limit_policies, network_acl_keys } = emulator.snapshot();
    expect(network_acl_keys!.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
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

  test("adds and reports all members, whichever batch lost its response", async () => {
    embedded = await embed({ seed: { organizations: [{ id: organization, members: userIds(25) }] } }, { timeouts });
    const { tenant, emulator } = embedded;
    const path = `/api/v2/organizations/${organization}/members`;
    for (const method of ["POST", "DELETE"]) emulator.faults.add({ method, path, nth: [1, 3], ...fault });
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
