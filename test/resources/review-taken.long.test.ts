/** Terraform with values that a tenant has only once: the write decides what the plan cannot know. */
import { openWorkspace } from "../support/workspace";
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
