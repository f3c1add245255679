data "tenant_network_acl_key" "edge" {
  name = "edge-2026"
}

output "edge_key_id" {
  value = data.tenant_network_acl_key.edge.id
}
