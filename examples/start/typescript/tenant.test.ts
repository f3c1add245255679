/** Tests the stack without a tenant and without Terraform. */
import { Testing } from "cdktf";
import "tenantform/testing/jest";
import { TenantStack } from "./tenant";

const stack = new TenantStack(Testing.app(), "tenant");

test("people sign in from where our customers live", () => {
  expect(stack).toReach({ scopes: "authentication", countries: ["DE", "FR", "US"] });
});

test("Terraform reaches the Management API from everywhere", () => {
  expect(stack).toReach({ scopes: "management" });
});
