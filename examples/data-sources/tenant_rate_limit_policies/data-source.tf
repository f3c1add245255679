data "tenant_rate_limit_policies" "default" {
  consumer_selector = "default"
}

output "limit_of_everybody_else" {
  value = one(data.tenant_rate_limit_policies.default.rate_limit_policies[*].configuration.limit)
}
