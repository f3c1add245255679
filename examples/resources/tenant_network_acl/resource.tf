resource "tenant_network_acl" "example" {
  description = "Sign-in from DE, AT and CH alone"
  priority    = 20

  rule {
    action {
      block = true
    }
    not_match {
      geo_country_codes = ["DE", "AT", "CH"]
    }
    scope = "authentication"
  }
}
