import {
  to = tenant_rate_limit_policy.example
  id = "consumer_selector:third_party_clients" # or the id of the policy, rlp_…
}
