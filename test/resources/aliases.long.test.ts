/** Two provider aliases of one tenant in one process share the plan registry and the protected requests. */
import { openWorkspace, unwrapped } from "../support/workspace";
import { eachTest } from "../support/each-test";

const workspace = eachTest(openWorkspace);

const acl = (name: string, alias: string, priority: number, action: string, cidr: string) => `
resource "tenant_network_acl" "${name}" {
  provider    = ${alias}
  description = "${name}"
  priority    = ${priority}
  rule {
    action { ${action} = true }
    match { ipv4_cidrs = ["${cidr}"] }
    scope  = "tenant"
  }
}
`;
const office = acl("office", "tenant", 1, "allow", "198.51.100.10/32");
const net = acl("net", "tenant.b", 2, "block", "198.51.100.0/24");

async function refused(): Promise<string> {
  const { code, stderr } = await workspace.terraform("plan");
  expect(code).toBe(1);
  return unwrapped(stderr);
}
const guard = `protected_request {
  ip = "198.51.100.10"
}`;

test.each([
  ["the first", guard, ""],
  ["the second", "", guard],
])(
  "refuses to destroy an allowing ACL of one alias while the other alias creates a blocking ACL, when %s alias has protected requests",
  async (_, a, b) => {
    const spelled = workspace.environment.TENANT_ENDPOINT!.replace("127.0.0.1", "LOCALHOST");
    const providers = `provider "tenant" {\n${a}\n}\nprovider "tenant" {\nalias = "b"\nendpoint = "${spelled}"\n${b}\n}\n`;
    await workspace.apply(providers + office);
    await workspace.write(providers + net);
    expect(await refused()).toContain("A protected request is blocked");
    const { code, stderr } = await workspace.terraform("apply", "-auto-approve");
    // The plan or the write refuses it: the order in which Terraform configures the aliases decides.
    expect([code, unwrapped(stderr)]).toEqual([
      1,
      expect.stringMatching(
        /A protected request is blocked|This change would lock out Terraform or a protected request/,
      ),
    ]);
    // Terraform can destroy the allowing ACL before it configures the other alias. Then that alias does not create its blocking ACL.
    const left = [...workspace.emulator.store.networkAcls.values()].map(({ description }) => description);
    expect(left.includes("office") || !left.includes("net")).toBe(true);
    await workspace.write(providers + office + net);
    expect((await workspace.plan()).output).not.toContain("A protected request is blocked");
  },
);

test("refuses the same priority or the same id in resources of both aliases", async () => {
  const providers = 'provider "tenant" {}\nprovider "tenant" {\nalias = "b"\n}\n';
  await workspace.write(providers + office + net.replace("= 2", "= 1"));
  expect(await refused()).toContain("Two ACLs with the same priority");
  await workspace.apply(providers + office);
  const { id } = await workspace.state("tenant_network_acl.office");
  await workspace.write(`${providers}${office}${net}
    import {
      to = tenant_network_acl.net
      id = "${id}"
    }`);
  expect(await refused()).toContain("Two resources for one network ACL");
});
