/** Maps every documented type of log event to the API of the request that causes the event. */
import type { Api } from "../../judge/access/access";

/** The APIs, several if the type does not tell. Empty: the event is no request, or another event reports the request. */
const groups: readonly (readonly [apis: readonly Api[], types: string])[] = [
  [
    ["authentication"],
    `ciba_exchange_failed ciba_exchange_succeeded ciba_start_failed ciba_start_succeeded cls
    connected_accounts_connection_failed connected_accounts_connection_succeeded connected_accounts_delete_failed
    connected_accounts_delete_succeeded cs f failed_on_behalf_of_token_exchange fc fco fcoa fd fdeac fdeaz fdecc fdeleacft fdelsa
    feacft feccft fecte fede federated_logout_failed fens feoobft feotpft fepft fepotpft fercft ferrt fertft feta fi flo fp fpar fs
    fsa fu gd_auth_email_verification gd_auth_fail_email_verification gd_auth_failed gd_auth_rejected gd_auth_succeed
    gd_enrollment_complete gd_otp_rate_limit_exceed gd_recovery_failed gd_recovery_rate_limit_exceed gd_recovery_succeed
    gd_start_auth gd_start_enroll gd_start_enroll_failed gd_unenroll gd_update_device_account gd_webauthn_challenge_failed
    gd_webauthn_enrollment_failed idjag_exchange_failed idjag_exchange_succeeded jwt_bearer_exchange_failed limit_delegation
    limit_mu limit_phone limit_sul limit_ui limit_wc mfar my_account_authentication_method_failed
    my_account_authentication_method_succeeded passkey_challenge_failed passkey_challenge_started passkey_register_failed
    passkey_register_started pwd_leak refresh_token_exchange_for_session_token_failed
    refresh_token_exchange_for_session_token_successful reset_pwd_leak rich_consents_access_error s scoa sd sdel sdeleacft sdelsa
    seacft seccft secte sede sens seoobft seotpft sepft sepkoobft sepkotpft sepkrcft sercft sertft seta si signup_pwd_leak slo
    srrt ss ssa success_on_behalf_of_token_exchange too_many_records universal_logout_failed universal_logout_succeeded`,
  ],
  // A change of an account, by the user or by an administrator.
  [["authentication", "management"], "fce fcp fcpn fcpr fcu fv fvr sce scp scpn scpr scu sv svr"],
  [["management"], "fapi fscim mgmt_api_read sapi sscim"],
  [
    [],
    `acls_summary actions_execution_failed acul_sdk_notice admin_update_launch api_limit api_limit_warning appi
    appliance_configuration_api_read appliance_configuration_api_status appliance_configuration_api_write coff con
    custom_domain_verification_failed custom_domains_verification_failed depnote directory_sync_completed directory_sync_failed
    directory_sync_started du elevated_rate_limit fcph fcpro fdu flows_execution_completed flows_execution_failed fn
    forms_submission_failed forms_submission_succeeded fpurh fui gd_module_switch gd_send_email gd_send_email_failure
    gd_send_email_verification gd_send_email_verification_failure gd_send_pn gd_send_pn_failure gd_send_sms gd_send_sms_failure
    gd_send_voice gd_send_voice_failure gd_tenant_update gd_user_delete kms_key_management_failure kms_key_management_success
    kms_key_state_changed oidc_backchannel_logout_failed oidc_backchannel_logout_succeeded organization_member_added pla
    refresh_tokens_revoked_by_session resource_cleanup scph scv sdu session_revoked ss_sso_failure ss_sso_info ss_sso_success sui
    sys_os_update_end sys_os_update_start sys_update_end sys_update_start token_quota_consumption_warning ublkdu w wn wum`,
  ],
];

/** A type that is not here is in no public document. */
export const apisByType: ReadonlyMap<string, readonly Api[]> = new Map(
  groups.flatMap(([apis, types]) => types.split(/\s+/).map((type) => [type, apis] as const)),
);
