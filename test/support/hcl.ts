/** Blocks of Terraform configurations. */

interface Acl {
  /** `block` */
  readonly action?: string;
  readonly priority?: number | string;
  /** The content of the block. */
  readonly match?: string;
  /** All criteria, in place of `match`. */
  readonly criteria?: string;
  readonly scope?: string;
  readonly description?: string;
  /** Further lines of the resource. */
  readonly rest?: string;
}

export const acl = (name: string, given: Acl = {}): string => {
  const {
    action = "log",
    priority = 50,
    match = "asns = [1]",
    criteria = `match { ${match} }`,
    scope = "tenant",
    description = name,
    rest = "",
  } = given;
  return `
resource "tenant_network_acl" "${name}" {
  description = "${description}"
  priority    = ${priority}
  rule {
    action { ${action} = true }
    ${criteria}
    scope = "${scope}"
  }
  ${rest}
}
`;
};

export const policy = (
  name: string,
  selector: string,
  limit: number | string = 5,
  rest = "",
  action = "block",
): string => `
resource "tenant_rate_limit_policy" "${name}" {
  consumer_selector = "${selector}"
  configuration {
    action = "${action}"
    limit  = ${limit}
  }
  ${rest}
}
`;

export const memberSet = (organization: string, members: readonly string[], rest = "", name = "staff"): string => `
resource "tenant_organization_member_set" "${name}" {
  organization_id = "${organization}"
  members         = ${JSON.stringify(members)}
  ${rest}
}
`;

export const key = (name: string, value: string, rest = "", named = `name = "${name}"`): string => `
resource "tenant_network_acl_key" "${name}" {
  ${named}
  ${value}
  ${rest}
}
`;

export const createFirst = "lifecycle {\n create_before_destroy = true\n }";
