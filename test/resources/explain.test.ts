/** Errors of the tenant in words: the attribute that causes an error, and defects without secrets. */
import { explain } from "../../src/resources/explain";
import { TenantError, type TenantErrorCode } from "../../src/tenant/error";
import { keepSecret } from "../../src/tenant/secrets";

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
