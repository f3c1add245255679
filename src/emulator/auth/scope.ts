/** The scopes that the client credentials flow can grant, and the flags that add some of them. */

/** Features that the service turns on tenant by tenant. */
export const flags = ["tenant_acl_match_all", "tenant_acl_hmac_signature"] as const;
export type Flag = (typeof flags)[number];
export type Flags = ReadonlySet<Flag>;

export const everyFlag: Flags = new Set(flags);

/** The resources by the verbs that exist for them. */
const resources = {
  "create read update delete": `
    actions authentication_methods client_credentials client_grants clients connection_profiles connections
    custom_domains custom_signing_keys directory_provisionings email_provider encryption_keys event_streams
    experimentation flows flows_vault_connections forms hooks log_streams network_acls organization_connections
    organization_discovery_domains organizations phone_providers phone_templates rate_limit_policies
    resource_servers roles rules scim_config self_service_profiles token_exchange_profiles
    user_attribute_profiles users vdcs_templates`,
  read: `
    client_summary events group_members logs logs_users organization_groups organization_member_effective_roles
    organization_member_role_source_groups organizations_summary stats user_effective_permissions
    user_effective_roles user_idp_tokens user_permission_source_roles user_role_source_groups`,
  "read delete": `
    anomaly_blocks current_user device_credentials federated_connections_tokens flows_executions grants groups
    guardian_enrollments`,
  "read update": `
    attack_protection client_keys event_deliveries guardian_factors mfa_policies prompts
    self_service_profile_custom_texts tenant_settings`,
  "create read delete": `
    group_roles organization_client_grants organization_group_roles organization_invitations
    organization_member_roles organization_members role_members scim_token`,
  "read update delete": `
    branding refresh_tokens rules_configs sessions`,
  update: `
    client_token_vault_privileged_access current_user_identities current_user_metadata users_app_metadata`,
  "create read update": `
    connections_keys email_templates signing_keys`,
  "create delete": `
    current_user_device_credentials sso_access_tickets`,
  create: `
    guardian_enrollment_tickets user_tickets`,
  "create update delete": `
    organization_clients`,
};

const scopesOf = (grants: Record<string, string>): string[] =>
  Object.entries(grants).flatMap(([verbs, names]) =>
    names
      .trim()
      .split(/\s+/)
      .flatMap((name) => verbs.split(" ").map((verb) => `${verb}:${name}`)),
  );

/** The scopes that need a flag of the tenant. */
const behindFlags: Partial<Record<Flag, readonly string[]>> = {
  tenant_acl_hmac_signature: scopesOf({ "create read delete": "network_acl_keys" }),
};

/** All scopes of a tenant with these flags. */
export const catalogueOf = (on: Flags): string[] => [
  ...scopesOf(resources),
  ...[...on].flatMap((flag) => behindFlags[flag] ?? []),
];

/** The granted scopes: those that the client requests and is allowed to have, each by default all. */
export function grant(catalogue: readonly string[], requested?: string, allowed = catalogue): string[] {
  const wanted = requested?.split(/\s+/).filter(Boolean) ?? [];
  const possible = catalogue.filter((scope) => allowed.includes(scope));
  return wanted.length === 0 ? possible : possible.filter((scope) => wanted.includes(scope));
}
