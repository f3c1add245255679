/** The remedies that depend on the message of an error. */
import { explain } from "../../../src/provider/resources/explain";
import { TenantError } from "../../../src/tenant/error";

const refused = (problem: string) =>
  new TenantError("invalid_body", `Payload validation error: ${problem}`, {
    method: "POST",
    path: "/network-acls",
    status: 400,
  });

test.each([
  [
    "an attribute that the tenant does not know",
    refused("'Additional properties not allowed: match_all' on property rule."),
    /^Payload .* rule\. This tenant does not know the attribute\. If it is Early Access, ask Auth0 .*; otherwise remove it\./,
  ],
  ["another refusal", refused("'Invalid type' on property rule."), /rule\. Correct the attribute that Auth0 names\./],
  [
    "an unknown host",
    new TenantError("connection_failed", "getaddrinfo ENOTFOUND acme.eu.auth0.com"),
    /com\. Check the spelling of domain or endpoint/,
  ],
  [
    "an embedded tenant that has ended",
    new TenantError(
      "connection_failed",
      "http://127.0.0.1:8080 could not be reached: connect ECONNREFUSED 127.0.0.1:8080",
    ),
    /8080\. Nothing listens there\. .* unset TENANT_EMBEDDED_ENDPOINT and TENANT_ENDPOINT\.$/,
  ],
  [
    "another host where nothing listens",
    new TenantError(
      "connection_failed",
      "https://acme.example could not be reached: connect ECONNREFUSED 192.0.2.1:443",
    ),
    /443\. Check domain or endpoint, the network/,
  ],
])("%s", (_name, error, detail) => {
  expect(explain(error).detail).toMatch(detail);
});
