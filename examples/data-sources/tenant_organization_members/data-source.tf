data "tenant_organization_members" "staff" {
  organization_id = "org_9ybsU1dN2dKfDkBi"
}

output "members" {
  value = length(data.tenant_organization_members.staff.members)
}
