/** Maps every documented type of log event to the request that causes the event. */
import { apiOf, type Api } from "../access/access";

/** Event types with the same cause. README.md of this folder has the same table. */
export interface EventGroup {
  /** The cause in words. */
  readonly cause: string;
  /** The API of the request; several if the type does not tell. Left out: the event is no request, or another event reports it. */
  readonly apis?: readonly Api[];
  readonly types: readonly string[];
}

const words = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(" "));

export const eventGroups: readonly EventGroup[] = [
  {
    cause: "token request",
    apis: ["authentication"],
    types: words(
      "ciba_exchange_failed ciba_exchange_succeeded failed_on_behalf_of_token_exchange fdeleacft feacft feccft",
      "fecte fede fens feoobft feotpft fepft",
      "fepotpft fercft ferrt fertft feta idjag_exchange_failed",
      "idjag_exchange_succeeded jwt_bearer_exchange_failed sdeleacft seacft seccft secte",
      "sede sens seoobft seotpft sepft sepkoobft",
      "refresh_token_exchange_for_session_token_failed refresh_token_exchange_for_session_token_successful",
      "sepkotpft sepkrcft sercft sertft seta success_on_behalf_of_token_exchange",
    ),
  },
  {
    cause: "other call of the application",
    apis: ["authentication"],
    types: words(
      "ciba_start_failed ciba_start_succeeded cls cs fcoa fdeaz",
      "fdelsa fpar fsa passkey_challenge_failed passkey_challenge_started passkey_register_failed passkey_register_started scoa",
      "sdelsa srrt ssa",
    ),
  },
  {
    cause: "step of the user",
    apis: ["authentication"],
    types: words(
      "connected_accounts_connection_failed connected_accounts_connection_succeeded connected_accounts_delete_failed connected_accounts_delete_succeeded f fc",
      "fco fd fdeac fdecc federated_logout_failed fi",
      "flo fp fs fu gd_auth_email_verification gd_auth_fail_email_verification",
      "gd_auth_failed gd_auth_rejected gd_auth_succeed gd_enrollment_complete gd_otp_rate_limit_exceed gd_recovery_failed",
      "gd_recovery_rate_limit_exceed gd_recovery_succeed gd_start_auth gd_start_enroll gd_start_enroll_failed gd_unenroll",
      "gd_update_device_account gd_webauthn_challenge_failed gd_webauthn_enrollment_failed limit_delegation limit_mu limit_phone",
      "limit_sul limit_ui limit_wc mfar my_account_authentication_method_failed my_account_authentication_method_succeeded pwd_leak",
      "reset_pwd_leak rich_consents_access_error s sd sdel si",
      "signup_pwd_leak slo ss too_many_records universal_logout_failed universal_logout_succeeded",
    ),
  },
  {
    cause: "change of an account, by the user or by an administrator",
    apis: ["authentication", "management"],
    types: words("fce fcp fcpn fcpr fcu fv fvr sce scp scpn scpr scu sv svr"),
  },
  { cause: "Management API or SCIM", apis: ["management"], types: words("fapi fscim mgmt_api_read sapi sscim") },
  {
    cause: "count, notice, or work of the service",
    types: words(
      "acls_summary actions_execution_failed acul_sdk_notice admin_update_launch api_limit api_limit_warning",
      "appi appliance_configuration_api_read appliance_configuration_api_status appliance_configuration_api_write coff con",
      "custom_domain_verification_failed depnote directory_sync_completed directory_sync_failed directory_sync_started du",
      "fcph fcpro fdu flows_execution_completed flows_execution_failed fn",
      "forms_submission_failed forms_submission_succeeded fpurh fui gd_send_email gd_send_email_verification",
      "gd_send_email_verification_failure gd_send_pn gd_send_pn_failure gd_send_sms gd_send_sms_failure gd_send_voice",
      "gd_send_voice_failure gd_tenant_update kms_key_management_failure kms_key_management_success kms_key_state_changed oidc_backchannel_logout_failed",
      "oidc_backchannel_logout_succeeded organization_member_added pla resource_cleanup scv sdu",
      "ss_sso_failure ss_sso_info ss_sso_success sui token_quota_consumption_warning ublkdu",
      "w wn wum",
      "custom_domains_verification_failed elevated_rate_limit gd_module_switch gd_send_email_failure gd_user_delete",
      "refresh_tokens_revoked_by_session scph session_revoked sys_os_update_end sys_os_update_start sys_update_end sys_update_start",
    ),
  },
];

const byType = new Map(eventGroups.flatMap((group) => group.types.map((type) => [type, group] as const)));

/** undefined: no public document names the type. */
export const groupOf = (type: string): EventGroup | undefined => byType.get(type);

/** The possible APIs of the request. `path`: the path that the event shows. */
export function apisOfEvent(apis: readonly Api[], path: string | undefined): readonly Api[] {
  return path === undefined ? apis : [apiOf(path)];
}
