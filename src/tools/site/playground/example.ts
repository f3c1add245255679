/** The text and the request with which the playground starts. */
export const exampleText = `# The lowest priority is evaluated first. The first ACL that matches decides.
resource "tenant_network_acl" "office" {
  description = "Our office can always sign in"
  priority    = 5

  rule {
    action {
      allow = true
    }
    match {
      ipv4_cidrs = ["203.0.113.0/24"]
    }
    scope = "authentication"
  }
}

resource "tenant_network_acl" "sanctions" {
  description = "No sign-in from sanctioned countries"
  priority    = 10

  rule {
    action {
      block = true
    }
    match {
      geo_country_codes = ["CU", "IR", "KP", "SY"]
    }
    scope = "authentication"
  }
}
`;

export const exampleRequest = { path: "/authorize", ip: "198.51.100.7", country: "KP" };
