import {
  to = tenant_network_acl.example
  id = "priority:20" # or the id of the ACL, acl_…
}
