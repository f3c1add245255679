locals {
  before = [
    {
      priority = 1
      rule     = { action = { allow = true }, match = { ipv4_cidrs = ["203.0.113.0/24"] }, scope = "tenant" }
    },
  ]
  # The same rules in two ACLs: the rewrite must change no outcome.
  after = [
    {
      priority = 1
      rule     = { action = { allow = true }, match = { ipv4_cidrs = ["203.0.113.0/25"] }, scope = "tenant" }
    },
    {
      priority = 2
      rule     = { action = { allow = true }, match = { ipv4_cidrs = ["203.0.113.128/25"] }, scope = "tenant" }
    },
  ]
}

check "rewrite" {
  assert {
    condition     = provider::tenant::acl_equivalent(local.before, local.after)
    error_message = "The rewrite changes what happens to somebody."
  }
}

# Compares the tenant with the configuration.
data "tenant_network_acls" "all" {}

output "unchanged" {
  value = provider::tenant::acl_equivalent(data.tenant_network_acls.all.network_acls, local.after)
}
