/** What holds for the whole tenant: settings, domains, actions, senders of messages, logs and keys. */
import { rowsOf, type Row } from "../row";

/** What runs an action. */
const bindings = "auth0_trigger_actions.actions.id|auth0_trigger_action.action_id";

// A row is one line, so that the files read as tables.
// prettier-ignore
export const tenant: readonly Row[] = [
  ...rowsOf("auth0_tenant", [
    { change: "destroy", level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the provider only forgets the settings of the tenant." },
    { path: "default_directory", change: "removed", level: "high", code: "TNF-TENANT-CHANGED", if: "applications use the password grant", text: "Sign-ins by password grant that name no connection fail: the default was {was}.", see: "api-auth/tutorials/password-grant" },
    { path: "default_directory", change: "any", level: "high", code: "TNF-TENANT-CHANGED", if: "applications use the password grant", text: "Sign-ins by password grant that name no connection go to {is} instead of {was}.", see: "api-auth/tutorials/password-grant" },
    { path: "default_audience", change: "removed", level: "medium", code: "TNF-TENANT-CHANGED", if: "requests name no audience", text: "Access tokens without an audience are opaque: the default was {was}." },
    { path: "default_audience", change: "any", level: "medium", code: "TNF-TENANT-CHANGED", if: "requests name no audience", text: "Access tokens without an audience are for {is} instead of {was}." },
    { path: "session_lifetime|idle_session_lifetime|ephemeral_session_lifetime|idle_ephemeral_session_lifetime", change: "lower", level: "medium", code: "TNF-SESSION-SHORTER", text: "People sign in again after {is} h instead of {was} h ({attribute}).", see: "sessions/configure-session-lifetime-settings" },
    { path: "session_lifetime|idle_session_lifetime|ephemeral_session_lifetime|idle_ephemeral_session_lifetime", change: "higher", level: "low", code: "TNF-PROTECTION-OFF", text: "People stay signed in for {is} h instead of {was} h ({attribute}).", see: "sessions/configure-session-lifetime-settings" },
    { path: "session_lifetime|idle_session_lifetime|ephemeral_session_lifetime|idle_ephemeral_session_lifetime", change: "any", level: "low", code: "TNF-SESSION-SHORTER", text: "Sessions of people end at another time: {attribute} changes ({changes}).", see: "sessions/configure-session-lifetime-settings" },
    { path: "session_cookie.mode", change: "any", level: "medium", code: "TNF-SESSION-SHORTER", text: "Sessions end in another way: {path} is {is} instead of {was}; \"non-persistent\" sessions end with the browser.", see: "sessions/configure-session-lifetime-settings" },
    { path: "allowed_logout_urls", change: "removed", level: "low", code: "TNF-CALLBACK-REMOVED", text: "Sign-outs of any application that return to {removed} end on an error page." },
    { path: "allowed_logout_urls", change: "added", level: "none" },
    { path: "default_redirection_uri", change: "added", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "Sign-ins that cannot return to their application end at {is}." },
    { path: "default_redirection_uri", change: "any", level: "low", code: "TNF-CALLBACK-REMOVED", if: "sign-ins end there", text: "Sign-ins that cannot return to their application no longer end at {was} ({changes})." },
    { path: "flags.enable_dynamic_client_registration", change: "false->true", level: "high", code: "TNF-TENANT-CHANGED", text: "Anybody may register applications at the tenant." },
    { path: "flags.disable_clickjack_protection_headers", change: "false->true", level: "high", code: "TNF-PROTECTION-OFF", text: "Other pages may embed the sign-in page and catch clicks on it." },
    { path: "flags.enable_dynamic_client_registration|flags.disable_clickjack_protection_headers", change: "any", level: "low", code: "TNF-TENANT-CHANGED", if: "it is used", text: "{attribute} is switched off for the tenant." },
    { path: "flags.revoke_refresh_token_grant|flags.allow_legacy_*|flags.enable_client_connections|flags.no_disclose_enterprise_connections|flags.require_pushed_authorization_requests|flags.enable_pipeline2|flags.enable_sso|flags.enable_idtoken_api2|flags.enable_legacy_profile|flags.remove_alg_from_jwks|flags.disable_fields_map_fix|flags.enable_adfs_waad_email_verification|flags.enable_public_signup_user_exists_error", change: "any", level: "medium", code: "TNF-TENANT-CHANGED", if: "it is used", text: "{attribute} changes for all applications of the tenant ({changes})." },
    { path: "flags.mfa_show_factor_list_on_enrollment|flags.use_scope_descriptions_for_consent|flags.enable_custom_domain_in_emails|flags.disable_management_api_sms_obfuscation", change: "any", level: "low", code: "TNF-TENANT-CHANGED", text: "{attribute} changes for all applications of the tenant ({changes})." },
    { path: "error_page.**", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "people need what it says", text: "The page that people see after an error changes ({path})." },
    { path: "sandbox_version", change: "any", level: "medium", code: "TNF-TENANT-CHANGED", if: "a script needs the old version", text: "All scripts of the tenant run on Node {is} instead of {was}." },
    { path: "pushed_authorization_requests_supported|mtls.**|acr_values_supported|disable_acr_values_supported|customize_mfa_in_postlogin_action|allow_organization_name_in_authentication_api|client_id_metadata_document_supported|dynamic_client_registration_security_mode|resource_parameter_profile|phone_consolidated_experience", change: "any", level: "medium", code: "TNF-TENANT-CHANGED", if: "it is used", text: "{path} changes for all applications of the tenant ({changes})." },
    { path: "oidc_logout.**|sessions.**|country_codes.**|default_token_quota.**|skip_non_verifiable_callback_uri_confirmation_prompt|enabled_locales", change: "any", level: "low", code: "TNF-TENANT-CHANGED", text: "{path} changes for all applications of the tenant ({changes})." },
  ]),
  ...rowsOf("auth0_custom_domain", [
    { change: "destroy", level: "critical", code: "TNF-DOMAIN-GONE", text: "{domain} stops answering: every application, link and token issuer that uses it breaks. Sessions and passkeys that are bound to it are lost.", see: "api/management/v2/custom-domains/delete-custom-domains-by-id" },
    { change: "replace", level: "critical", code: "TNF-DOMAIN-GONE", text: "{was} stops answering: every application, link and token issuer that uses it breaks, and the plan creates {is} anew. Sessions and passkeys that are bound to it are lost.", see: "api/management/v2/custom-domains/delete-custom-domains-by-id" },
    { path: "relying_party_identifier", change: "any", level: "high", code: "TNF-DOMAIN-GONE", if: "people have enrolled passkeys", text: "Passkeys of people at {domain} stop working: {attribute} is {is} instead of {was}.", see: "customize/custom-domains/multiple-custom-domains/passkeys" },
    { path: "domain_metadata.**", change: "any", level: "low", code: "TNF-READ-CHANGED", if: "an action or a mail template reads it", text: "{path} of {domain} changes ({changes})." },
    { path: "tls_policy|custom_client_ip_header", change: "any", level: "low", code: "TNF-TENANT-CHANGED", if: "clients or proxies rely on it", text: "{attribute} of {domain} changes ({changes})." },
  ]),
  ...rowsOf("auth0_custom_domain_default", [
    { change: "destroy", level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the provider only forgets that {domain} is the default domain." },
    { path: "domain", change: "any", level: "medium", code: "TNF-TENANT-CHANGED", text: "Links in messages lead to {is} instead of {was}." },
    { change: "create", level: "medium", code: "TNF-TENANT-CHANGED", if: "it is not so already", text: "Links in messages lead to {domain}." },
  ]),
  ...rowsOf("auth0_custom_domain_verification", [
    { change: "destroy", level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the provider only forgets the verification." },
    { change: "replace", level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the provider verifies the domain again." },
  ]),
  ...rowsOf("auth0_trigger_actions", [
    { path: "actions", change: "removed", when: { trigger: "post-login|credentials-exchange" }, level: "high", code: "TNF-ACTION-UNBOUND", text: "{removed} no longer runs at {trigger}: what was denied there is allowed, and what was added, such as claims or a second factor, is missing.", see: "api/management/v2/actions/patch-bindings" },
    { path: "actions", change: "removed", level: "medium", code: "TNF-ACTION-UNBOUND", text: "{removed} no longer runs at {trigger}: what was denied there is allowed, and what was added is missing.", see: "api/management/v2/actions/patch-bindings" },
    { path: "actions", change: "order", level: "low", code: "TNF-ACTION-CHANGED", if: "an action depends on the one before", text: "The actions at {trigger} run in another order: {is} instead of {was}.", see: "api/management/v2/actions/patch-bindings" },
    { path: "actions", change: "added", level: "low", code: "TNF-ACTION-CHANGED", if: "its code denies or adds something", text: "{added} runs at {trigger}." },
    { change: "destroy", when: { trigger: "post-login|credentials-exchange" }, level: "high", code: "TNF-ACTION-UNBOUND", text: "No action runs at {trigger} any more, also none that is bound elsewhere: {actions}. What they denied is allowed, and what they added is missing.", see: "api/management/v2/actions/patch-bindings" },
    { change: "destroy", level: "medium", code: "TNF-ACTION-UNBOUND", text: "No action runs at {trigger} any more, also none that is bound elsewhere: {actions}.", see: "api/management/v2/actions/patch-bindings" },
    { change: "replace", level: "high", code: "TNF-ACTION-UNBOUND", text: "No action runs at {was} any more: {actions}. What they denied is allowed, and what they added is missing.", see: "api/management/v2/actions/patch-bindings" },
    { change: "create", level: "high", code: "TNF-ACTION-UNBOUND", if: "other actions are bound to the trigger", text: "Replaces all actions that run at {trigger}, also those that no state knows, by {actions}.", see: "api/management/v2/actions/patch-bindings" },
  ]),
  ...rowsOf("auth0_trigger_action", [
    { change: "destroy", when: { trigger: "post-login|credentials-exchange" }, level: "high", code: "TNF-ACTION-UNBOUND", text: "{action} no longer runs at {trigger}: what it denied is allowed, and what it added, such as claims or a second factor, is missing." },
    { change: "destroy", level: "medium", code: "TNF-ACTION-UNBOUND", text: "{action} no longer runs at {trigger}: what it denied is allowed, and what it added is missing." },
    { change: "create", level: "low", code: "TNF-ACTION-CHANGED", if: "its code denies or adds something", text: "{action} runs at {trigger}." },
  ]),
  ...rowsOf("auth0_action", [
    { change: "destroy", usedBy: bindings, level: "high", code: "TNF-APPLY-MAY-FAIL", if: "the action has no `create_before_destroy`", text: "Terraform deletes the action {name} before it changes {users}, and Auth0 refuses to delete an action that a trigger runs, so the apply stops halfway. Unbind the action in one apply, and delete it in the next one.", see: "api/management/v2/actions/delete-action" },
    { change: "replace", usedBy: bindings, level: "high", code: "TNF-APPLY-MAY-FAIL", text: "Terraform deletes the old action {name} before it changes {users}, and Auth0 refuses to delete an action that a trigger runs, so the apply stops halfway. Unbind the action in an apply before, or set `create_before_destroy = true` in its lifecycle.", see: "api/management/v2/actions/delete-action" },
    { change: "destroy", level: "info", code: "TNF-ACTION-CHANGED", text: "Deletes the action {name}. Auth0 refuses this while a trigger runs it." },
    { path: "code|dependencies.**|runtime|secrets.**|secrets_wo.**|secrets_wo_version|modules.**|supported_triggers.**", change: "any", level: "medium", code: "TNF-ACTION-CHANGED", if: "a trigger runs it", text: "What {name} does changes ({path}): read the difference." },
    { path: "deploy", change: "any", level: "medium", code: "TNF-ACTION-CHANGED", if: "a trigger runs it", text: "Whether the newest code of {name} runs changes ({changes})." },
  ]),
  ...rowsOf("auth0_action_module", [
    { change: "destroy", usedBy: "auth0_action.modules.module_id", level: "high", code: "TNF-APPLY-MAY-FAIL", if: "the module has no `create_before_destroy`", text: "Terraform deletes the module {name} before it changes {users}, and Auth0 refuses to delete a module that an action uses, so the apply stops halfway. Take the module out of the actions in one apply, and delete it in the next one.", see: "api/management/v2/actions/delete-action-module" },
    { change: "replace", usedBy: "auth0_action.modules.module_id", level: "high", code: "TNF-APPLY-MAY-FAIL", text: "Terraform deletes the old module {name} before it changes {users}, and Auth0 refuses to delete a module that an action uses, so the apply stops halfway. Set `create_before_destroy = true` in the lifecycle of the module.", see: "api/management/v2/actions/delete-action-module" },
    { change: "destroy", level: "medium", code: "TNF-ACTION-CHANGED", if: "an action uses it", text: "Deletes the module {name} of actions." },
    { path: "**", change: "any", level: "medium", code: "TNF-ACTION-CHANGED", if: "an action uses it", text: "What the module {name} of actions does changes ({path}): read the difference." },
  ]),
  ...rowsOf("auth0_rule", [
    { change: "destroy", level: "high", code: "TNF-ACTION-UNBOUND", if: "the tenant still runs rules", text: "The rule {name} no longer runs: what it denied is allowed, and what it added is missing." },
    { path: "enabled", change: "true->false", level: "high", code: "TNF-ACTION-UNBOUND", if: "the tenant still runs rules", text: "The rule {name} no longer runs: what it denied is allowed, and what it added is missing." },
    { change: "create", level: "medium", code: "TNF-ACTION-CHANGED", if: "the tenant still runs rules", text: "The rule {name} runs: it may deny people, or add something." },
    { path: "**", change: "any", level: "medium", code: "TNF-ACTION-CHANGED", if: "the tenant still runs rules", text: "What the rule {name} does changes ({path}): read the difference." },
  ]),
  ...rowsOf("auth0_hook", [
    { change: "destroy", level: "medium", code: "TNF-ACTION-UNBOUND", if: "the tenant still runs hooks", text: "The hook {name} no longer runs: what it denied is allowed, and what it added is missing." },
    { path: "enabled", change: "true->false", level: "medium", code: "TNF-ACTION-UNBOUND", if: "the tenant still runs hooks", text: "The hook {name} no longer runs: what it denied is allowed, and what it added is missing." },
    { change: "create", level: "medium", code: "TNF-ACTION-CHANGED", if: "the tenant still runs hooks", text: "The hook {name} runs: it may deny people, or add something." },
    { path: "**", change: "any", level: "medium", code: "TNF-ACTION-CHANGED", if: "the tenant still runs hooks", text: "What the hook {name} does changes ({path}): read the difference." },
  ]),
  ...rowsOf("auth0_rule_config", [
    { change: "destroy", level: "medium", code: "TNF-ACTION-CHANGED", if: "a rule reads it", text: "Rules no longer find their setting {name}." },
    { change: "create", level: "medium", code: "TNF-ACTION-CHANGED", if: "a rule reads it", text: "Sets the setting {name} of rules." },
    { change: "replace", level: "medium", code: "TNF-ACTION-CHANGED", if: "a rule reads it", text: "Rules no longer find their setting {was}; they find {is}." },
    { path: "**", change: "any", level: "medium", code: "TNF-ACTION-CHANGED", if: "a rule reads it", text: "The setting {name} of rules changes." },
  ]),
  ...rowsOf("auth0_email_provider", [
    { change: "destroy", level: "high", code: "TNF-MAIL-OFF", text: "No mail for verification, reset or codes is sent by {name} any more; the test sender of Auth0 may not reach people." },
    { path: "enabled", change: "true->false", level: "high", code: "TNF-MAIL-OFF", text: "No mail for verification, reset or codes is sent by {name} any more; the test sender of Auth0 may not reach people." },
    { path: "enabled", change: "any", level: "none" },
    { path: "credentials.**", change: "any", level: "medium", code: "TNF-MAIL-OFF", if: "the sender does not know the new value", text: "No mail reaches people by {name}: {path} changes." },
    { path: "name", change: "any", level: "medium", code: "TNF-MAIL-OFF", if: "the new sender is not ready", text: "Mail is sent by {is} instead of {was}." },
    { path: "default_from_address|settings.**", change: "any", level: "low", code: "TNF-MAIL-OFF", if: "the sender does not accept it", text: "Mail of {name} is sent with other settings: {path} changes ({changes})." },
  ]),
  ...rowsOf("auth0_phone_provider", [
    { change: "destroy", level: "high", code: "TNF-MAIL-OFF", text: "No code is sent by text message or call by {name} any more." },
    { path: "disabled", change: "false->true", level: "high", code: "TNF-MAIL-OFF", text: "No code is sent by text message or call by {name} any more." },
    { path: "disabled", change: "any", level: "none" },
    { path: "**", change: "any", level: "medium", code: "TNF-MAIL-OFF", if: "the sender does not know the new value", text: "No code reaches people by {name}: {path} changes." },
  ]),
  ...rowsOf("auth0_log_stream", [
    { change: "destroy", level: "medium", code: "TNF-SYNC-OFF", text: "{name} gets no more logs." },
    { change: "replace", level: "medium", code: "TNF-SYNC-OFF", text: "{name} gets no more logs until the new stream is ready." },
    { path: "status", change: "*->paused|suspended", level: "medium", code: "TNF-SYNC-OFF", text: "{name} gets no more logs: its status is {is} instead of {was}." },
    { path: "sink.http_endpoint|sink.splunk_domain|sink.sumo_source_address|sink.aws_account_id|sink.azure_subscription_id|sink.mixpanel_project_id", change: "any", level: "medium", code: "TNF-SYNC-OFF", text: "{name} sends the logs of the tenant to {is} instead of {was} ({path})." },
    { path: "**", change: "any", level: "low", code: "TNF-SYNC-OFF", if: "the receiver does not accept it", text: "{name} gets other logs, or none: {path} changes." },
  ]),
  ...rowsOf("auth0_event_stream", [
    { change: "destroy", level: "medium", code: "TNF-SYNC-OFF", text: "{name} gets no more events." },
    { change: "replace", level: "medium", code: "TNF-SYNC-OFF", text: "{name} gets no more events until the new stream is ready." },
    { path: "subscriptions", change: "removed", level: "medium", code: "TNF-SYNC-OFF", text: "{name} gets no more events of {removed}." },
    { path: "webhook_configuration.webhook_endpoint|eventbridge_configuration.aws_account_id", change: "any", level: "medium", code: "TNF-SYNC-OFF", text: "{name} sends the events of the tenant to {is} instead of {was} ({path})." },
    { path: "**", change: "any", level: "low", code: "TNF-SYNC-OFF", if: "the receiver does not accept it", text: "{name} gets other events, or none: {path} changes." },
  ]),
  ...rowsOf("auth0_encryption_key_manager", [
    { change: "destroy", when: { customer_provided_root_key: "*" }, level: "high", code: "TNF-KEY-DELETED", text: "Deletes the root key of the tenant that you provided.", see: "secure/highly-regulated-identity/customer-managed-keys" },
    { change: "destroy", level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the provider only forgets the encryption keys." },
    { path: "customer_provided_root_key.**", change: "removed", level: "high", code: "TNF-KEY-DELETED", text: "Deletes the root key of the tenant that you provided.", see: "secure/highly-regulated-identity/customer-managed-keys" },
    { path: "customer_provided_root_key.**", change: "any", level: "high", code: "TNF-KEY-DELETED", text: "The root key of the tenant changes ({path}).", see: "secure/highly-regulated-identity/customer-managed-keys" },
    { path: "key_rotation_id", change: "any", level: "medium", code: "TNF-KEY-DELETED", text: "The encryption keys of the tenant rotate." },
  ]),
  ...rowsOf("auth0_risk_assessments", [{ change: "destroy", level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the provider only forgets the settings of risk assessments." }, { path: "enabled", change: "any", level: "low", code: "TNF-PROTECTION-OFF", if: "an action reads the risk", text: "Whether Auth0 assesses the risk of sign-ins changes ({changes})." }]),
  ...rowsOf("auth0_risk_assessments_new_device", [{ change: "destroy", level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the provider only forgets how long devices are known." }, { path: "remember_for", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "an action reads the risk", text: "The number of days after which a device is new again is {is} instead of {was}." }]),
  ...rowsOf("auth0_supplemental_signals", [{ path: "akamai_enabled", change: "any", level: "low", code: "TNF-PROTECTION-OFF", if: "an action reads the signals", text: "Whether Auth0 accepts signals of Akamai changes ({changes})." }]),
  ...rowsOf("auth0_token_exchange_profile", [
    { change: "destroy", level: "medium", code: "TNF-APP-STOPS", if: "applications use it", text: "Applications can no longer exchange tokens by the profile {name}." },
    { path: "action_id|subject_token_type|type", change: "any", level: "medium", code: "TNF-APP-STOPS", if: "applications use it", text: "Applications exchange tokens by the profile {name} in another way: {attribute} changes ({changes})." },
  ]),
];
