# login.example.com accepts only requests that our edge proxy has signed. Terraform still reaches the tenant by its own name.
terraform {
  required_providers {
    tenant = {
      source = "registry.terraform.io/tenantform/tenant"
    }
  }
}

variable "edge_key" {
  type        = string
  ephemeral   = true # in no state and no plan; ephemeral resources of a secret store do as well
  description = "Base64 of 32 to 512 random bytes: openssl rand -base64 32"
}

variable "hostname" {
  type    = string
  default = "login.example.com"
}

resource "tenant_network_acl_key" "edge" {
  name_prefix = "edge-" # so that the name changes with the secret
  value_wo    = var.edge_key

  lifecycle {
    create_before_destroy = true
  }
}

resource "tenant_network_acl" "unsigned" {
  description = "Nobody around our edge proxy"
  priority    = 10
  rule {
    action {
      block = true
    }
    match {
      hostnames = [var.hostname]
    }
    not_match {
      http_message_signature {
        keys {
          id = tenant_network_acl_key.edge.id
        }
      }
    }
    scope = "authentication"
  }
}

output "key_id" {
  value = tenant_network_acl_key.edge.id
}
