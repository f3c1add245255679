provider "tenant" {
  # A plan that would block this machine fails.
  protected_request {
    name    = "our CI"
    ip      = "198.51.100.10"
    country = "US"
  }
}

# Sign-in has the scope authentication, and so have the token requests of machines.
resource "tenant_network_acl" "machines" {
  description = "Our CI and our servers, from every country"
  priority    = 10

  rule {
    action {
      allow = true
    }
    match {
      ipv4_cidrs = ["198.51.100.10", "203.0.113.0/24"]
    }
    scope = "authentication"
  }
}

resource "tenant_network_acl" "example" {
  description = "Sign-in from DE, AT and CH alone"
  priority    = 20

  rule {
    action {
      block = true
    }
    not_match {
      geo_country_codes = ["DE", "AT", "CH"]
    }
    scope = "authentication"
  }

  depends_on = [tenant_network_acl.machines]
}
