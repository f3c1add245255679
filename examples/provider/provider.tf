terraform {
  required_providers {
    tenant = {
      source  = "registry.terraform.io/tenantform/tenant"
      version = "~> 0.1"
    }
  }
}

# Credentials come from TENANT_CLIENT_ID and TENANT_CLIENT_SECRET.
provider "tenant" {
  domain = "acme.eu.auth0.com"

  protected_request {
    name    = "our CI"
    ip      = "198.51.100.10"
    country = "DE"
  }

  expectation {
    name    = "sanctions"
    outcome = "blocked"
    request {
      scopes    = ["authentication"]
      countries = ["KP", "IR"]
    }
  }
}
