import {
  to = tenant_network_acl_key.example
  id = "name:edge-ab5f8b5c" # or the id of the key, key_…
}
