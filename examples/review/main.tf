# Your configuration. The scripts in this folder plan, review and apply it.
terraform {
  required_providers {
    tenant = {
      source = "registry.terraform.io/tenantform/tenant"
    }
  }
}

provider "tenant" {
  # Your tenant. No plan, and no saved plan, reaches another one.
  allowed_domains = ["acme.eu.auth0.com"]

  protected_request {
    name = "our CI"
    ip   = "203.0.113.7"
  }
}

# Lets the review check unmanaged ACLs too.
data "tenant_network_acls" "all" {}

resource "tenant_network_acl" "scanners" {
  description = "Keep known scanners out"
  priority    = 10
  rule {
    action { block = true }
    match { ipv4_cidrs = ["192.0.2.0/24"] }
    scope = "tenant"
  }
}
