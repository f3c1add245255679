resource "tenant_rate_limit_policy" "example" {
  consumer_selector = "third_party_clients"

  configuration {
    action = "block"
    limit  = 25
  }
}
