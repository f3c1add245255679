/** Plans the configuration on an embedded tenant, and tests the plan. Needs Terraform or OpenTofu, and no tenant. */
import { test } from "node:test";
import { assertBlocked, assertReached } from "tenantform/testing";
import { planned } from "./plan.mjs";

const plan = await planned();

test("nobody signs in from a sanctioned country", () => {
  assertBlocked(plan, { scopes: "authentication", countries: "KP" });
});

test("everybody else signs in", () => {
  assertReached(plan, { scopes: "authentication" }, { except: { countries: "KP" } });
});

test("Terraform reaches the Management API from everywhere", () => {
  assertReached(plan, { scopes: "management" });
});
