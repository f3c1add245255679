/** Plans the configuration on an embedded tenant, and tests the plan. Needs Terraform or OpenTofu, and no tenant. */
import { test } from "node:test";
import { assertReached } from "tenantform/testing";
import { planned } from "./plan.mjs";

const plan = await planned();

test("people sign in from where our customers live", () => {
  assertReached(plan, { scopes: "authentication", countries: ["DE", "FR", "US"] });
});

test("Terraform reaches the Management API from everywhere", () => {
  assertReached(plan, { scopes: "management" });
});
