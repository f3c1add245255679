/**
 * What changes nothing for people, each with its reason. What people sign in with, or what an application or an action can read, is not here: it
 * has rows that say "possible".
 */
import { harmless, type Row } from "../row";

/** Terraform and Auth0 keep them, and nobody signs in with them. */
const computed = [
  ...harmless("*", "id timeouts created_at updated_at tenant"),
  ...harmless("auth0_action", "version_id"),
  ...harmless("auth0_branding_phone_notification_template", "channel customizable template_id"),
  ...harmless(
    "auth0_client",
    "client_id signing_keys external_client_id external_metadata_created_by external_metadata_type",
  ),
  ...harmless("auth0_client_cimd", "client_id signing_keys external_metadata_created_by external_metadata_type"),
  ...harmless("auth0_client_grant", "is_system"),
  ...harmless("auth0_connection_client", "name strategy"),
  ...harmless("auth0_connection_clients", "name strategy"),
  ...harmless(
    "auth0_connection_keys",
    "algorithm cert current current_since fingerprint key_use kid next pkcs previous subject_dn thumbprint",
  ),
  ...harmless("auth0_connection_scim_token", "token token_id"),
  ...harmless("auth0_custom_domain", "certificate verification status origin_domain_name is_default primary"),
  ...harmless("auth0_custom_domain_verification", "origin_domain_name cname_api_key"),
  ...harmless("auth0_encryption_key_manager", "encryption_keys"),
  ...harmless("auth0_organization_connection", "name strategy organization_connection_name"),
  ...harmless("auth0_organization_connections", "enabled_connections.organization_connection_name"),
  ...harmless("auth0_organization_discovery_domain", "verification_host verification_txt"),
  ...harmless("auth0_organization_member_role", "role_name role_description"),
  ...harmless("auth0_phone_notification_template", "channel customizable template_id"),
  ...harmless("auth0_resource_server", "is_system client_id"),
  ...harmless("auth0_role_permission", "resource_server_name"),
  ...harmless("auth0_role_permissions", "permissions.resource_server_name"),
  ...harmless("auth0_trigger_action", "display_name"),
  ...harmless("auth0_trigger_actions", "actions.display_name"),
  ...harmless("auth0_user_permission", "resource_server_name"),
  ...harmless("auth0_user_permissions", "permissions.resource_server_name"),
  ...harmless("auth0_user_role", "role_name role_description"),
  // Terraform never shows it; the version beside it tells that it changes.
  ...harmless("auth0_client_credentials", "client_secret_wo"),
];

/** Only people who administer the tenant read them, and no application or action can. */
const notes = [
  ...harmless("auth0_action", "name"),
  ...harmless("auth0_client", "description"),
  ...harmless("auth0_client_cimd", "description"),
  ...harmless("auth0_resource_server", "name"),
  ...harmless("auth0_resource_server_scope", "description"),
  ...harmless("auth0_resource_server_scopes", "scopes.description"),
  ...harmless("auth0_role", "description"),
  ...harmless("auth0_role_permission", "description"),
  ...harmless("auth0_role_permissions", "permissions.description"),
  ...harmless("auth0_self_service_profile", "name description"),
  ...harmless("auth0_token_exchange_profile", "name"),
  ...harmless("auth0_user", "custom_domain_header"),
  ...harmless("auth0_user_permission", "description"),
  ...harmless("auth0_user_permissions", "permissions.description"),
  ...harmless(
    "auth0_tenant",
    "flags.dashboard_insights_view flags.dashboard_log_streams_next flags.enable_apis_section flags.enable_legacy_logs_search_v2",
  ),
];

/** Colours, pictures and labels beside the fields of a page or a message: all fields, links and codes stay. */
const pictures = [
  ...harmless("auth0_branding", "favicon_url logo_url colors"),
  ...harmless(
    "auth0_branding_theme",
    "display_name borders colors fonts.links_style fonts.reference_text_size fonts.body_text fonts.buttons_text fonts.input_labels fonts.links " +
      "fonts.subtitle fonts.title page_background widget",
  ),
  ...harmless("auth0_client", "logo_uri"),
  ...harmless("auth0_client_cimd", "logo_uri"),
  ...harmless("auth0_connection", "display_name options.icon_url"),
  ...harmless("auth0_email_template", "subject"),
  ...harmless("auth0_organization", "branding"),
  ...harmless("auth0_self_service_profile", "branding"),
  ...harmless("auth0_tenant", "friendly_name picture_url support_email support_url"),
];

/** They name the object, and a change of them replaces it. */
const names = [
  ...harmless("auth0_branding_phone_notification_template", "type"),
  ...harmless("auth0_email_template", "template"),
  ...harmless("auth0_phone_notification_template", "type"),
  ...harmless("auth0_prompt_custom_text", "prompt language"),
  ...harmless("auth0_prompt_partials", "prompt"),
  ...harmless("auth0_prompt_screen_partial", "prompt_type screen_name"),
  ...harmless("auth0_prompt_screen_partials", "prompt_type"),
  ...harmless("auth0_prompt_screen_renderer", "prompt_type screen_name"),
  ...harmless("auth0_self_service_profile_custom_text", "sso_id language page"),
];

/** Nobody uses a new object until something that exists refers to it, and this is a change of its own. */
const created = [
  "auth0_action",
  "auth0_action_module",
  "auth0_client",
  "auth0_client_cimd",
  "auth0_connection",
  "auth0_custom_domain",
  "auth0_custom_domain_verification",
  "auth0_organization",
  "auth0_resource_server",
  "auth0_resource_server_scope",
  "auth0_resource_server_scopes",
  "auth0_role",
  "auth0_self_service_profile",
].map((type): Row => ({ type, change: "create", level: "none" }));

/** The colours of Auth0 come back. */
const gone = ["destroy", "replace"].map((change): Row => ({ type: "auth0_branding_theme", change, level: "none" }));

export const looks: readonly Row[] = [...computed, ...notes, ...pictures, ...names, ...created, ...gone];
