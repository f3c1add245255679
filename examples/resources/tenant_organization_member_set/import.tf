import {
  to = tenant_organization_member_set.example
  id = "org_9ybsU1dN2dKfDkBi" # the id of the organization
}
