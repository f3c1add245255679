/** Terraform with values that a tenant has only once: the write decides what the plan cannot know. */
import { openWorkspace, unwrapped } from "../support/workspace";
import { eachTest } from "../support/each-test";

const workspace = eachTest(openWorkspace);

const acl = (name: string, priority: string, more = "") => `
resource "tenant_network_acl" "${name}" {
  ${more}
  description = "${name}"
  priority    = ${priority}
  rule {
    action { log = true }
    match { asns = [1] }
    scope  = "tenant"
  }
}
`;
const policy = (name: string, selector: string, limit = 1) => `
resource "tenant_rate_limit_policy" "${name}" {
  consumer_selector = "${selector}"
  configuration {
    action = "block"
    limit  = ${limit}
  }
}
`;

test("a priority that an unmanaged ACL has is refused at its own write if the plan only creates objects", async () => {
  await workspace.apply(acl("legacy", "10"));
  await workspace.terraform("state", "rm", "tenant_network_acl.legacy");
  const [legacy] = workspace.emulator.snapshot().network_acls!;
  await workspace.write(acl("wanted", "10"));
  workspace.served();
  await workspace.plan();
  expect(workspace.served()).toEqual([]);
  const { code, stderr } = await workspace.terraform("apply", "plan");
  expect([code, unwrapped(stderr)]).toEqual([
    1,
    expect.stringMatching(`exists already.*terraform import tenant_network_acl.NAME ${legacy!.id}`),
  ]);
  expect(workspace.emulator.snapshot().network_acls).toEqual([legacy]);
});

test("a priority that another resource gives up is free, in a plan with more objects than parallel calls", async () => {
  const rotated = (by: number) => acl("many", `(count.index + ${by}) % 23 + 1`, "count = 23");
  await workspace.apply(rotated(0));
  await workspace.write(rotated(1));
  const { changes, output } = await workspace.plan();
  expect(changes).toHaveLength(23);
  expect(output).not.toContain("Warning");
});

test("two policies can swap their applications in one plan", async () => {
  await workspace.apply(policy("a", "client_id:a") + policy("b", "client_id:b", 2));
  await workspace.write(policy("a", "client_id:b") + policy("b", "client_id:a", 2));
  expect((await workspace.plan()).changes).toHaveLength(2);
  await workspace.apply();
  expect(workspace.emulator.snapshot().rate_limit_policies).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ consumer_selector: "client_id:a", configuration: { action: "block", limit: 2 } }),
    ]),
  );
  expect((await workspace.plan()).changes).toEqual([]);
});
