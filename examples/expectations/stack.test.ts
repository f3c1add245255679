/** Unit tests of the stack for jest: no network, no Terraform, no tenant. */
import { Testing } from "cdktf";
import "tenantform/testing/jest";
import { TenantStack } from "./stack";

const stack = new TenantStack(Testing.app(), "tenant");

test("nobody signs in from sanctioned countries, except at the office", () => {
  expect(stack).toBlock(
    { scopes: "authentication", countries: ["KP", "IR"] },
    { except: { ipCidrs: ["203.0.113.0/24", "198.51.100.7"] } },
  );
});

test("the office signs in from every country", () => {
  expect(stack).toReach({ scopes: "authentication", ipCidrs: "203.0.113.0/24" });
});

test("the Management API is closed to everyone else", () => {
  expect(stack).toBlock({ scopes: "management" }, { except: { ipCidrs: ["203.0.113.0/24", "198.51.100.7"] } });
});

test("third parties are limited, and two administrators stay", () => {
  expect(stack).toLimit({ consumer: "third_party_clients", atMost: 50 });
  expect(stack).toHaveMembers("org_quickstart000001", { include: "auth0|ada", atLeast: 2 });
});
