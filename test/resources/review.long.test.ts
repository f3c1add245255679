/** Real Terraform warns of dangerous changes or refuses them. */
import { openWorkspace, unwrapped } from "../support/workspace";
import { eachTest } from "../support/each-test";

const workspace = eachTest(openWorkspace);
let organization: string;
beforeEach(() => {
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});

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

  test("refuses an ACL that blocks every address, also if its description is known only after the apply", async () => {
    await workspace.apply(acl("other", 60, "log", "{ asns = [1] }"));
    const closed = acl("closed", 7, "block", everybody, "tenant").replace(
      /description( *)= "closed"/,
      "description = terraform_data.later.id",
    );
    expect(closed).toContain("terraform_data");
    const later = `resource "terraform_data" "later" { input = tenant_network_acl.other.description }`;
    await workspace.write(acl("other", 61, "log", "{ asns = [1] }") + closed + later);
    expect(await refused("plan")).toContain("may block Terraform itself");
    expect(await refused("apply", "-auto-approve")).toContain("may block Terraform itself");
    expect([...workspace.emulator.store.networkAcls.values()].map(({ description }) => description)).toEqual(["other"]);
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
