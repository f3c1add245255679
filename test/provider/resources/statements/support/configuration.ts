/** Configurations with expectations. */
import { acl, policy as thirdParties } from "../../../../support/hcl";

/** The provider block with one expectation. `body`: its arguments without the name. */
export const expecting = (name: string, body: string): string => providing(expectation(name, body));

export const providing = (...parts: readonly string[]): string =>
  `provider "tenant" {\n  plan_warnings            = "off"\n  hide_early_access_warning = true\n${parts.join("\n")}\n}\n`;

export const expectation = (name: string, body: string): string => `
  expectation {
    name = ${JSON.stringify(name)}
    ${body}
  }`;

export const sanctions = `outcome = "blocked"
    request {
      scopes      = ["authentication"]
      countries = ["KP", "IR"]
    }`;

export const wall = (priority = 20, rest = ""): string =>
  acl("wall", { action: "block", priority, match: 'geo_country_codes = ["IR", "KP"]', rest });

export const partner = (priority = 10, addresses = '"203.0.113.0/24"', rest = ""): string =>
  acl("partner", { action: "allow", priority, match: `ipv4_cidrs = [${addresses}]`, rest });

export const policy = (limit: number): string => thirdParties("third", "third_party_clients", limit);
