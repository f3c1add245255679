/** A tenant whose network ACLs block Terraform: the error names the cause and the ways out. */
import { openWorkspace, unwrapped } from "../support/workspace";

const stack = `
resource "tenant_network_acl" "a" {
  count       = 3
  description = "a\${count.index}"
  priority    = count.index + 1
  rule {
    action { log = true }
    match { asns = [count.index] }
    scope = "tenant"
  }
}
`;

test.each(["management", "authentication"])(
  "reports once that a network ACL with the scope %s blocks Terraform",
  async (scope) => {
    const workspace = await openWorkspace({ enforce: true });
    try {
      await workspace.apply(stack);
      workspace.emulator.store.networkAcls.put({
        id: "acl_1111111111111111111111",
        description: "wall",
        active: true,
        priority: 90,
        rule: { action: { block: true }, match: { ipv4_cidrs: ["127.0.0.0/8"] }, scope },
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
      });
      for (const command of [["plan"], ["apply", "-auto-approve", "-refresh=false"]]) {
        await workspace.write(stack.replace('"a$', '"b$'));
        const { code, stderr } = await workspace.terraform(...command);
        expect(code).toBe(1);
        // Without a token, the plan fails already. With one, two more objects are not applied.
        const isPlan = command[0] === "plan" || scope === "authentication";
        expect(stderr.match(/Error: /g)).toHaveLength(isPlan ? 1 : 3);
        expect(stderr.match(/Error: A network ACL of the tenant blocks Terraform/g)).toHaveLength(1);
        const text = unwrapped(stderr);
        expect(text).toMatch(
          /Access denied by a network ACL.* Deactivate the ACL in the dashboard \(Security > Access Control\), or run Terraform from/,
        );
        expect(text).not.toMatch(/entitlement|Check the client id/);
      }
    } finally {
      await workspace.close();
    }
  },
);
