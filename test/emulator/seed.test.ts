/** Errors in seeds, and resets to the seed. */
import { createEmulator, type Seed } from "../../src/emulator/emulator";
import { createTenant } from "./client";

const rule = { scope: "tenant", action: { block: true }, match: { asns: [1] } };

test.each<[string, object, string]>([
  ["a kind", { organisations: [] }, "not allowed: organisations'"],
  ["an organization", { organizations: [{ membres: [] }] }, "membres' on property organizations[0]"],
  ["a member", { organizations: [{ members: [["auth0|1", "x"]] }] }, "organizations[0]: a member is a user id"],
  ["a user", { users: [{ user_id: "a" }, { emial: "" }] }, "emial' on property users[1]"],
  ["a client", { clients: [{ secret: "s" }] }, "secret' on property clients[0]"],
  ["an ACL", { network_acls: [{ rule, prioriti: 1 }] }, "prioriti' on property network_acls[0]"],
  ["a signal", { network_acls: [{ rule: { ...rule, match: { asn: [1] } } }] }, "asn' on property network_acls[0].rule"],
  ["an action", { network_acls: [{ rule: { ...rule, action: {} } }] }, "on property rule.action"],
  ["a policy", { rate_limit_policies: [{ configuration: { action: "allow", limit: 1 } }] }, "[0].configuration"],
  ["a fault", { faults: [{ stauts: 1 }] }, "stauts' on property faults[0]"],
])("names the place of %s that is misspelt", (_, seed, message) => {
  const problem = expect(() => createEmulator({ seed: seed as Seed }));
  problem.toThrow("The seed cannot be used: ");
  problem.toThrow(message);
});

test("restores the contents of the start at a reset, generated ids and times included", async () => {
  const organizations = [{ name: "acme", members: ["auth0|a"] }];
  const tenant = await createTenant({ seed: { organizations, network_acls: [{ rule }] } });
  const before = JSON.stringify(tenant.snapshot());
  const { id } = tenant.store.organizations.values()[0]!;
  await tenant.call("DELETE", `/organizations/${id}`);
  await tenant.call("POST", "/network-acls", { description: "", active: true, priority: 3, rule });
  tenant.reset();
  expect(JSON.stringify(tenant.snapshot())).toBe(before);
  expect((await tenant.call("GET", `/organizations/${id}/members`)).body).toEqual([{ user_id: "auth0|a" }]);
});

test("writes times of policies in microseconds, and leaves verify_email out of a user", async () => {
  const tenant = await createTenant();
  const times = new Set<string>();
  for (let n = 0; n < 20; n++) {
    const made = await tenant.call("POST", "/rate-limit-policies", {
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: `client_id:${n}`,
      configuration: { action: "allow" },
    });
    times.add(made.body.created_at);
  }
  expect([...times].some((time) => /\.\d{6}Z$/.test(time))).toBe(true);
  const user = { connection: "c", email: "a@b.example", verify_email: true, password: "p" };
  const { status, body } = await tenant.call("POST", "/users", user);
  expect([status, body.email, body.verify_email, body.password]).toEqual([201, "a@b.example", undefined, undefined]);
});
