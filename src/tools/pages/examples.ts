/** Three small changes whose review pages docs/guides/review.md shows. */

interface Change {
  readonly address: string;
  readonly before: object;
  readonly after: object;
}

export interface Example {
  readonly name: string;
  /** The configuration that the plan belongs to. */
  readonly configuration: string;
  readonly changes: readonly Change[];
}

const europe =
  "AD AL AT BA BE BG BY CH CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM UA VA XK";

function acl(id: string, priority: number, description: string, active: boolean, criteria: object) {
  const rule = { action: { block: true }, scope: "authentication", ...criteria };
  return { id, description, active, priority, rule };
}

const countries = (codes: string) => codes.split(" ");
const sanctions = acl("acl_1", 10, "No sign-in from sanctioned countries", true, {
  match: { geo_country_codes: countries("CU IR KP SY") },
});
const draft = (active: boolean) =>
  acl("acl_2", 40, "Europe only", active, { not_match: { geo_country_codes: countries(europe) } });

const policy = (id: string, selector: string, limit: number) => ({
  id,
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: selector,
  configuration: { action: "block", limit },
});

const people = Array.from({ length: 80 }, (_, index) => `auth0|${(0x6630_0000 + index * 7919).toString(16)}`);
const team = (members: readonly string[]) => ({
  organization_id: "org_acme0000000001",
  members,
  exclusive: true,
  on_destroy: "remove",
});

const resource = (type: string, name: string, lines: readonly string[]) =>
  [`resource "${type}" "${name}" {`, ...lines.map((line) => `  ${line}`), "}", ""].join("\n");

export const examples: readonly Example[] = [
  {
    name: "draft",
    configuration: [
      resource("tenant_network_acl", "sanctions", ['description = "No sign-in from sanctioned countries"']),
      resource("tenant_network_acl", "draft", ['description = "Europe only"', "active      = true"]),
    ].join("\n"),
    changes: [
      { address: "tenant_network_acl.sanctions", before: sanctions, after: sanctions },
      { address: "tenant_network_acl.draft", before: draft(false), after: draft(true) },
    ],
  },
  {
    name: "limits",
    configuration: [
      resource("tenant_rate_limit_policy", "default", ['consumer_selector = "default"']),
      resource("tenant_rate_limit_policy", "third_parties", ['consumer_selector = "third_party_clients"']),
    ].join("\n"),
    changes: [
      {
        address: "tenant_rate_limit_policy.default",
        before: policy("rlp_1", "default", 100),
        after: policy("rlp_1", "default", 0),
      },
      {
        address: "tenant_rate_limit_policy.third_parties",
        before: policy("rlp_2", "third_party_clients", 50),
        after: policy("rlp_2", "third_party_clients", 10),
      },
    ],
  },
  {
    name: "members",
    configuration: resource("tenant_organization_member_set", "acme", ["members = var.staff"]),
    changes: [{ address: "tenant_organization_member_set.acme", before: team(people), after: team(people.slice(30)) }],
  },
];

/** In the form of `terraform show -json`. */
export function planOf({ changes }: Example): object {
  const typeOf = (address: string) => address.split(".")[0]!;
  return {
    format_version: "1.2",
    complete: true,
    planned_values: {},
    resource_changes: changes.map(({ address, before, after }) => ({
      address,
      mode: "managed",
      type: typeOf(address),
      change: { actions: [before === after ? "no-op" : "update"], before, after, after_unknown: {} },
    })),
    configuration: {
      root_module: {
        resources: changes.map(({ address }) => ({
          address,
          mode: "managed",
          type: typeOf(address),
          name: address.split(".")[1],
        })),
      },
    },
  };
}
