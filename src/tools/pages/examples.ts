/** Three small changes whose review pages the guides show: a configuration before and after. */

export interface Example {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const countries =
  '["AT", "BE", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IT", "LU", "NL", "NO", "PL", "PT", "SE"]';

const head = `terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant" }
  }
}

provider "tenant" {
  domain                    = "acme.eu.auth0.com"
  hide_early_access_warning = true
}
`;

const acls = (active: boolean) => `${head}
resource "tenant_network_acl" "draft" {
  description = "Only from 18 countries of Europe"
  active      = ${active}
  priority    = 40
  rule {
    action { block = true }
    not_match { geo_country_codes = ${countries} }
    scope = "authentication"
  }
}
`;

const limits = (usual: number, thirdParties: number) => `${head}
resource "tenant_rate_limit_policy" "default" {
  consumer_selector = "default"
  configuration {
    action = "block"
    limit  = ${usual}
  }
}

resource "tenant_rate_limit_policy" "third_parties" {
  consumer_selector = "third_party_clients"
  configuration {
    action = "block"
    limit  = ${thirdParties}
  }
}
`;

export const organization = "org_acme000000000001";

const members = (first: number) => `${head}
resource "tenant_organization_member_set" "staff" {
  organization_id = "${organization}"
  members         = [for number in range(${first}, 80) : format("auth0|6630%04x", number * 7919 % 65536)]
}
`;

export const examples: readonly Example[] = [
  { name: "draft", before: acls(false), after: acls(true) },
  { name: "limits", before: limits(100, 50), after: limits(20, 0) },
  { name: "members", before: members(0), after: members(30) },
];
