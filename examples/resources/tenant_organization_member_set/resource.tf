resource "tenant_organization_member_set" "example" {
  organization_id = "org_9ybsU1dN2dKfDkBi"
  members         = ["auth0|65f0c2a4", "google-oauth2|1041"]
}
