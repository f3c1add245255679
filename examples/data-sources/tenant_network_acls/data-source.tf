data "tenant_network_acls" "all" {}

output "order_of_evaluation" {
  value = [for acl in data.tenant_network_acls.all.network_acls : "${acl.priority} ${acl.description}"]
}
