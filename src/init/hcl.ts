/** The files of a new configuration in HCL. */
import { providerIn } from "../adopt/configuration";
import { requirementTf } from "../adopt/project";
import type { Block } from "../hcl/tree";

const requirement = requirementTf.trimEnd().replace(/\}$/, "");

const headTf = "# Declares ACLs, rate limits, and expectations that must stay true.\n";

const requiredTf = `${requirement}
  # Add a backend, so that your pipeline finds the state.
}

`;

const stackTf = (
  domain: string,
) => `# TENANT_DOMAIN, TENANT_CLIENT_ID and TENANT_CLIENT_SECRET come from the environment.
provider "tenant" {
  # Your tenant. No plan, and no saved plan, reaches another one.
  allowed_domains = [${JSON.stringify(domain)}]

  # Rate limit policies are in Early Access. Without this line, plans mention it once.
  early_access = true

  # Every plan proves these statements for all requests, or is refused with an example.
  expectation {
    name    = "embargo"
    outcome = "blocked"
    request {
      apis      = ["sign-in"]
      countries = ["KP"]
    }
  }

  # Add the address of your pipeline, so that no plan can lock it out:
  # expectation {
  #   name    = "our CI"
  #   outcome = "reached"
  #   always  = true
  #   request {
  #     apis     = ["management"]
  #     ip_cidrs = ["198.51.100.7"]
  #   }
  # }
}

# The service evaluates ACLs by priority, the lowest number first. The first ACL that matches decides.
resource "tenant_network_acl" "sanctions" {
  description = "No sign-in from sanctioned countries"
  priority    = 10
  rule {
    action {
      block = true
    }
    match {
      geo_country_codes = ["KP"]
    }
    scope = "authentication"
  }
}

# Requests per second. The action \`log\` only records requests above the limit, and \`block\` refuses them.
resource "tenant_rate_limit_policy" "third_parties" {
  consumer_selector = "third_party_clients"
  configuration {
    action = "log"
    limit  = 25
  }
}
`;

const head = `/** Plans the configuration on an embedded tenant, and tests the plan. Needs Terraform or OpenTofu, and no tenant. */
import { test } from "node:test";`;

const testMjs = `${head}
import { assertBlocked, assertReached } from "tenantform/testing";
import { planned } from "./plan.mjs";

const plan = await planned();

test("nobody signs in from a sanctioned country", () => {
  assertBlocked(plan, { apis: "sign-in", countries: "KP" });
});

test("everybody else signs in", () => {
  assertReached(plan, { apis: "sign-in" }, { except: { countries: "KP" } });
});

test("Terraform reaches the Management API from everywhere", () => {
  assertReached(plan, { apis: "management" });
});
`;

/** True for every tenant in use. Nobody knows yet what must stay true for this one. */
const adoptedTestMjs = `${head}
import { assertNotBlocked } from "tenantform/testing";
import { planned } from "./plan.mjs";

const plan = await planned();

test("the ACLs let some requests sign in", () => {
  assertNotBlocked(plan, { apis: "sign-in" });
});

test("the ACLs let some requests reach the Management API", () => {
  assertNotBlocked(plan, { apis: "management" });
});

// Import assertBlocked and add what must stay true, for example:
// assertBlocked(plan, { apis: "sign-in", countries: "KP" });
`;

/** All files except package.json and plan.mjs. `domain`: the tenant. `existing`: the blocks of each file of the user's configuration. */
export function hclFiles(
  domain: string,
  isAdopted: boolean,
  existing: readonly (readonly Block[])[],
): Record<string, string> {
  const provider = providerIn(existing.flat());
  if (isAdopted || provider === "declared") return { "tenant.test.mjs": adoptedTestMjs };
  const files = { "tenant.test.mjs": testMjs };
  if (existing.length === 0) return { "main.tf": headTf + requiredTf + stackTf(domain), ...files };
  // A configuration requires its providers in one place, and an override adds to it.
  if (provider !== "required") return { "tenant.tf": headTf + requiredTf + stackTf(domain), ...files };
  return { "tenant.tf": headTf + stackTf(domain), "tenant_override.tf": requirementTf, ...files };
}
