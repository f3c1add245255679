variable "edge_key" {
  type        = string
  ephemeral   = true # an ephemeral resource, such as one of a secret store, does as well
  description = "Base64 of 32 to 512 random bytes: openssl rand -base64 32"
}

resource "tenant_network_acl_key" "example" {
  name_prefix = "edge-"
  value_wo    = var.edge_key

  lifecycle {
    create_before_destroy = true
  }
}
