# Three resources with guard rails. Credentials come from the environment (TENANT_…).
terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant" }
  }
}

provider "tenant" {
  # The provider refuses a plan that would block this request.
  protected_request {
    name = "our CI"
    ip   = "198.51.100.10"
  }

  # Every plan proves these statements, or is refused with an example.
  expectation {
    name    = "known scanners"
    outcome = "blocked"
    request {
      ip_cidrs = ["203.0.113.0/24"]
    }
  }
  expectation {
    name = "third parties"
    policy {
      consumer = "third_party_clients"
      at_most  = 50
    }
  }
  expectation {
    name = "staff"
    members {
      organization_id = var.organization_id
      include         = ["auth0|ada"]
      at_least        = 2
    }
  }
}

variable "organization_id" {
  type        = string
  description = "The organization whose members are managed."
}

resource "tenant_network_acl" "scanners" {
  description = "Keep known scanners out of everything"
  priority    = 20
  rule {
    action {
      block = true
    }
    match {
      ipv4_cidrs = ["203.0.113.0/24"]
    }
    scope = "tenant"
  }
}

resource "tenant_rate_limit_policy" "third_parties" {
  consumer_selector = "third_party_clients"
  configuration {
    action = "block"
    limit  = 25
  }
}

resource "tenant_organization_member_set" "staff" {
  organization_id = var.organization_id
  members         = ["auth0|ada", "auth0|grace"]
  max_removals    = 1
}

data "tenant_network_acls" "all" {
  depends_on = [tenant_network_acl.scanners]
}

output "order_of_evaluation" {
  value = [for acl in data.tenant_network_acls.all.network_acls : acl.description]
}
