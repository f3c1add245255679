data "tenant_network_acl_keys" "all" {}

output "fingerprints" {
  value = { for key in data.tenant_network_acl_keys.all.network_acl_keys : key.name => key.fingerprint }
}
