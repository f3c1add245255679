/** By the name of the case: `level CODE address | words of the sentence`, the worst first. `?`: the effect is possible or undecided. */
export const truth: Readonly<Record<string, readonly string[]>> = {
  "users deleted": [
    'critical TNF-USERS-DELETED auth0_connection.users | "Users"',
    'high TNF-APP-STOPS auth0_client.shop | "Shop" | "authorization_code"',
    'high? TNF-CALLBACK-REMOVED auth0_client.shop | "Shop" | "https://old.example/cb" | "callback URL mismatch"',
  ],
  "users renamed": ['critical TNF-USERS-DELETED auth0_connection.users | "Users" | "Customers"'],
  "own database deleted": ['critical? TNF-USERS-DELETED auth0_connection.users | "Users"'],
  "client deleted with its grant": [
    'high TNF-APP-STOPS auth0_client.shop | "Shop" | "shop_id" | auth0_client_grant.g | auth0_connection_clients.c',
  ],
  "client replaced with its grant": [
    'high TNF-APP-STOPS auth0_client.shop | "Shop" | "shop_id" | auth0_client_grant.g | auth0_connection_clients.c',
  ],
  "domain deleted": ['critical TNF-DOMAIN-GONE auth0_custom_domain.login | "login.acme.example"'],
  "domain replaced": ['critical TNF-DOMAIN-GONE auth0_custom_domain.login | "login.acme.example" | "id.acme.example"'],
  "enterprise deleted": ['high TNF-CONNECTION-CLOSED auth0_connection.okta | "acme-okta" | "okta"'],
  "last callback removed": ['critical? TNF-CALLBACK-REMOVED auth0_client.shop | "Shop" | "https://old.example/cb"'],
  "refresh token grant removed": ['medium TNF-APP-STOPS auth0_client.shop | "Shop" | "refresh_token"'],
  "grant types added": ['medium TNF-APP-OPENED auth0_client.shop | "Shop" | "password"'],
  "clients of a connection": [
    'high TNF-CONNECTION-CLOSED auth0_connection_clients.c | "Users" (users_id) | "Shop" (shop_id)',
  ],
  "clients of a connection deleted": [
    'high TNF-CONNECTION-CLOSED auth0_connection_clients.c | "users_id" | "other_id" | "shop_id"',
  ],
  "client of a connection deleted": ['high TNF-CONNECTION-CLOSED auth0_connection_client.c | "users_id" | "shop_id"'],
  "api deleted with its scopes": [
    'high TNF-API-DELETED auth0_resource_server.orders | "https://orders.example" | auth0_resource_server_scopes.s | auth0_role_permissions.p',
    'medium TNF-PERMISSION-ADDED auth0_role_permissions.p | "clerk_id" | "read:bills" | "https://bills.example"',
  ],
  "api replaced": [
    'high TNF-API-DELETED auth0_resource_server.orders | "https://orders.example" | "https://orders2.example"',
  ],
  "management api forgotten": ['info TNF-FORGOTTEN auth0_resource_server.m | "Auth0 Management API"'],
  "grant deleted": ['high TNF-PERMISSION-REMOVED auth0_client_grant.g | "shop_id" | "https://orders.example"'],
  "grant for another audience": [
    'high TNF-PERMISSION-REMOVED auth0_client_grant.g | "shop_id" | "https://orders.example"',
    'medium TNF-PERMISSION-ADDED auth0_client_grant.g | "shop_id" | may get tokens',
  ],
  "scopes of a grant": [
    'high TNF-PERMISSION-REMOVED auth0_client_grant.g | "shop_id" | "https://orders.example" | "write:orders"',
    'medium TNF-PERMISSION-ADDED auth0_client_grant.g | "shop_id" | "https://orders.example" | "admin:orders"',
  ],
  "all scopes of a grant": ['high TNF-PERMISSION-ADDED auth0_client_grant.g | "shop_id" | "https://orders.example"'],
  "organization deleted with its connection": [
    'high TNF-ORGANIZATION-DELETED auth0_organization.acme | "acme" | auth0_organization_connection.c',
  ],
  "connections of an organization": [
    'high TNF-CONNECTION-CLOSED auth0_organization_connections.c | "acme_id" | "acme-okta" (okta_id)',
  ],
  "flag of a connection of an organization": [
    'medium TNF-APP-OPENED auth0_organization_connections.c | "users_id" | "acme_id"',
  ],
  "connection of an organization off": [
    'high TNF-CONNECTION-CLOSED auth0_organization_connection.c | "acme_id" | "users_id"',
    'medium TNF-SIGN-IN-CHANGED auth0_organization_connection.c | "users_id" | "acme_id"',
  ],
  "action unbound": ['high TNF-ACTION-UNBOUND auth0_trigger_actions.t | "Deny embargoed countries" | "post-login"'],
  "actions in another order": [
    'low? TNF-ACTION-CHANGED auth0_trigger_actions.t | "post-login" | "Add claims" | "Deny"',
  ],
  "actions of a trigger deleted": [
    'medium TNF-ACTION-UNBOUND auth0_trigger_actions.t | "post-change-password" | "Tell the CRM"',
  ],
  "actions of a trigger created": ['high? TNF-ACTION-UNBOUND auth0_trigger_actions.t | "post-login" | "Deny"'],
  "protection off": [
    "high TNF-PROTECTION-OFF auth0_attack_protection.a",
    "high TNF-PROTECTION-OFF auth0_attack_protection.a",
    "high TNF-PROTECTION-OFF auth0_attack_protection.a",
  ],
  "protection weaker": [
    'high TNF-PROTECTION-OFF auth0_attack_protection.a | "block"',
    'medium TNF-PROTECTION-OFF auth0_attack_protection.a | "203.0.113.7"',
    "low TNF-PROTECTION-OFF auth0_attack_protection.a",
  ],
  "bots unchallenged": [
    'high TNF-PROTECTION-OFF auth0_attack_protection.a | "never" | "when_risky"',
    "high TNF-PROTECTION-OFF auth0_attack_protection.a",
    "medium? TNF-SIGN-IN-CHANGED auth0_attack_protection.a",
  ],
  "protection deleted": ["high TNF-PROTECTION-OFF auth0_attack_protection.a"],
  "second factor off": ['high? TNF-MFA-OFF auth0_guardian.g | "never" | "all-applications"'],
  "second factor required": ['medium TNF-MFA-REQUIRED auth0_guardian.g | "all-applications"'],
  "second factor required without factors": ['critical TNF-MFA-REQUIRED auth0_guardian.g | "all-applications"'],
  "factor removed": ["high? TNF-MFA-OFF auth0_guardian.g"],
  "guardian deleted": ["high TNF-MFA-OFF auth0_guardian.g"],
  "authentication method": [
    'high TNF-PROTECTION-OFF auth0_client_credentials.c | "shop_id" | "none" | "client_secret_post" | whoever knows its client ID',
  ],
  "client secret": ['high TNF-CREDENTIAL-CHANGED auth0_client_credentials.c | "shop_id"'],
  "credentials deleted": ['high TNF-CREDENTIAL-CHANGED auth0_client_credentials.c | "shop_id" | "invalid_client"'],
  "secret credentials deleted": ['medium TNF-CREDENTIAL-CHANGED auth0_client_credentials.c | "shop_id"'],
  "organization required": ['high TNF-APP-STOPS auth0_client.shop | "Shop"'],
  "organization denied": ['high? TNF-APP-STOPS auth0_client.shop | "Shop" | "deny" | "allow"'],
  "organization no longer required": ['medium TNF-APP-OPENED auth0_client.shop | "Shop" | "allow" | "require"'],
  "third party": ['high TNF-APP-STOPS auth0_client.shop | "Shop"'],
  "first party": ['medium TNF-APP-OPENED auth0_client.shop | "Shop"'],
  "id token algorithm": [
    'high? TNF-TOKEN-CHANGED auth0_client.shop | "Shop" | "HS256" | "RS256"',
    'low TNF-TOKEN-CHANGED auth0_client.shop | "Shop"',
  ],
  "application type": ['medium? TNF-APP-STOPS auth0_client.shop | "Shop" | "spa" | "regular_web"'],
  origins: [
    'medium? TNF-CALLBACK-REMOVED auth0_client.shop | "Shop" | "https://b.example" | "https://a.example"',
    'low TNF-CALLBACK-REMOVED auth0_client.shop | "Shop" | "https://c.example"',
  ],
  "pushed requests": [
    'high TNF-APP-STOPS auth0_client.shop | "Shop"',
    'medium? TNF-APP-STOPS auth0_client.shop | "Shop"',
  ],
  "refresh tokens": [
    'medium TNF-PROTECTION-OFF auth0_client.shop | "Shop" | "non-rotating" | "rotating"',
    'medium TNF-SESSION-SHORTER auth0_client.shop | "Shop"',
  ],
  "other ways to get tokens": [
    'medium? TNF-SIGN-IN-CHANGED auth0_client.shop | "Shop" | "acme_id" | "bolt_id"',
    'medium? TNF-APP-STOPS auth0_client.shop | "Shop"',
    'medium? TNF-APP-STOPS auth0_client.shop | "Shop" | "custom_authentication"',
    'low? TNF-CALLBACK-REMOVED auth0_client.shop | "Shop" | "https://shop.example/login"',
    'low? TNF-CALLBACK-REMOVED auth0_client.shop | "https://b.example/bc" | "Shop"',
  ],
  "own database off": ['critical? TNF-CONNECTION-CLOSED auth0_connection.users | "Users"'],
  "own database off while importing": ['high? TNF-CONNECTION-CLOSED auth0_connection.users | "Users"'],
  "import ends": ['high? TNF-CONNECTION-CLOSED auth0_connection.users | "Users"'],
  "scripts and secrets": ['medium? TNF-SIGN-IN-CHANGED auth0_connection.users | "Users"'],
  "methods and identifiers": [
    'high? TNF-CONNECTION-CLOSED auth0_connection.users | "Users"',
    'high? TNF-CONNECTION-CLOSED auth0_connection.users | "Users"',
    'low TNF-SIGN-IN-CHANGED auth0_connection.users | "Users" | "required"',
    'low TNF-SIGN-IN-CHANGED auth0_connection.users | "Users" | "allow"',
  ],
  "identity provider": [
    'high? TNF-CONNECTION-CLOSED auth0_connection.users | "Users" | client_id is "new-id" instead of "old-id"',
    'medium? TNF-CONNECTION-CLOSED auth0_connection.users | "Users"',
  ],
  "domain aliases": [
    'high TNF-CONNECTION-CLOSED auth0_connection.users | "acme.test" | "Users"',
    'high TNF-CONNECTION-CLOSED auth0_connection.users | "Users" | are sent to "https://idp2.example" instead of "https://idp.example" (sign_in_endpoint)',
    'high TNF-CONNECTION-CLOSED auth0_connection.users | trusts another key | "Users"',
  ],
  "user ids": ['high? TNF-USERS-DELETED auth0_connection.users | "Users" | "email" | "oid"'],
  "sign-up and passwords": [
    'high TNF-PROTECTION-OFF auth0_connection.users | "Users"',
    'medium TNF-SIGN-IN-CHANGED auth0_connection.users | "Users"',
    'medium TNF-PROTECTION-OFF auth0_connection.users | "Users"',
    'medium TNF-PROTECTION-OFF auth0_connection.users | "Users" | "low" | "good"',
    'medium? TNF-CONNECTION-CLOSED auth0_connection.users | "Users"',
  ],
  "domain connection": [
    'medium TNF-CONNECTION-CLOSED auth0_connection.users | "Users"',
    'low TNF-SIGN-IN-CHANGED auth0_connection.users | "Users"',
    'low? TNF-USER-CHANGED auth0_connection.users | "Users" | "email"',
  ],
  "organization renamed": ['medium? TNF-SIGN-IN-CHANGED auth0_organization.acme | "acme" | "acme-inc"'],
  "roles of a member": [
    'medium TNF-PERMISSION-REMOVED auth0_organization_member_roles.r | "u1" | "Owner" (owner_id) | "acme_id"',
  ],
  "links of an organization deleted": [
    'medium TNF-PERMISSION-REMOVED auth0_organization_client_grant.g | "acme_id" | "cgr_1"',
    'medium TNF-PERMISSION-REMOVED auth0_organization_member_role.r | "u1" | "clerk_id" | "acme_id"',
    'low TNF-SIGN-IN-CHANGED auth0_organization_discovery_domain.d | "acme.example" | "acme_id"',
    'low TNF-SIGN-IN-CHANGED auth0_organization_discovery_domains.d | "acme.test" | "acme_id"',
  ],
  "scopes of an api": [
    'high TNF-PERMISSION-REMOVED auth0_resource_server_scopes.s | "write:orders" | "https://orders.example"',
  ],
  "scope deleted": [
    'high TNF-PERMISSION-REMOVED auth0_resource_server_scope.s | "read:orders" | "https://orders.example"',
  ],
  "policies no longer enforced": [
    'high TNF-PERMISSION-ADDED auth0_resource_server.orders | "https://orders.example"',
    'high? TNF-TOKEN-CHANGED auth0_resource_server.orders | "https://orders.example" | "permissions" | "access_token" | "access_token_authz"',
  ],
  "policies enforced": ['high TNF-PERMISSION-REMOVED auth0_resource_server.orders | "https://orders.example"'],
  "tokens of an api": [
    'high TNF-TOKEN-CHANGED auth0_resource_server.orders | "https://orders.example" | "HS256" | "RS256"',
    'high TNF-PERMISSION-REMOVED auth0_resource_server.orders | "https://orders.example" | "allow_all" | "deny_all"',
    'medium TNF-SESSION-SHORTER auth0_resource_server.orders | "https://orders.example" (allow_offline_access)',
    'low TNF-TOKEN-CHANGED auth0_resource_server.orders | "https://orders.example"',
  ],
  "role deleted": [
    'high TNF-PERMISSION-REMOVED auth0_role.clerk | "Clerk" | auth0_role_permission.p | auth0_user_role.r',
  ],
  "permissions of a role": [
    'medium TNF-PERMISSION-ADDED auth0_role_permissions.p | "clerk_id" | "admin:orders" | "https://orders.example"',
    'medium? TNF-PERMISSION-REMOVED auth0_role_permissions.p | "clerk_id" | "write:orders" | "https://orders.example"',
  ],
  "roles of a user": [
    'low TNF-PERMISSION-REMOVED auth0_user_roles.r | "u1" | "clerk_id"',
    'low TNF-PERMISSION-ADDED auth0_user_roles.r | "u1" | "owner_id"',
  ],
  "permission of a user deleted": [
    'low? TNF-PERMISSION-REMOVED auth0_user_permission.p | "u1" | "read:orders" | "https://orders.example"',
  ],
  "user blocked": [
    'medium TNF-USER-CHANGED auth0_user.ann | "ann@acme.example"',
    'medium TNF-USER-CHANGED auth0_user.ann | "ann@acme.example"',
  ],
  "user deleted": ['medium TNF-USER-CHANGED auth0_user.ann | "ann@acme.example"'],
  "tenant settings": [
    "high TNF-PROTECTION-OFF auth0_tenant.t",
    "high TNF-TENANT-CHANGED auth0_tenant.t",
    'high? TNF-TENANT-CHANGED auth0_tenant.t | "Staff" | "Users"',
    "medium TNF-SESSION-SHORTER auth0_tenant.t",
    'medium? TNF-TENANT-CHANGED auth0_tenant.t | "https://bills.example" | "https://orders.example"',
    "medium? TNF-TENANT-CHANGED auth0_tenant.t",
    'medium? TNF-TENANT-CHANGED auth0_tenant.t | "18" | "22"',
    'low TNF-CALLBACK-REMOVED auth0_tenant.t | "https://a.example"',
  ],
  "tenant forgotten": ["info TNF-FORGOTTEN auth0_tenant.t"],
  "tenant taken over": ["high? TNF-TENANT-CHANGED auth0_tenant.t"],
  "mail off": [
    'high TNF-MAIL-OFF auth0_email_provider.m | "smtp"',
    'high TNF-MAIL-OFF auth0_phone_provider.p | "twilio"',
    'medium TNF-MAIL-OFF auth0_email_template.v | "verify_email"',
  ],
  "code of an action": ['medium? TNF-ACTION-CHANGED auth0_action.deny | "Deny"'],
  "log stream and keys": [
    "high TNF-KEY-DELETED auth0_encryption_key_manager.k",
    'medium TNF-SYNC-OFF auth0_log_stream.l | "SIEM"',
    'medium? TNF-SYNC-OFF auth0_connection_scim_configuration.s | "okta_id"',
  ],
  "only looks of a client": [
    'medium? TNF-READ-CHANGED auth0_client.shop | "Shop" | "gold" | "silver"',
    'low? TNF-READ-CHANGED auth0_client.shop | "Shop" | "Shop 2"',
  ],
  "only looks": [
    'medium? TNF-READ-CHANGED auth0_connection.users | metadata.k | "Users"',
    'medium? TNF-READ-CHANGED auth0_organization.acme | metadata.k | "acme"',
    'medium? TNF-READ-CHANGED auth0_role.clerk | "Clerk" | "Clerks"',
    'low? TNF-MAIL-OFF auth0_email_template.v | "verify_email" | body',
    'low? TNF-READ-CHANGED auth0_organization.acme | "Acme" | "Acme Inc"',
    'low? TNF-SIGN-IN-CHANGED auth0_prompt_custom_text.p | "login" | body',
    'low? TNF-READ-CHANGED auth0_user.ann | "ann@acme.example" | nickname and picture',
  ],
  "unset attributes stay": [],
  created: [],
  moved: [],
  forgotten: ["low TNF-FORGOTTEN auth0_connection.users"],
  deposed: ['critical TNF-USERS-DELETED auth0_connection.users | "Users"'],
  "callbacks not known": ['high? TNF-CALLBACK-REMOVED auth0_client.shop | "Shop" | known only after the apply leaves'],
  "callbacks sensitive": ['high? TNF-CHANGE-UNKNOWN auth0_client.shop | callbacks of "Shop"'],
  "usage sensitive": ['high? TNF-CHANGE-UNKNOWN auth0_client.shop | "Shop"'],
  "not reviewed": [
    "medium? TNF-NOT-REVIEWED auth0_flow.gone | auth0_flow.gone",
    "info? TNF-NOT-REVIEWED auth0_flow.f | auth0_flow.f",
  ],
  "hostile names": [
    'critical TNF-USERS-DELETED auth0_connection.users | "x. Nothing else happens.\\n✔ No effect `" | "y\\u{202e}<img src=x>"',
  ],
  "sign-in page emptied": [
    "high? TNF-SIGN-IN-CHANGED auth0_pages.p | Possible, if applications use this page: | login.html",
  ],
  "sign-in page without its widget": ["high? TNF-SIGN-IN-CHANGED auth0_pages.p | has neither the sign-in widget"],
  "sign-in page with foreign code": ["high? TNF-SIGN-IN-CHANGED auth0_pages.p | login.html loads code from a new host"],
  "sign-in page in other words": [
    "medium? TNF-SIGN-IN-CHANGED auth0_pages.p | guardian_mfa.html",
    "medium? TNF-SIGN-IN-CHANGED auth0_pages.p | login.html",
  ],
  "sign-in page that nobody sees": [],
  "page template with a foreign form": ["high? TNF-SIGN-IN-CHANGED auth0_branding.b | universal_login.body loads code"],
  "page template in other words": ["medium? TNF-SIGN-IN-CHANGED auth0_branding.b | universal_login.body"],
  "mail without its link": ['medium? TNF-MAIL-OFF auth0_email_template.t | "verify_email" has no link'],
  "mail without its code": ['medium? TNF-MAIL-OFF auth0_email_template.t | "mfa_oob_code" has no code'],
  "mail in other words": ['low? TNF-MAIL-OFF auth0_email_template.t | "verify_email" says something else'],
  "mail that nobody gets": [],
  "message without its code": [
    'medium? TNF-MAIL-OFF auth0_phone_notification_template.t | "otp_verify" | has no code (content.body.text)',
    'low? TNF-MAIL-OFF auth0_phone_notification_template.t | "otp_verify" | content.body.voice',
  ],
  "role renamed": ['medium? TNF-READ-CHANGED auth0_role.r | The role "admin" is called "administrator"'],
  "metadata of a user": [
    'medium? TNF-READ-CHANGED auth0_user.u | "ada@acme.example" | app_metadata',
    'low? TNF-READ-CHANGED auth0_user.u | "ada@acme.example" | user_metadata',
  ],
  "metadata of an application": [
    'medium? TNF-READ-CHANGED auth0_client.shop | client_metadata.tier of "Shop" changes ("gold" becomes no value)',
    'low? TNF-READ-CHANGED auth0_client.shop | client_metadata.level of "Shop" is "1"',
    'low? TNF-READ-CHANGED auth0_client.shop | "Shop" is called "Store"',
  ],
  "metadata of an organization": [
    'medium? TNF-READ-CHANGED auth0_organization.acme | metadata.tier | "gold" becomes "free"',
    'low? TNF-READ-CHANGED auth0_organization.acme | "ACME" instead of "Acme"',
  ],
  "metadata of a connection": [
    'medium? TNF-READ-CHANGED auth0_connection.users | metadata.tier | "gold" becomes no value',
  ],
  "partials deleted": ['medium? TNF-SIGN-IN-CHANGED auth0_prompt_partials.p | "signup"'],
  "partial with foreign code": [
    "high? TNF-SIGN-IN-CHANGED auth0_prompt_screen_partials.p | form_content_end loads code",
  ],
  "screen of your own": [
    'high? TNF-SIGN-IN-CHANGED auth0_prompt_screen_renderer.s | "login-id" | head_tags',
    'high? TNF-SIGN-IN-CHANGED auth0_prompt_screen_renderer.s | "login-id" | "standard" becomes "advanced"',
  ],
  "texts of a page": ['low? TNF-SIGN-IN-CHANGED auth0_prompt_custom_text.t | "login" | body'],
  "five objects created": [],
  "settings created": [
    'high? TNF-MAIL-OFF auth0_email_provider.e | Possible, if it is not so already: | "sendgrid"',
    "medium? TNF-SESSION-SHORTER auth0_tenant.t | Possible, if it is not so already: | sets session_lifetime = ",
  ],
  "credentials of an application that exists": [
    'high? TNF-CREDENTIAL-CHANGED auth0_client_credentials.c | "shop_id", which exists',
  ],
  "credentials of a new application": [],
  "looks of a tenant": [],
  "action unbound and deleted": [
    'high TNF-ACTION-UNBOUND auth0_trigger_actions.t | "Deny" | "post-login"',
    'high? TNF-APPLY-MAY-FAIL auth0_action.deny | `create_before_destroy` | "Deny" before it changes auth0_trigger_actions.t,',
  ],
  "action deleted with all bindings": [
    'high TNF-ACTION-UNBOUND auth0_trigger_actions.t | "Deny" | "post-login"',
    'info TNF-ACTION-CHANGED auth0_action.deny | "Deny"',
  ],
  "action replaced while bound": [
    'high TNF-APPLY-MAY-FAIL auth0_action.deny | "Deny" | With it: auth0_trigger_actions.t',
  ],
  "action replaced with its binding": [
    'medium? TNF-ACTION-UNBOUND auth0_trigger_action.t | if the apply ends between the destroy and the create: "Deny"',
    'info TNF-ACTION-CHANGED auth0_action.deny | "Deny"',
  ],
  "module of an action deleted": [
    'high? TNF-APPLY-MAY-FAIL auth0_action_module.m | "util" before it changes auth0_action.deny,',
    'info TNF-ACTION-CHANGED auth0_action.deny | "Deny"',
  ],
};
