/** Organizations, and which connections, clients and roles belong to them. */
import { rowsOf, type Row } from "../row";

// A row is one line, so that the files read as tables.
// prettier-ignore
export const organizations: readonly Row[] = [
  ...rowsOf("auth0_organization", [
    { change: "destroy", level: "high", code: "TNF-ORGANIZATION-DELETED", text: "Deletes the organization {name}: all sign-ins to it stop, and {members} lose their membership. The users stay; memberships, invitations and connections of it are lost.", see: "manage-users/organizations/configure-organizations/delete-organizations" },
    { path: "name", change: "any", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "sign-ins use the name", text: "Sign-ins that name the organization {was} fail: its name is {is}, and its ID stays." },
    { path: "metadata.**", change: "added", level: "low", code: "TNF-READ-CHANGED", if: "an action reads it", text: "{path} of the organization {name} is {is}, and was absent." },
    { path: "metadata.**", change: "any", level: "medium", code: "TNF-READ-CHANGED", if: "an action reads it", text: "{path} of the organization {name} changes ({changes})." },
    { path: "display_name", change: "any", level: "low", code: "TNF-READ-CHANGED", if: "an action reads it", text: "The organization {name} is shown as {is} instead of {was}." },
    { path: "token_quota.client_credentials.per_*", change: "any", when: { "token_quota.client_credentials.enforce": "[false]" }, level: "none" },
    { path: "token_quota.client_credentials.per_*", change: "lower", level: "medium", code: "TNF-APP-STOPS", if: "an application asks for more tokens", text: "Applications get no tokens for the organization {name} beyond its quota: {attribute} is {is} instead of {was}." },
    { path: "token_quota.client_credentials.enforce", change: "[false]->true", level: "medium", code: "TNF-APP-STOPS", if: "an application asks for more tokens", text: "Applications get no tokens for the organization {name} beyond its quota: {attribute} is {is} instead of {was}." },
    { path: "token_quota.client_credentials.enforce", change: "none->true", level: "none" },
    { path: "token_quota.client_credentials.per_*", change: "added", level: "medium", code: "TNF-APP-STOPS", if: "an application asks for more tokens", text: "Applications get no tokens for the organization {name} beyond its quota: {attribute} is {is}, and was absent." },
    { path: "third_party_client_access", change: "*->allow", level: "medium", code: "TNF-APP-OPENED", text: "Third-party applications may use the organization {name} in sign-ins of people." },
    { path: "third_party_client_access", change: "allow->*", level: "medium", code: "TNF-APP-STOPS", if: "third-party applications use it", text: "Third-party applications can no longer use the organization {name} in sign-ins of people." },
    { path: "third_party_client_access|token_quota.**", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "applications depend on it", text: "What applications may do in the organization {name} changes: {path} ({changes})." },
  ]),
  ...rowsOf("auth0_organization_connections", [
    { change: "destroy", when: { "enabled_connections.is_enabled": "true" }, level: "high", code: "TNF-CONNECTION-CLOSED", text: "People cannot sign in to the organization {organization} through {connections}.", see: "organizations/configure/disable-connections" },
    { change: "destroy", when: { "enabled_connections.is_enabled": "[false]" }, level: "none" },
    { change: "destroy", level: "high", code: "TNF-CONNECTION-CLOSED", text: "People cannot sign in to the organization {organization} through {connections}.", see: "organizations/configure/disable-connections" },
    { change: "replace", level: "high", code: "TNF-CONNECTION-CLOSED", text: "People cannot sign in to the organization {organization} through {connections}.", see: "organizations/configure/disable-connections" },
    { change: "create", when: { "enabled_connections.assign_membership_on_login": "true" }, level: "medium", code: "TNF-APP-OPENED", text: "People may sign in to the organization {organization} through {connections}, and everybody who signs in through one with assign_membership_on_login becomes a member." },
    { change: "create", when: { "enabled_connections.is_enabled": "true" }, level: "info", code: "TNF-APP-OPENED", text: "People may sign in to the organization {organization} through {connections}." },
    { change: "create", when: { "enabled_connections.is_enabled": "[false]" }, level: "none" },
    { change: "create", level: "info", code: "TNF-APP-OPENED", text: "People may sign in to the organization {organization} through {connections}." },
    { path: "enabled_connections", change: "removed", when: { "enabled_connections.is_enabled": "[false]" }, level: "none" },
    { path: "enabled_connections", change: "added", when: { "enabled_connections.is_enabled": "[false]" }, level: "none" },
    { path: "enabled_connections", change: "removed", level: "high", code: "TNF-CONNECTION-CLOSED", text: "People cannot sign in to the organization {organization} through {removed}.", see: "organizations/configure/disable-connections" },
    { path: "enabled_connections", change: "added", when: { "enabled_connections.assign_membership_on_login": "true" }, level: "medium", code: "TNF-APP-OPENED", text: "Everybody who signs in through {added} becomes a member of the organization {organization}." },
    { path: "enabled_connections", change: "added", level: "info", code: "TNF-APP-OPENED", text: "People may sign in to the organization {organization} through {added}." },
    { path: "enabled_connections.is_enabled", change: "true->false", level: "high", code: "TNF-CONNECTION-CLOSED", text: "People cannot sign in to the organization {organization} through {element}.", see: "organizations/configure/disable-connections" },
    { path: "enabled_connections.is_enabled", change: "any", level: "info", code: "TNF-APP-OPENED", text: "People may sign in to the organization {organization} through {element}." },
    { path: "enabled_connections.assign_membership_on_login", change: "true->false", level: "medium", code: "TNF-SIGN-IN-CHANGED", text: "New people of {element} are refused until they are members of the organization {organization}. The provider removes and adds the connection, so nobody signs in through it for a moment." },
    { path: "enabled_connections.assign_membership_on_login", change: "any", level: "medium", code: "TNF-APP-OPENED", text: "Everybody who signs in through {element} becomes a member of the organization {organization}. The provider removes and adds the connection, so nobody signs in through it for a moment." },
    { path: "enabled_connections.is_signup_enabled|enabled_connections.show_as_button|enabled_connections.organization_access_level", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "{attribute} of {element} in the organization {organization} changes ({changes}). The provider removes and adds the connection, so nobody signs in through it for a moment." },
  ]),
  ...rowsOf("auth0_organization_connection", [
    { change: "destroy", when: { is_enabled: "[false]" }, level: "none" },
    { change: "create", when: { is_enabled: "[false]" }, level: "none" },
    { change: "destroy", level: "high", code: "TNF-CONNECTION-CLOSED", text: "People cannot sign in to the organization {organization} through {connection}.", see: "organizations/configure/disable-connections" },
    { change: "create", when: { assign_membership_on_login: "true" }, level: "medium", code: "TNF-APP-OPENED", text: "Everybody who signs in through {connection} becomes a member of the organization {organization}." },
    { change: "create", level: "info", code: "TNF-APP-OPENED", text: "People may sign in to the organization {organization} through {connection}." },
    { path: "connection_id|organization_id", change: "any", level: "high", code: "TNF-CONNECTION-CLOSED", if: "the provider applies it, which it refuses today", text: "People cannot sign in to the organization {organization} through {was}: {attribute} is {is}." },
    { path: "is_enabled", change: "true->false", level: "high", code: "TNF-CONNECTION-CLOSED", text: "People cannot sign in to the organization {organization} through {connection}.", see: "organizations/configure/disable-connections" },
    { path: "is_enabled", change: "any", level: "info", code: "TNF-APP-OPENED", text: "People may sign in to the organization {organization} through {connection}." },
    { path: "assign_membership_on_login", change: "true->false", level: "medium", code: "TNF-SIGN-IN-CHANGED", text: "New people of {connection} are refused until they are members of the organization {organization}." },
    { path: "assign_membership_on_login", change: "any", level: "medium", code: "TNF-APP-OPENED", text: "Everybody who signs in through {connection} becomes a member of the organization {organization}." },
    { path: "is_signup_enabled|show_as_button|organization_access_level", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "{attribute} of {connection} in the organization {organization} changes ({changes})." },
  ]),
  ...rowsOf("auth0_organization_member_roles", [
    { path: "roles", change: "removed", level: "medium", code: "TNF-PERMISSION-REMOVED", text: "{user} loses {removed} in the organization {organization}." },
    { path: "roles", change: "added", level: "medium", code: "TNF-PERMISSION-ADDED", text: "{user} gets {added} in the organization {organization}." },
    { change: "destroy", level: "medium", code: "TNF-PERMISSION-REMOVED", text: "{user} loses {roles} in the organization {organization}." },
    { change: "create", level: "medium", code: "TNF-PERMISSION-ADDED", text: "{user} gets {roles} in the organization {organization}." },
  ]),
  ...rowsOf("auth0_organization_member_role", [
    { change: "destroy", level: "medium", code: "TNF-PERMISSION-REMOVED", text: "{user} loses {role} in the organization {organization}." },
    { change: "create", level: "medium", code: "TNF-PERMISSION-ADDED", text: "{user} gets {role} in the organization {organization}." },
  ]),
  ...rowsOf("auth0_organization_client_grant", [
    { change: "destroy", level: "medium", code: "TNF-PERMISSION-REMOVED", text: "An application can no longer get tokens for the organization {organization} by the grant {grant}." },
    { change: "create", level: "info", code: "TNF-PERMISSION-ADDED", text: "An application may get tokens for the organization {organization} by the grant {grant}." },
  ]),
  ...rowsOf("auth0_organization_client", [
    { change: "destroy", level: "medium", code: "TNF-APP-STOPS", text: "{client} no longer belongs to the organization {organization}." },
  ]),
  ...rowsOf("auth0_organization_clients", [
    { change: "destroy", level: "medium", code: "TNF-APP-STOPS", text: "Applications no longer belong to the organization {organization}." },
    { path: "**", change: "removed", level: "medium", code: "TNF-APP-STOPS", text: "{removed} no longer belongs to the organization {organization}." },
    { path: "**", change: "any", level: "low", code: "TNF-APP-OPENED", text: "Applications of the organization {organization} change: {path} ({changes})." },
  ]),
  ...rowsOf("auth0_organization_discovery_domain", [
    { change: "destroy", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "People with addresses at {domain} are no longer led to the organization {organization}; they can still sign in.", see: "manage-users/organizations/configure-organizations/create-org-domains" },
    { change: "create", level: "info", code: "TNF-SIGN-IN-CHANGED", text: "People with addresses at {domain} are led to the organization {organization}." },
    { path: "status|use_for_organization_discovery", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "People with addresses at {domain} are led to the organization {organization} in another way: {attribute} changes ({changes})." },
  ]),
  ...rowsOf("auth0_organization_discovery_domains", [
    { change: "destroy", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "People with addresses at {domains} are no longer led to the organization {organization}; they can still sign in." },
    { change: "create", level: "info", code: "TNF-SIGN-IN-CHANGED", text: "People with addresses at {domains} are led to the organization {organization}." },
    { path: "discovery_domains", change: "removed", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "People with addresses at {removed} are no longer led to the organization {organization}; they can still sign in." },
    { path: "discovery_domains", change: "added", level: "info", code: "TNF-SIGN-IN-CHANGED", text: "People with addresses at {added} are led to the organization {organization}." },
    { path: "discovery_domains.*", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "People with addresses at {element} are led to the organization {organization} in another way: {attribute} changes ({changes})." },
  ]),
];
