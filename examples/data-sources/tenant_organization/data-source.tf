data "tenant_organization" "acme" {
  name = "acme"
}

resource "tenant_organization_member_set" "staff" {
  organization_id = data.tenant_organization.acme.id
  members         = ["auth0|65f0c2a4"]
}
