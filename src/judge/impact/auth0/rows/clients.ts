/** Applications, their credentials and what they may get. */
import { rowsOf, type Row, type TypeRow } from "../row";

// A row is one line, so that the files read as tables.

/** What holds for every application, however it is registered. */
// prettier-ignore
const ofClients: readonly TypeRow[] = [
  { path: "callbacks", change: "emptied", level: "critical", code: "TNF-CALLBACK-REMOVED", if: "somebody signs in to the application", text: "Sign-ins of {name} that return to {removed} end with an error, because the application has no callback URL left.", see: "users/redirecting-users" },
  { path: "callbacks", change: "removed", level: "high", code: "TNF-CALLBACK-REMOVED", if: "sign-ins use the URL", text: "Sign-ins of {name} that return to {removed} end with the error \"callback URL mismatch\".", see: "users/redirecting-users" },
  { path: "callbacks", change: "added *[*]*", level: "medium", code: "TNF-APP-OPENED", if: "somebody else controls one of the addresses", text: "Auth0 sends people of {name}, with their codes or tokens, to any address that {added} matches." },
  { path: "callbacks", change: "added http://localhost*|http://127.*", level: "low", code: "TNF-APP-OPENED", if: "another program on the device of a person listens there", text: "Sign-ins of {name} may return to {added}." },
  { path: "callbacks", change: "added", level: "none" },
  { path: "web_origins", change: "added *[*]*", level: "medium", code: "TNF-APP-OPENED", if: "somebody else controls one of the pages", text: "Every page that {added} matches can get tokens of {name} silently." },
  { path: "allowed_origins", change: "added *[*]*", level: "medium", code: "TNF-APP-OPENED", if: "somebody else controls one of the pages", text: "Every page that {added} matches can call Auth0 for {name}." },
  { path: "grant_types", change: "removed authorization_code", level: "high", code: "TNF-APP-STOPS", text: "People can no longer sign in to {name}: the application may no longer use the grant type {removed}." },
  { path: "grant_types", change: "removed refresh_token", level: "medium", code: "TNF-APP-STOPS", text: "People of {name} sign in again when their access token ends: the application may no longer use the grant type {removed}." },
  { path: "grant_types", change: "removed", level: "high", code: "TNF-APP-STOPS", text: "{name} can no longer get tokens by the grant type {removed}." },
  { path: "grant_types", change: "added", level: "medium", code: "TNF-APP-OPENED", text: "{name} may also get tokens by the grant type {added}." },
  { path: "web_origins|allowed_origins", change: "removed", level: "medium", code: "TNF-CALLBACK-REMOVED", if: "an application runs there", text: "Auth0 refuses silent sign-ins and calls of {name} from {removed}: people there sign in again or see errors." },
  { path: "allowed_logout_urls", change: "removed", level: "low", code: "TNF-CALLBACK-REMOVED", text: "Sign-outs of {name} that return to {removed} end on an error page." },
  { path: "web_origins|allowed_origins|allowed_logout_urls", change: "added", level: "none" },
  { path: "organization_usage", change: "*->require", level: "high", code: "TNF-APP-STOPS", text: "{name} refuses people who sign in without an organization." },
  { path: "organization_usage", change: "*->deny", level: "high", code: "TNF-APP-STOPS", if: "people sign in for an organization", text: "{name} refuses sign-ins for an organization: the setting is {is} instead of {was}." },
  { path: "organization_usage", change: "require->*", level: "medium", code: "TNF-APP-OPENED", text: "People may sign in to {name} without belonging to an organization: the setting is {is} instead of {was}." },
  { path: "organization_usage", change: "any", level: "none" },
  { path: "organization_require_behavior", change: "none->no_prompt", level: "none" },
  { path: "organization_require_behavior|organization_discovery_methods", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "{name} asks people for their organization in another way: {attribute} changes ({changes})." },
  { path: "is_first_party", change: "true->false", level: "high", code: "TNF-APP-STOPS", text: "{name} becomes a third-party application: people must consent, and only connections at domain level work.", see: "get-started/applications/third-party-applications" },
  { path: "is_first_party", change: "any", level: "medium", code: "TNF-APP-OPENED", text: "{name} becomes a first-party application: people no longer consent to what it reads.", see: "get-started/applications/third-party-applications" },
  { path: "jwt_configuration.alg", change: "any", level: "high", code: "TNF-TOKEN-CHANGED", if: "the application checks the algorithm", text: "ID tokens of {name} are signed with {is} instead of {was}: code that expects {was} refuses them.", see: "get-started/applications/signing-algorithms" },
  { path: "jwt_configuration.lifetime_in_seconds", change: "any", level: "low", code: "TNF-TOKEN-CHANGED", text: "ID tokens of {name} end after {is} s instead of {was} s." },
  { path: "jwt_configuration.scopes.**", change: "any", level: "info", code: "TNF-TOKEN-CHANGED", text: "{attribute} in the token settings of {name} changes ({changes})." },
  { path: "app_type", change: "*->spa|native", level: "medium", code: "TNF-APP-STOPS", if: "it authenticates with a secret", text: "{name} becomes a public application ({is} instead of {was}), which may not authenticate with a secret." },
  { path: "app_type", change: "any", level: "medium", code: "TNF-APP-STOPS", if: "it relies on the old type", text: "The type of {name} is {is} instead of {was}: defaults and permitted grant types differ." },
  { path: "cross_origin_authentication|cross_origin_auth", change: "true->false", level: "medium", code: "TNF-APP-STOPS", if: "the application has its own sign-in page", text: "Sign-in on an own page of {name}, without Universal Login, stops." },
  { path: "cross_origin_authentication|cross_origin_auth", change: "false->true", level: "low", code: "TNF-APP-OPENED", text: "{name} may sign people in on its own page, without Universal Login." },
  { path: "require_pushed_authorization_requests|require_proof_of_possession", change: "false->true", level: "high", code: "TNF-APP-STOPS", text: "Auth0 refuses {name} unless it uses what {attribute} demands." },
  { path: "require_pushed_authorization_requests|require_proof_of_possession", change: "true->false", level: "low", code: "TNF-PROTECTION-OFF", text: "{name} no longer has to use what {attribute} demanded." },
  { path: "refresh_token.rotation_type", change: "rotating->*", level: "medium", code: "TNF-PROTECTION-OFF", text: "Stolen refresh tokens of {name} are no longer detected: rotation is {is} instead of {was}.", see: "tokens/guides/configure-refresh-token-rotation" },
  { path: "refresh_token.rotation_type", change: "any", level: "medium", code: "TNF-TOKEN-CHANGED", text: "Refresh tokens of {name} are {is} instead of {was}: the first exchange ends the other tokens of a person.", see: "tokens/guides/configure-refresh-token-rotation" },
  { path: "refresh_token.token_lifetime|refresh_token.idle_token_lifetime", change: "lower", level: "medium", code: "TNF-SESSION-SHORTER", text: "People of {name} sign in again after {is} s instead of {was} s ({attribute}).", see: "tokens/refresh-tokens/configure-refresh-token-expiration" },
  { path: "refresh_token.token_lifetime|refresh_token.idle_token_lifetime", change: "higher", level: "none" },
  { path: "refresh_token.token_lifetime|refresh_token.idle_token_lifetime", change: "any", level: "low", code: "TNF-SESSION-SHORTER", text: "Refresh tokens of {name} end at another time: {attribute} changes ({changes})." },
  { path: "refresh_token.infinite_*", change: "true->false", level: "medium", code: "TNF-SESSION-SHORTER", text: "People of {name} sign in again when their refresh token ends, which it did not do before ({attribute}).", see: "tokens/refresh-tokens/configure-refresh-token-expiration" },
  { path: "refresh_token.infinite_*", change: "false->true", level: "none" },
  { path: "refresh_token.expiration_type", change: "*->expiring", level: "medium", code: "TNF-SESSION-SHORTER", text: "Refresh tokens of {name} end, so people sign in again: the setting is {is} instead of {was}.", see: "tokens/refresh-tokens/configure-refresh-token-expiration" },
  { path: "refresh_token.expiration_type", change: "any", level: "low", code: "TNF-PROTECTION-OFF", text: "Refresh tokens of {name} no longer end: the setting is {is} instead of {was}." },
  { path: "refresh_token.leeway", change: "any", level: "info", code: "TNF-TOKEN-CHANGED", text: "A used refresh token of {name} is accepted for {is} s instead of {was} s." },
  { path: "native_social_login.*.enabled|fedcm_login.*.is_enabled|session_transfer.**|identity_assertion_authorization_grant.**", change: "true->false", level: "medium", code: "TNF-APP-STOPS", if: "the application uses it", text: "{name} can no longer use {path}." },
  { path: "refresh_token.policies.**|token_exchange.**|session_transfer.**", change: "removed", level: "medium", code: "TNF-APP-STOPS", if: "the application uses it", text: "{name} can no longer use {removed} of {attribute}." },
  { path: "refresh_token.policies.**|token_exchange.**|session_transfer.**|native_social_login.**|fedcm_login.**|identity_assertion_authorization_grant.**", change: "any", level: "low", code: "TNF-APP-OPENED", text: "{name} may get tokens in another way: {path} changes ({changes})." },
  { path: "default_organization.**", change: "any", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "requests name no organization", text: "Tokens of {name} without a named organization change: {path} changes ({changes})." },
  { path: "initiate_login_uri", change: "removed", level: "low", code: "TNF-CALLBACK-REMOVED", if: "invitations or password resets use it", text: "Invitations and password resets of {name} no longer lead to {removed}." },
  { path: "initiate_login_uri", change: "any", level: "low", code: "TNF-CALLBACK-REMOVED", if: "invitations or password resets use it", text: "Invitations and password resets of {name} lead to {is} instead of {was}." },
  { path: "oidc_logout.backchannel_logout_urls|oidc_backchannel_logout_urls", change: "removed", level: "low", code: "TNF-CALLBACK-REMOVED", if: "an application listens there", text: "Auth0 no longer tells {removed} that people of {name} signed out." },
  { path: "oidc_logout.**|oidc_backchannel_logout_urls", change: "added", level: "none" },
  { path: "oidc_logout.**|oidc_backchannel_logout_urls", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "Sign-out of {name} changes: {path} ({changes})." },
  { path: "custom_login_page|custom_login_page_on|form_template", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "The own sign-in page of {name} changes ({attribute})." },
  { path: "addons.*", change: "emptied", level: "high", code: "TNF-APP-STOPS", if: "somebody signs in by the add-on", text: "The add-on {attribute} of {name} is removed: people can no longer sign in where it is used." },
  { path: "addons.**", change: "any", level: "low", code: "TNF-TOKEN-CHANGED", if: "another service relies on it", text: "What {name} tells other services changes: {path} ({changes})." },
  { path: "allowed_clients|client_aliases", change: "removed", level: "low", code: "TNF-APP-STOPS", if: "it is used", text: "{removed} is removed from {attribute} of {name}." },
  { path: "allowed_clients|client_aliases", change: "added", level: "low", code: "TNF-APP-OPENED", text: "{added} is added to {attribute} of {name}." },
  { path: "sso|sso_disabled|oidc_conformant|mobile.**|express_configuration.**|my_organization_configuration.**|token_quota.**|third_party_security_mode|redirection_policy|compliance_level|cross_origin_loc|async_approval_notification_channels|resource_server_identifier|is_token_endpoint_ip_header_trusted|skip_non_verifiable_callback_uri_confirmation_prompt|encryption_key.**", change: "any", level: "info", code: "TNF-SIGN-IN-CHANGED", if: "the application uses it", text: "{path} of {name} changes ({changes})." },
  { path: "name", change: "any", level: "low", code: "TNF-READ-CHANGED", if: "an action or a script compares the name", text: "The application {was} is called {is}: what an action does for {was} it no longer does." },
  { path: "client_metadata.**", change: "added", level: "low", code: "TNF-READ-CHANGED", if: "an action reads it", text: "{path} of {name} is {is}, and was absent." },
  { path: "client_metadata.**", change: "any", level: "medium", code: "TNF-READ-CHANGED", if: "an action reads it", text: "{path} of {name} changes ({changes})." },
  { path: "jwks_uri", change: "any", level: "medium", code: "TNF-CREDENTIAL-CHANGED", if: "it authenticates with these keys", text: "{name} must authenticate with the keys at {is} instead of {was}." },
  { path: "jwt_configuration.secret_encoded", change: "any", level: "medium", code: "TNF-TOKEN-CHANGED", if: "its tokens are signed with its secret", text: "Tokens of {name} are signed with its secret read in another way: code that checks them refuses them." },
];

/** Rows of a grant for all third-party applications: it names no application. */
const thirdParties = (rows: readonly (readonly [on: string, text: string])[]): TypeRow[] =>
  rows.map(([on, text]) => {
    const [path, change] = on.includes(" ") ? (on.split(" ") as [string, string]) : [undefined, on];
    const code = /create|added|false->true/.test(on) ? "TNF-PERMISSION-ADDED" : "TNF-PERMISSION-REMOVED";
    return { ...(path && { path }), change, when: { default_for: "third_party_clients" }, level: "high", code, text };
  });

// prettier-ignore
export const clients: readonly Row[] = [
  ...rowsOf("auth0_client", [
    { change: "destroy", level: "high", code: "TNF-APP-STOPS", text: "Deletes the application {name}: nobody signs in to it or gets a token for it, and its client ID {client_id} does not come back.", see: "get-started/applications/remove-applications" },
    { change: "replace", level: "high", code: "TNF-APP-STOPS", text: "Deletes the application {name} and creates it with a new client ID and secret: every deployed copy that uses {client_id} stops signing in until you configure it anew.", see: "get-started/applications/remove-applications" },
    ...ofClients,
  ]),
  ...rowsOf("auth0_client_cimd", [
    { change: "destroy", level: "high", code: "TNF-APP-STOPS", text: "Deletes the application {name}: nobody signs in to it or gets a token for it." },
    { path: "external_client_id|external_client_id_version", change: "any", level: "high", code: "TNF-APP-STOPS", if: "the new document says something else", text: "{name} is described by another document: {attribute} changes ({changes})." },
    ...ofClients,
  ]),
  ...rowsOf("auth0_client_credentials", [
    { change: "create", when: { client_id: "*" }, level: "high", code: "TNF-CREDENTIAL-CHANGED", if: "copies of the application are deployed", text: "Sets how {client}, which exists, authenticates: copies with another secret, key or method get \"invalid_client\"." },
    { change: "create", level: "none" },
    { change: "replace", when: { "private_key_jwt": "*" }, level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "The old keys of {client} stop working at once: the plan replaces its credentials." },
    { change: "replace", when: { "tls_client_auth": "*" }, level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "The old certificates of {client} stop working at once: the plan replaces its credentials." },
    { change: "replace", when: { "self_signed_tls_client_auth": "*" }, level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "The old certificates of {client} stop working at once: the plan replaces its credentials." },
    { change: "replace", level: "medium", code: "TNF-CREDENTIAL-CHANGED", if: "the application authenticates in between, or has another secret", text: "{client} gets \"invalid_client\": the plan removes its credentials and sets them again." },
    { change: "destroy", when: { "private_key_jwt": "*" }, level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "Removes the keys of {client}: copies that authenticate with them get \"invalid_client\", and the method falls back to the default of its type." },
    { change: "destroy", when: { "tls_client_auth": "*" }, level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "Removes the certificates of {client}: copies that authenticate with them get \"invalid_client\", and the method falls back to the default of its type." },
    { change: "destroy", when: { "self_signed_tls_client_auth": "*" }, level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "Removes the certificates of {client}: copies that authenticate with them get \"invalid_client\", and the method falls back to the default of its type." },
    { change: "destroy", level: "medium", code: "TNF-CREDENTIAL-CHANGED", text: "The method by which {client} authenticates falls back to the default of its type: none for native and single-page applications, else the secret." },
    { path: "authentication_method", change: "any", level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "{client} must authenticate by {is}: copies that use {was} get \"invalid_client\"." },
    { path: "client_secret|client_secret_wo_version", change: "any", level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "The old secret of {client} stops working at once: every deployed copy needs the new one." },
    { path: "private_key_jwt.**|tls_client_auth.**|self_signed_tls_client_auth.**", change: "added", level: "low", code: "TNF-CREDENTIAL-CHANGED", text: "{client} may also authenticate with another key ({path})." },
    { path: "*.credentials.expires_at|*.credentials.parse_expiry_from_cert", change: "any", level: "medium", code: "TNF-CREDENTIAL-CHANGED", text: "A key of {client} ends at another time: {attribute} changes ({changes})." },
    { path: "private_key_jwt.**|tls_client_auth.**|self_signed_tls_client_auth.**", change: "any", level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "The old key {element} of {client} stops working at once ({path})." },
    { path: "signed_request_object.required", change: "false->true", level: "high", code: "TNF-APP-STOPS", text: "Auth0 refuses requests of {client} that are not signed." },
    { path: "signed_request_object.required", change: "true->false", level: "low", code: "TNF-PROTECTION-OFF", text: "Requests of {client} no longer have to be signed." },
    { path: "signed_request_object.**", change: "any", level: "high", code: "TNF-CREDENTIAL-CHANGED", text: "A key with which {client} signs its requests changes ({path})." },
  ]),
  ...rowsOf("auth0_client_grant", [
    ...thirdParties([
      ["destroy", "Third-party applications without a grant of their own can no longer get tokens for {api}; issued tokens work until they expire."],
      ["replace", "Third-party applications without a grant of their own can no longer get tokens for {api} until the plan creates the grant again."],
      ["create", "Every third-party application can get tokens for {api}, also one that is registered later."],
      ["scopes removed", "For {api}, next tokens of third-party applications without a grant of their own lack {removed}."],
      ["scopes added", "For {api}, next tokens of third-party applications without a grant of their own can hold {added}."],
      ["allow_all_scopes false->true", "Every third-party application without a grant of its own can get every scope of {api}, also future ones."],
      ["allow_all_scopes true->false", "Third-party applications without a grant of their own can get only the listed scopes of {api} instead of every scope."],
    ]),
    { change: "destroy", when: { subject_type: "user" }, level: "high", code: "TNF-PERMISSION-REMOVED", if: "the API requires a grant for users", text: "{client} can no longer get tokens of users for {api}; issued tokens work until they expire.", see: "api/management/v2/client-grants/delete-client-grants-by-id" },
    { change: "destroy", level: "high", code: "TNF-PERMISSION-REMOVED", text: "{client} can no longer get machine tokens for {api}; issued tokens work until they expire.", see: "api/management/v2/client-grants/delete-client-grants-by-id" },
    { change: "replace", level: "high", code: "TNF-PERMISSION-REMOVED", text: "{client} can no longer get tokens for {api}: the plan deletes this grant and creates another one.", see: "api/management/v2/client-grants/delete-client-grants-by-id" },
    { change: "create", level: "info", code: "TNF-PERMISSION-ADDED", text: "{client} may get tokens for {api}. If the grant exists already, the provider adopts it and does not write its scopes." },
    { path: "scopes", change: "removed", when: { subject_type: "user" }, level: "medium", code: "TNF-PERMISSION-REMOVED", text: "Next tokens of {client} for {api} lack {removed}." },
    { path: "scopes", change: "removed", level: "high", code: "TNF-PERMISSION-REMOVED", text: "Next tokens of {client} for {api} lack {removed}." },
    { path: "scopes", change: "added", level: "medium", code: "TNF-PERMISSION-ADDED", text: "Next tokens of {client} for {api} may hold {added}." },
    { path: "allow_all_scopes", change: "false->true", level: "high", code: "TNF-PERMISSION-ADDED", text: "{client} may get every scope of {api}, also future ones." },
    { path: "allow_all_scopes", change: "true->false", level: "high", code: "TNF-PERMISSION-REMOVED", text: "{client} may get only the listed scopes of {api} instead of every scope." },
    { path: "organization_usage|allow_any_organization|authorization_details_types", change: "any", level: "medium", code: "TNF-PERMISSION-REMOVED", if: "it gets tokens for an organization", text: "{client} gets tokens for {api} under other conditions: {attribute} changes ({changes})." },
  ]),
];
