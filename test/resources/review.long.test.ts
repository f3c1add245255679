/** Real Terraform warns of dangerous changes or refuses them. */
import { openWorkspace, unwrapped, type Workspace } from "../support/workspace";

let workspace: Workspace;
let organization: string;
beforeEach(async () => {
  workspace = await openWorkspace();
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});
afterEach(() => workspace.close());

const quoted = (values: string[]) => JSON.stringify(values);
const membersOf = () => Array.from(workspace.emulator.store.members(organization)!, ([user]) => user).toSorted();

const set = (members: string[], rest = "") => `
resource "tenant_organization_member_set" "staff" {
  organization_id = "${organization}"
  members         = ${quoted(members)}
  ${rest}
}
`;

async function refused(...args: string[]): Promise<string> {
  const { code, stderr } = await workspace.terraform(...args);
  expect(code).toBe(1);
  return unwrapped(stderr);
}

describe("member sets", () => {
  test("refuses a new set when the organization has unlisted members, and names the members and the remedies", async () => {
    workspace.emulator.store.addMembers(organization, ["auth0|b", "auth0|c", "auth0|a"]);
    await workspace.write(set(["auth0|a"]));
    const words = await refused("plan");
    expect(words).toContain("has 2 members that the set does not list");
    expect(words).toContain("auth0|b, auth0|c");
    expect(words).toContain(`terraform import tenant_organization_member_set.NAME ${organization}`);
    expect(membersOf()).toHaveLength(3);

    await workspace.write(set(["auth0|a"], "remove_existing = true"));
    expect(unwrapped((await workspace.plan()).output)).toContain("would lose 2 of 3 members: auth0|b, auth0|c");
    await workspace.apply();
    expect(membersOf()).toEqual(["auth0|a"]);
    expect((await workspace.plan()).changes).toEqual([]);
  });

  test("refuses a plan that exceeds max_removals, with the number and the members", async () => {
    const eight = Array.from({ length: 8 }, (_, index) => `auth0|${index}`);
    await workspace.apply(set(eight, "max_removals = 2"));
    await workspace.write(set(["auth0|0"], "max_removals = 2"));
    const words = await refused("plan");
    expect(words).toContain("would lose 7 of 8 members: auth0|1, auth0|2, auth0|3, auth0|4, auth0|5 and 2 more");
    await workspace.write(set(eight, "max_removals = 2"));
    expect(await refused("destroy", "-auto-approve")).toContain("would lose 8 of 8 members");
    expect(membersOf()).toEqual(eight);
    await workspace.apply(set(eight.slice(2), "max_removals = 2"));
    expect(membersOf()).toEqual(eight.slice(2));
  });

  test("refuses to empty or destroy a set unless allow_empty or max_removals permits it", async () => {
    await workspace.apply(set(["auth0|a"]));
    expect(await refused("plan", "-destroy")).toMatch(/would lose 1 of 1 member: auth0\|a.* and apply that first/);
    expect(await refused("destroy", "-auto-approve")).toContain("An organization would be emptied");
    expect(membersOf()).toEqual(["auth0|a"]);
    await workspace.write(set([]));
    expect(await refused("plan")).toContain("Nobody would be left. If this is meant, set `allow_empty = true`");
    await workspace.write(set([], "max_removals = 1"));
    expect((await workspace.plan()).output).toContain("would lose 1 of 1 member: auth0|a");
    await workspace.apply(set([], "allow_empty = true"));
    expect(membersOf()).toEqual([]);
    await workspace.apply(set(["auth0|a"], "allow_empty = true"));
    await workspace.destroy();
    expect(membersOf()).toEqual([]);
  });

  test("keeps members that a non-exclusive set does not list", async () => {
    workspace.emulator.store.addMembers(organization, ["auth0|other"]);
    await workspace.apply(set(["auth0|a", "auth0|b"], "exclusive = false"));
    expect((await workspace.plan()).changes).toEqual([]);
    await workspace.apply(set(["auth0|b", "auth0|c"], "exclusive = false"));
    expect(membersOf()).toEqual(["auth0|b", "auth0|c", "auth0|other"]);
    workspace.emulator.store.removeMembers(organization, ["auth0|c"]);
    expect((await workspace.plan()).changes).toMatchObject([{ change: { actions: ["update"] } }]);
    await workspace.destroy();
    expect(membersOf()).toEqual(["auth0|other"]);
  });

  test("refuses to rename a set without a moved block", async () => {
    await workspace.apply(set(["auth0|a"]));
    await workspace.write(set(["auth0|a"]).replace('"staff"', '"team"'));
    expect(await refused("plan")).toMatch(
      /moved \{ from = OLD_ADDRESS to = NEW_ADDRESS \}.* `terraform state list -id=\w+`/,
    );
  });

  test('keeps the members after a destroy with on_destroy = "keep"', async () => {
    await workspace.apply(set(["auth0|a"], 'on_destroy = "keep"'));
    await workspace.destroy();
    expect(membersOf()).toEqual(["auth0|a"]);
  });

  test("completes a new set after a partial failure, and removes no member in between", async () => {
    const many = Array.from({ length: 25 }, (_, index) => `auth0|${index + 10}`);
    workspace.emulator.faults.add({ method: "POST", path: "/api/v2/organizations/*/members", nth: 2, status: 400 });
    await workspace.write(set(many));
    await refused("apply", "-auto-approve");
    expect(membersOf().length).toBeLessThan(25);
    workspace.served();
    await workspace.apply();
    expect(membersOf()).toEqual(many);
    expect(workspace.served().filter((line) => line.startsWith("DELETE"))).toEqual([]);
    expect((await workspace.plan()).changes).toEqual([]);
  });

  test("refuses two exclusive sets for one organization, and accepts two non-exclusive ones", async () => {
    await workspace.write(set(["auth0|a"]) + set(["auth0|b"]).replace('"staff"', '"others"'));
    expect(await refused("plan")).toContain("in another tenant_organization_member_set of this plan");
    const shared = "exclusive = false";
    await workspace.apply(set(["auth0|a"], shared) + set(["auth0|b"], shared).replace('"staff"', '"others"'));
    expect(membersOf()).toEqual(["auth0|a", "auth0|b"]);
    expect((await workspace.plan()).changes).toEqual([]);
  });
});

const acl = (name: string, priority: number, action: string, match: string, scope = "management") => `
resource "tenant_network_acl" "${name}" {
  description = "${name}"
  priority    = ${priority}
  rule {
    action { ${action} = true }
    match ${match}
    scope = "${scope}"
  }
}
`;

describe("network ACLs", () => {
  test("names both ACLs when two have the same priority", async () => {
    await workspace.write(acl("a", 7, "log", "{ asns = [1] }") + acl("b", 7, "log", "{ asns = [2] }"));
    const words = await refused("plan");
    expect(words).toMatch(/`priority` is 7 for a new ACL \("[ab]"\) and for a new ACL \("[ab]"\)/);
  });

  test("warns of one CIDR block in two spellings, and plans no change after the apply", async () => {
    await workspace.write(acl("a", 7, "log", '{ ipv4_cidrs = ["10.0.0.0/8", "10.1.0.0/8"] }'));
    expect(unwrapped((await workspace.plan()).output)).toContain("which mean the same: remove one");
    await workspace.apply();
    expect((await workspace.plan()).changes).toEqual([]);
  });

  test("refuses an ACL that blocks every address when no protected request is configured", async () => {
    await workspace.write(
      acl("closed", 7, "block", '{\n ipv4_cidrs = ["0.0.0.0/0"]\n ipv6_cidrs = ["::/0"]\n}', "tenant"),
    );
    const words =
      '"closed" (priority 7) would block 100 % of IPv4 addresses and 100 % of IPv6 addresses from the Management API';
    expect(await refused("plan")).toContain(words);
    expect(await refused("apply", "-auto-approve")).toContain(words);
    expect(workspace.emulator.store.networkAcls.size).toBe(0);
    await workspace.write(acl("narrow", 7, "block", "{ asns = [64496] }", "tenant"));
    expect((await workspace.plan()).output).not.toMatch(/A protected request|lock out|locked out/);
  });

  const everybody = '{\n ipv4_cidrs = ["0.0.0.0/0"]\n ipv6_cidrs = ["::/0"]\n}';

  test("refuses an ACL that blocks every address, also if its description is known only after the apply, and the plan warns", async () => {
    await workspace.apply(acl("other", 60, "log", "{ asns = [1] }"));
    const closed = acl("closed", 7, "block", everybody, "tenant").replace(
      /description( *)= "closed"/,
      "description = terraform_data.later.id",
    );
    expect(closed).toContain("terraform_data");
    const later = `resource "terraform_data" "later" { input = tenant_network_acl.other.description }`;
    await workspace.write(acl("other", 61, "log", "{ asns = [1] }") + closed + later);
    expect(unwrapped((await workspace.plan()).output)).toContain("the apply decides");
    expect(await refused("apply", "-auto-approve")).toContain("would lock out");
    expect([...workspace.emulator.store.networkAcls.values()].map(({ description }) => description)).toEqual(["other"]);
  });

  describe("with protected requests", () => {
    const provider = (strength = "error") => `
      provider "tenant" {
        lockout_guard      = "${strength}"
        protected_request {
          name = "our CI"
          ip   = "203.0.113.7"
        }
      }
    `;
    const closed = acl("closed", 50, "block", '{ ipv4_cidrs = ["203.0.113.0/24"] }');
    const open = acl("open", 5, "allow", '{ ipv4_cidrs = ["203.0.113.7"] }');

    test("refuses the plan and the apply of an ACL that blocks one, and names the ACL and the rule", async () => {
      await workspace.write(provider() + closed);
      for (const words of [await refused("plan"), await refused("apply", "-auto-approve")]) {
        expect(words).toContain('"closed" (priority 50) would block the protected request "our CI"');
        expect(words).toContain("match.ipv4_cidrs 203.0.113.0/24 matches");
      }
      expect(workspace.emulator.store.networkAcls.size).toBe(0);
      await workspace.write(provider() + closed.replace("= 50", "= 1"));
      expect(await refused("plan")).toContain('"closed" (priority 1) would block the protected request "our CI"');
      await workspace.write(provider("warn") + closed);
      expect(unwrapped((await workspace.plan()).output)).toContain("A protected request is blocked");
      await workspace.write(provider("off") + closed);
      expect((await workspace.plan()).output).not.toContain("protected request");
    });

    test("accepts an ACL that blocks one together with an ACL that allows it, without depends_on", async () => {
      await workspace.write(provider() + closed + open);
      expect((await workspace.plan()).output).not.toContain("A protected request");
      await workspace.apply();
      expect(workspace.emulator.store.networkAcls.size).toBe(2);
      expect((await workspace.plan()).changes).toEqual([]);
    });

    test("destroys the blocking and the allowing ACL together", async () => {
      await workspace.apply(provider() + closed + open);
      await workspace.destroy();
      expect(workspace.emulator.store.networkAcls.size).toBe(0);
    });
  });
});

describe("replaced", () => {
  const stack = (rest = "") =>
    acl("a", 7, "log", "{ asns = [1] }").replace("description", `${rest}\n description`) +
    set(["auth0|a"], rest) +
    `resource "tenant_rate_limit_policy" "p" {
      consumer_selector = "default"
      configuration {
        action = "allow"
      }
      ${rest}
    }`;
  const replacing = ["tenant_network_acl.a", "tenant_rate_limit_policy.p", "tenant_organization_member_set.staff"];

  test("with -replace, each object is created again", async () => {
    await workspace.apply(stack());
    const before = workspace.emulator.snapshot();
    const { code, stderr } = await workspace.terraform(
      "apply",
      "-auto-approve",
      ...replacing.map((it) => `-replace=${it}`),
    );
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const after = workspace.emulator.snapshot();
    expect(after.network_acls).toHaveLength(1);
    expect(after.network_acls![0]!.id).not.toBe(before.network_acls![0]!.id);
    expect(after.rate_limit_policies).toHaveLength(1);
    expect(membersOf()).toEqual(["auth0|a"]);
    expect((await workspace.plan()).changes).toEqual([]);
  });

  test("with create_before_destroy, each tainted object stays on the tenant", async () => {
    await workspace.apply(stack("lifecycle {\n create_before_destroy = true\n }"));
    for (const address of replacing) await workspace.terraform("taint", address);
    await workspace.apply();
    const { network_acls, rate_limit_policies } = workspace.emulator.snapshot();
    expect(network_acls).toHaveLength(1);
    expect(rate_limit_policies).toHaveLength(1);
    expect(membersOf()).toEqual(["auth0|a"]);
    expect((await workspace.plan()).changes).toEqual([]);
  });
});

describe("rate limit policies", () => {
  const policy = (name: string, limit: number) => `
    resource "tenant_rate_limit_policy" "${name}" {
      consumer_selector = "default"
      configuration {
        action = "block"
        limit  = ${limit}
      }
    }
  `;

  test("warns of Early Access once, and not with acknowledge_early_access = true", async () => {
    const policies = policy("a", 10) + policy("b", 20).replace('"default"', '"cimd_clients"');
    await workspace.write(policies);
    expect((await workspace.plan()).output.match(/Warning: Early Access/g)).toHaveLength(1);
    await workspace.write(`${policies} provider "tenant" { acknowledge_early_access = true }`);
    expect((await workspace.plan()).output).not.toContain("Warning");
  });
});
