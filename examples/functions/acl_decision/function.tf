resource "tenant_network_acl" "office" {
  description = "The office gets in from anywhere"
  priority    = 1
  rule {
    action { allow = true }
    match { ipv4_cidrs = ["203.0.113.0/24"] }
    scope = "tenant"
  }
}

resource "tenant_network_acl" "sanctions" {
  description = "No sign-in from sanctioned countries"
  priority    = 2
  rule {
    action { block = true }
    match { geo_country_codes = ["KP"] }
    scope = "authentication"
  }
}

locals {
  acls = [tenant_network_acl.office, tenant_network_acl.sanctions]
}

# Warns in every plan and apply that breaks the condition.
check "office" {
  assert {
    condition     = provider::tenant::acl_decision(local.acls, { ip = "203.0.113.7" }).outcome == "allowed"
    error_message = "The office is locked out."
  }
}

output "visitor" {
  value = provider::tenant::acl_decision(local.acls, { ip = "198.51.100.7", country = "KP", path = "/authorize" })
}
