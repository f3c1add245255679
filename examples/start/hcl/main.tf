# Declares ACLs, rate limits, and expectations that must stay true.
terraform {
  required_version = ">= 1.5"

  required_providers {
    tenant = {
      source  = "registry.terraform.io/tenantform/tenant"
      version = "~> 0.1"
    }
  }

  # Add a backend, so that your pipeline finds the state:
  # backend "s3" {
  # }
}

# TENANT_DOMAIN, TENANT_CLIENT_ID and TENANT_CLIENT_SECRET come from the environment.
provider "tenant" {
  # Your tenant. No plan, and no saved plan, reaches another one.
  allowed_domains = ["acme.eu.auth0.com"]

  # Rate limit policies are in Early Access. Without this line, plans mention it once.
  hide_early_access_warning = true

  # Every plan checks this for all requests, or is refused with an example.
  expectation {
    name    = "customers in Germany"
    outcome = "reached"
    request {
      scopes    = ["authentication"]
      countries = ["DE"]
    }
  }

  # Add the address of your pipeline, so that no plan can lock it out:
  # protected_request {
  #   name = "our CI"
  #   ip   = "198.51.100.10"
  # }
}

# Auth0 evaluates ACLs by priority, the lowest number first. The first ACL that matches and does more than log decides.
resource "tenant_network_acl" "sanctions" {
  description = "Watch sign-ins from sanctioned countries"
  priority    = 10
  rule {
    # The action `block` is a high effect: the pipeline is red until a person approves it.
    action {
      log = true
    }
    match {
      geo_country_codes = ["CU", "IR", "KP", "SY"]
    }
    scope = "authentication"
  }
}

# Requests per second. The action `log` only records requests above the limit, and `block` refuses them.
resource "tenant_rate_limit_policy" "third_parties" {
  consumer_selector = "third_party_clients"
  configuration {
    action = "log"
    limit  = 25
  }
}
