/** Errors of the tenant in words: the attribute that causes an error, and network ACLs that block Terraform. */
import { explain } from "../../../src/provider/resources/explain";
import { TenantError, type TenantErrorCode } from "../../../src/tenant/error";
import { keepSecret } from "../../../src/tenant/secrets";
import { acl } from "../../support/hcl";
import { openWorkspace, unwrapped } from "../../support/workspace";

test("shows the stack trace of a defect without secrets", () => {
  keepSecret("a-secret-of-the-tenant");
  const { code, detail } = explain(new Error("cannot read a-secret-of-the-tenant"));
  expect(code).toBe("TNF-DEFECT");
  expect(detail).toContain("cannot read (sensitive)\n    at ");
  expect(detail).not.toContain("a-secret-of-the-tenant");
});

test.each<[TenantErrorCode, string, string | undefined]>([
  ["not_found", "/organizations/org_1/members", "organization_id"],
  ["conflict", "/organizations/org_1/members", undefined],
  ["conflict", "/network-acls", "priority"],
  ["priority_taken", "/network-acls/acl_1", "priority"],
  ["not_found", "/network-acls/acl_1", undefined],
  ["conflict", "/keys/network-acls", "name"],
  ["conflict", "/rate-limit-policies", "consumer_selector"],
  ["conflict", "/network-acls-of-others", undefined],
])("the attribute that causes %s at %s is %s", (code, path, attribute) => {
  const { path: place } = explain(new TenantError(code, "No.", { method: "POST", path, status: 400 }));
  expect(place).toEqual(attribute === undefined ? undefined : [{ attribute }]);
});

const stack = [1, 2, 3].map((priority) => acl(`a${priority}`, { priority })).join("");

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
        await workspace.write(stack.replaceAll('= "a', '= "b'));
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
