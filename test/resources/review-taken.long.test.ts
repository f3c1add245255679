/** Plans refuse priorities and callers that unmanaged objects already have. */
import { openWorkspace, unwrapped, type Workspace } from "../support/workspace";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await openWorkspace();
});
afterEach(() => workspace.close());

const acl = (name: string, priority: number, description = name) => `
resource "tenant_network_acl" "${name}" {
  description = "${description}"
  priority    = ${priority}
  rule {
    action { log = true }
    match { asns = [1] }
    scope  = "tenant"
  }
}
`;
const rotated = (count: number, by: number) => `
resource "tenant_network_acl" "many" {
  count       = ${count}
  description = "\${count.index}"
  priority    = (count.index + ${by}) % ${count} + 1
  rule {
    action { log = true }
    match { asns = [1] }
    scope  = "tenant"
  }
}`;
const policy = (name: string, selector: string, limit = 1) => `
resource "tenant_rate_limit_policy" "${name}" {
  consumer_selector = "${selector}"
  configuration {
    action = "block"
    limit  = ${limit}
  }
}
`;

async function refused(...args: string[]): Promise<string> {
  const { code, stderr } = await workspace.terraform(...args);
  expect(code).toBe(1);
  return unwrapped(stderr);
}

/** Creates objects and removes them from the state. */
async function made(hcl: string): Promise<void> {
  await workspace.apply(hcl);
  for (const address of (await workspace.terraform("state", "list")).stdout.trim().split("\n")) {
    await workspace.terraform("state", "rm", address);
  }
  workspace.served();
}

const writes = () => workspace.served().filter((line) => !line.startsWith("GET"));
const aclAt = (priority: number) =>
  workspace.emulator.snapshot().network_acls!.find((each) => each.priority === priority)!;
const policyFor = (selector: string) =>
  workspace.emulator.snapshot().rate_limit_policies!.find((each) => each.consumer_selector === selector)!;

describe("a priority", () => {
  test("that an unmanaged ACL has is refused by the plan and the apply, for a new ACL and a changed one", async () => {
    await made(acl("legacy", 10));
    await workspace.apply(acl("free", 9));
    await workspace.write(acl("free", 9) + acl("wanted", 10));
    workspace.served();
    const words = await refused("plan");
    expect(words).toContain('`priority` is 10 for a new ACL ("wanted")');
    expect(words).toContain(`network ACL ${aclAt(10).id} ("legacy") already has it`);
    expect(words).toContain(`terraform import tenant_network_acl.NAME ${aclAt(10).id}`);
    expect(workspace.served()).toEqual(["GET /api/v2/network-acls"]);

    await workspace.apply(acl("free", 9) + acl("other", 8));
    await workspace.write(acl("free", 10) + acl("other", 8));
    workspace.served();
    expect(await refused("plan")).toContain(`("legacy") already has it`);
    expect(workspace.served()).toEqual(["GET /api/v2/network-acls"]);
    expect(await refused("apply", "-auto-approve")).toContain("The priority is taken");
    expect(aclAt(9)).toMatchObject({ description: "free" });
  });

  test("that an unmanaged ACL has is refused at its own write, with the import command, if the plan only creates objects", async () => {
    await made(acl("legacy", 10));
    await workspace.write(acl("wanted", 10));
    await workspace.plan();
    expect(workspace.served()).toEqual([]);
    const words = await refused("apply", "plan");
    expect(words).toContain("exists already");
    expect(words).toContain(`terraform import tenant_network_acl.NAME ${aclAt(10).id}`);
    expect(aclAt(10)).toMatchObject({ description: "legacy" });
  });

  test("conflict of 13 ACLs is refused in one error", async () => {
    await made(rotated(13, 0));
    await workspace.apply(acl("managed", 50));
    await workspace.write(acl("managed", 50) + rotated(13, 3));
    const { code, stderr } = await workspace.terraform("plan");
    expect(code).toBe(1);
    // Terraform may plan some of the new ACLs before it reads the managed one.
    expect(stderr.match(/Error: \d+ objects need/g)).toHaveLength(1);
  });

  test("that another resource of the plan gives up is free, in a plan with more objects than parallel calls", async () => {
    await workspace.apply(rotated(23, 0));
    await workspace.write(rotated(23, 1));
    const { changes, output } = await workspace.plan();
    expect(changes).toHaveLength(23);
    expect(output).not.toContain("Warning");
    await workspace.apply(acl("old", 50));
    await workspace.apply(acl("new", 50, "another"));
    expect(aclAt(50)).toMatchObject({ description: "another" });
  });

  test("that an identical unmanaged ACL has makes the plan report an adoption", async () => {
    await made(acl("same", 10));
    await workspace.apply(acl("managed", 50));
    await workspace.write(acl("managed", 50) + acl("same", 10));
    workspace.served();
    expect(unwrapped((await workspace.plan()).output)).toContain(
      `The tenant already has network ACL ${aclAt(10).id} ("same")`,
    );
    await workspace.apply();
    // The service refuses the taken priority, and the identical ACL that has it is adopted.
    expect(writes()).toEqual(["POST /api/v2/network-acls"]);
    expect((await workspace.plan()).changes).toEqual([]);
  });
});

describe("callers", () => {
  test("that have an unmanaged policy are refused by the plan and by the apply", async () => {
    await made(policy("other", "client_id:b", 7));
    await workspace.apply(acl("a", 1));
    await workspace.write(acl("a", 1) + policy("a", "client_id:b"));
    workspace.served();
    const words = await refused("plan");
    expect(words).toContain('`consumer_selector` is "client_id:b" for a new policy');
    expect(words).toContain(`terraform import tenant_rate_limit_policy.NAME ${policyFor("client_id:b").id}`);
    expect(writes()).toEqual([]);
    await workspace.write(policy("a", "client_id:b"));
    expect(await refused("apply", "-auto-approve", "-refresh=false", "-target=tenant_rate_limit_policy.a")).toContain(
      "exists already",
    );
    expect(policyFor("client_id:b")).toMatchObject({ configuration: { limit: 7 } });
  });

  test("that have an unmanaged policy are refused for a managed policy that changes to them", async () => {
    await made(policy("other", "client_id:b", 7));
    await workspace.apply(policy("a", "client_id:a"));
    await workspace.write(policy("a", "client_id:b"));
    workspace.served();
    expect(await refused("plan")).toContain("Terraform destroys the replaced rate limit policy first");
    expect(writes()).toEqual([]);
  });

  test("that get another policy between plan and apply keep it, and the old policy stays", async () => {
    await workspace.apply(policy("a", "client_id:a"));
    await workspace.write(policy("a", "client_id:b"));
    await workspace.plan();
    workspace.emulator.store.rateLimitPolicies.put({
      id: `rlp_${"x".repeat(21)}`,
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: "client_id:b",
      configuration: { action: "allow" },
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-01-01T00:00:00Z",
    });
    workspace.served();
    const { code, stderr } = await workspace.terraform("apply", "plan");
    expect(code).toBe(1);
    expect(unwrapped(stderr)).toContain("The old policy did not change");
    expect(writes()).toEqual([]);
    expect(policyFor("client_id:a")).toBeDefined();
  });

  test("can be swapped between two policies in one plan", async () => {
    await workspace.apply(policy("a", "client_id:a") + policy("b", "client_id:b", 2));
    await workspace.write(policy("a", "client_id:b") + policy("b", "client_id:a", 2));
    expect((await workspace.plan()).changes).toHaveLength(2);
    await workspace.apply();
    expect(policyFor("client_id:a")).toMatchObject({ configuration: { limit: 2 } });
    expect((await workspace.plan()).changes).toEqual([]);
  });

  test("that an interrupted replacement left to an identical policy are named as such, with a remedy that works", async () => {
    const next = policy("a", "client_id:b").replace(
      "configuration {",
      "lifecycle {\n create_before_destroy = true\n }\n configuration {",
    );
    await workspace.apply(policy("a", "client_id:a"));
    const old = policyFor("client_id:a");
    const { rateLimitPolicies } = workspace.emulator.store;
    const copy = { ...rateLimitPolicies.get(old.id!)!, id: `rlp_${"y".repeat(21)}`, consumer_selector: "client_id:b" };
    rateLimitPolicies.put(copy);
    await workspace.write(next);
    const words = await refused("plan");
    expect(words).toContain("It is identical to the planned one, so an interrupted apply probably made it.");
    await workspace.terraform("state", "rm", "tenant_rate_limit_policy.a");
    rateLimitPolicies.drop(old.id!);
    const { id } = copy;
    expect(words).toContain(`terraform import tenant_rate_limit_policy.NAME ${id}`);
    expect((await workspace.terraform("import", "tenant_rate_limit_policy.a", id)).code).toBe(0);
    expect((await workspace.plan()).changes).toEqual([]);
  });
});
