/** APIs, roles and users: who may do what. */
import { rowsOf, type Row } from "../row";

// A row is one line, so that the files read as tables.
// prettier-ignore
export const apis: readonly Row[] = [
  ...rowsOf("auth0_resource_server", [
    { change: "destroy", when: { name: "Auth0 Management API" }, level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the provider only forgets the API {name}." },
    { change: "destroy", level: "high", code: "TNF-API-DELETED", text: "Deletes the API {api}: nobody gets a token for it, and the grants, permissions and scopes that name it go with it." },
    { change: "replace", level: "high", code: "TNF-API-DELETED", text: "Deletes the API {was} and creates {is}: nobody gets a token for {was}, and the grants, permissions and scopes that name it go with it." },
    { path: "enforce_policies", change: "true->false", level: "high", code: "TNF-PERMISSION-ADDED", text: "Any application may get every requested permission of {api} for every user, whatever roles the user has.", see: "get-started/apis/enable-role-based-access-control-for-apis" },
    { path: "enforce_policies", change: "any", level: "high", code: "TNF-PERMISSION-REMOVED", text: "Users get only the permissions of their roles for {api}: users without a role lose all permissions.", see: "get-started/apis/enable-role-based-access-control-for-apis" },
    { path: "token_dialect", change: "any", level: "high", code: "TNF-TOKEN-CHANGED", if: "the API reads the claims", text: "Access tokens for {api} have other claims, such as \"permissions\": the profile is {is} instead of {was}.", see: "get-started/apis/enable-role-based-access-control-for-apis" },
    { path: "signing_alg", change: "any", level: "high", code: "TNF-TOKEN-CHANGED", text: "Access tokens for {api} are signed with {is} instead of {was}: APIs that check {was} refuse all of them.", see: "get-started/applications/signing-algorithms" },
    { path: "signing_secret", change: "any", level: "high", code: "TNF-TOKEN-CHANGED", if: "tokens are signed with the secret", text: "Access tokens for {api} are signed with another secret: APIs that know the old one refuse them." },
    { path: "proof_of_possession.required", change: "true->false", level: "high", code: "TNF-PROTECTION-OFF", text: "A stolen access token for {api} works for whoever has it: applications no longer prove that the token is theirs." },
    { path: "subject_type_authorization.*.policy", change: "*->allow_all", level: "high", code: "TNF-PERMISSION-ADDED", text: "Every application may get tokens for {api}, without a grant: {path} is {is} instead of {was}." },
    { path: "subject_type_authorization.client.policy", change: "*->deny_all", level: "high", code: "TNF-PERMISSION-REMOVED", text: "No application gets tokens of its own for {api} any more: {path} is {is} instead of {was}." },
    { path: "subject_type_authorization.user.policy", change: "*->deny_all", level: "high", code: "TNF-PERMISSION-REMOVED", text: "No application gets tokens for {api} for a user any more: {path} is {is} instead of {was}." },
    { path: "consent_policy", change: "transactional-authorization-with-mfa->*", level: "high", code: "TNF-PROTECTION-OFF", text: "People no longer approve transactions of {api} with a second factor: {path} is {is} instead of {was}." },
    { path: "token_encryption.**", change: "removed", level: "medium", code: "TNF-PROTECTION-OFF", text: "Access tokens for {api} are no longer encrypted ({path})." },
    { path: "token_encryption.**|proof_of_possession.**|subject_type_authorization.**|authorization_policy.**|consent_policy|authorization_details.**", change: "any", level: "high", code: "TNF-PERMISSION-REMOVED", if: "applications are not prepared", text: "Applications get or use tokens for {api} under other conditions: {path} changes ({changes})." },
    { path: "allow_offline_access|allow_online_access", change: "true->false", level: "medium", code: "TNF-SESSION-SHORTER", text: "Applications get no new refresh tokens for {api} ({attribute})." },
    { path: "allow_offline_access|allow_online_access|allow_online_access_with_ephemeral_sessions", change: "any", level: "low", code: "TNF-APP-OPENED", text: "Applications may get refresh tokens for {api}: {attribute} changes ({changes})." },
    { path: "token_lifetime|token_lifetime_for_web", change: "any", level: "low", code: "TNF-TOKEN-CHANGED", text: "Access tokens for {api} end after {is} s instead of {was} s ({attribute}).", see: "secure/tokens/access-tokens/update-access-token-lifetime" },
    { path: "skip_consent_for_verifiable_first_party_clients", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "Whether Auth0 asks users to consent to {api} changes ({changes})." },
    { path: "verification_location", change: "any", level: "info", code: "TNF-TOKEN-CHANGED", text: "{attribute} of {api} changes ({changes})." },
  ]),
  ...rowsOf("auth0_resource_server_scopes", [
    { path: "scopes", change: "removed", level: "high", code: "TNF-PERMISSION-REMOVED", text: "{removed} disappears from tokens, roles and grants of {api}." },
    { path: "scopes", change: "added", level: "none" },
    { change: "destroy", level: "high", code: "TNF-PERMISSION-REMOVED", text: "{scopes} disappears from tokens, roles and grants of {api}." },
    { change: "replace", level: "high", code: "TNF-PERMISSION-REMOVED", text: "{scopes} disappears from tokens, roles and grants of {api}." },
  ]),
  ...rowsOf("auth0_resource_server_scope", [
    { change: "destroy", level: "high", code: "TNF-PERMISSION-REMOVED", text: "{scope} disappears from tokens, roles and grants of {api}." },
  ]),
  ...rowsOf("auth0_role", [
    { change: "destroy", level: "high", code: "TNF-PERMISSION-REMOVED", text: "Deletes the role {name}: everybody who has it loses its permissions." },
    { change: "replace", level: "high", code: "TNF-PERMISSION-REMOVED", text: "Deletes the role {name} and creates an empty one: everybody who has it loses its permissions." },
    { path: "name", change: "any", level: "medium", code: "TNF-READ-CHANGED", if: "an application or an action looks for the name", text: "The role {was} is called {is}: who looks for {was} no longer finds it." },
  ]),
  ...rowsOf("auth0_role_permissions", [
    { path: "permissions", change: "removed", level: "medium", code: "TNF-PERMISSION-REMOVED", if: "the API enforces permissions", text: "Everybody with the role {role} loses {removed}." },
    { path: "permissions", change: "added", level: "medium", code: "TNF-PERMISSION-ADDED", text: "Everybody with the role {role} gets {added}." },
    { change: "destroy", level: "medium", code: "TNF-PERMISSION-REMOVED", if: "the API enforces permissions", text: "Everybody with the role {role} loses {permissions}." },
    { change: "create", level: "medium", code: "TNF-PERMISSION-ADDED", text: "Everybody with the role {role} gets {permissions}." },
  ]),
  ...rowsOf("auth0_role_permission", [
    { change: "destroy", level: "medium", code: "TNF-PERMISSION-REMOVED", if: "the API enforces permissions", text: "Everybody with the role {role} loses {permission} of {api}." },
    { change: "create", level: "medium", code: "TNF-PERMISSION-ADDED", text: "Everybody with the role {role} gets {permission} of {api}." },
  ]),
  ...rowsOf("auth0_user", [
    { change: "destroy", level: "medium", code: "TNF-USER-CHANGED", text: "Deletes the user {name}." },
    { change: "create", when: { blocked: "true" }, level: "info", code: "TNF-USER-CHANGED", text: "Creates the user {name}, who is blocked." },
    { change: "create", when: { app_metadata: "*" }, level: "medium", code: "TNF-USER-CHANGED", if: "an application or an action reads its app_metadata", text: "Creates the user {name}, who may sign in, with the rights that app_metadata gives." },
    { change: "create", level: "info", code: "TNF-USER-CHANGED", text: "Creates the user {name}, who may sign in." },
    { change: "replace", level: "medium", code: "TNF-USER-CHANGED", text: "Deletes the user {name} and creates another one." },
    { path: "blocked", change: "false->true", level: "medium", code: "TNF-USER-CHANGED", text: "The user {name} can no longer sign in." },
    { path: "blocked", change: "any", level: "medium", code: "TNF-USER-CHANGED", text: "The user {name} may sign in again." },
    { path: "password", change: "any", level: "medium", code: "TNF-USER-CHANGED", text: "The user {name} signs in with another password." },
    { path: "email|username|phone_number|connection_name|user_id", change: "any", level: "medium", code: "TNF-USER-CHANGED", text: "The user {name} signs in otherwise: {attribute} changes ({changes})." },
    { path: "app_metadata|app_metadata.**", change: "any", level: "medium", code: "TNF-READ-CHANGED", if: "an application or an action reads it", text: "What applications and actions read about the user {name} changes ({path})." },
    { path: "user_metadata|user_metadata.**|name|nickname|picture|given_name|family_name", change: "any", level: "low", code: "TNF-READ-CHANGED", if: "an application or an action reads it", text: "What applications and actions read about the user {name} changes ({path})." },
    { path: "email_verified|phone_verified|verify_email", change: "any", level: "medium", code: "TNF-USER-CHANGED", text: "{attribute} of the user {name} changes ({changes})." },
  ]),
  ...rowsOf("auth0_user_roles", [
    { path: "roles", change: "removed", level: "low", code: "TNF-PERMISSION-REMOVED", text: "{user} loses {removed}." },
    { path: "roles", change: "added", level: "low", code: "TNF-PERMISSION-ADDED", text: "{user} gets {added}." },
    { change: "destroy", level: "low", code: "TNF-PERMISSION-REMOVED", text: "{user} loses {roles}." },
    { change: "create", level: "low", code: "TNF-PERMISSION-ADDED", text: "{user} gets {roles}." },
  ]),
  ...rowsOf("auth0_user_role", [
    { change: "destroy", level: "low", code: "TNF-PERMISSION-REMOVED", text: "{user} loses {role}." },
    { change: "create", level: "low", code: "TNF-PERMISSION-ADDED", text: "{user} gets {role}." },
  ]),
  ...rowsOf("auth0_user_permissions", [
    { path: "permissions", change: "removed", level: "low", code: "TNF-PERMISSION-REMOVED", if: "the API enforces permissions", text: "{user} loses {removed}." },
    { path: "permissions", change: "added", level: "low", code: "TNF-PERMISSION-ADDED", text: "{user} gets {added}." },
    { change: "destroy", level: "low", code: "TNF-PERMISSION-REMOVED", if: "the API enforces permissions", text: "{user} loses {permissions}." },
    { change: "create", level: "low", code: "TNF-PERMISSION-ADDED", text: "{user} gets {permissions}." },
  ]),
  ...rowsOf("auth0_user_permission", [
    { change: "destroy", level: "low", code: "TNF-PERMISSION-REMOVED", if: "the API enforces permissions", text: "{user} loses {permission} of {api}." },
    { change: "create", level: "low", code: "TNF-PERMISSION-ADDED", text: "{user} gets {permission} of {api}." },
  ]),
];
