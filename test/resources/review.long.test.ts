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
