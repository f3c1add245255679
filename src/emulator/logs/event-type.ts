/** The types of events that stand for one request, and the facts that the service writes for each of them. */

/** Facts that only some types have. */
export type EventFact = "hostname" | "client_ip" | "security_context";

/** As in the log schemas of the service. */
const groups: readonly (readonly [facts: readonly EventFact[], types: string])[] = [
  [[], "cls cs fcoa fcp fcpn fcpr fcu fce fdeac fdecc feta fscim fv fvr gd_auth_failed gd_auth_rejected"],
  [[], "gd_auth_succeed gd_enrollment_complete gd_otp_rate_limit_exceed gd_recovery_failed gd_recovery_succeed"],
  [[], "gd_start_auth gd_start_enroll gd_unenroll limit_phone mgmt_api_read sapi sce scp scpn scpr scu seta sscim"],
  [[], "sv svr universal_logout_succeeded universal_logout_failed federated_logout_failed"],
  [["hostname"], "ciba_exchange_failed ciba_exchange_succeeded ciba_start_failed ciba_start_succeeded fco fd fdeaz"],
  [["hostname"], "fdelsa flo fpar fsa limit_delegation passkey_challenge_failed passkey_challenge_started scoa sd"],
  [["hostname"], "sdelsa si slo srrt ssa my_account_authentication_method_failed"],
  [["hostname"], "my_account_authentication_method_succeeded connected_accounts_connection_succeeded fi"],
  [["client_ip"], "sertft"],
  [["security_context"], "fp fs fu secte sens success_on_behalf_of_token_exchange"],
  [["hostname", "client_ip"], "fertft mfar"],
  [["hostname", "security_context"], "f fecte failed_on_behalf_of_token_exchange fens limit_mu limit_sul limit_wc"],
  [["hostname", "security_context"], "pwd_leak reset_pwd_leak s sdel ss"],
  [["client_ip", "security_context"], "sepft"],
  [["hostname", "client_ip", "security_context"], "fdeleacft feacft feccft fede feoobft feotpft fepft fepotpft fercft"],
  [["hostname", "client_ip", "security_context"], "ferrt idjag_exchange_failed idjag_exchange_succeeded"],
  [["hostname", "client_ip", "security_context"], "jwt_bearer_exchange_failed sdeleacft seacft seccft sede seoobft"],
  [["hostname", "client_ip", "security_context"], "seotpft sepkoobft sepkotpft sepkrcft sercft"],
];

export const factsOfType: ReadonlyMap<string, readonly EventFact[]> = new Map(
  groups.flatMap(([facts, types]) => types.split(" ").map((type) => [type, facts] as const)),
);

/** Assumption: most types of events have an empty description. */
export const descriptions: Readonly<Record<string, string>> = {
  f: "Failed login",
  fp: "Wrong email or password.",
  fu: "Wrong email or password.",
  s: "Successful login",
  ssa: "Successful silent authentication",
  slo: "User successfully logged out",
  ss: "Successful signup",
  seccft: "Client Credentials for Access Token",
  feccft: "Unauthorized",
  seacft: "Authorization Code for Access Token",
  sertft: "Refresh Token for Access Token",
  fertft: "Unknown or invalid refresh token.",
};

/** The event of a token exchange that the tenant refuses, by its grant type. */
const refusedExchanges: Readonly<Record<string, string>> = {
  authorization_code: "feacft",
  client_credentials: "feccft",
  password: "fepft",
  refresh_token: "fertft",
  "http://auth0.com/oauth/grant-type/mfa-oob": "feoobft",
  "http://auth0.com/oauth/grant-type/mfa-otp": "feotpft",
  "http://auth0.com/oauth/grant-type/mfa-recovery-code": "fercft",
  "http://auth0.com/oauth/grant-type/passwordless/otp": "fepotpft",
  "urn:ietf:params:oauth:grant-type:device_code": "fede",
  "urn:ietf:params:oauth:grant-type:token-exchange": "fecte",
};

/**
 * The type of the event that a request leaves; undefined if it leaves none. The tenant has no operation whose response to GET holds a
 * secret, so GETs of the management API leave none. Assumption: a failed call of the Management API leaves no event either, because the
 * current documentation no longer lists `fapi`.
 */
export function typeOf(method: string, path: string, status: number, grantType: unknown): string | undefined {
  const done = status >= 200 && status < 300;
  if (path.startsWith("/api/v2/")) return done && method !== "GET" ? "sapi" : undefined;
  if (!/^\/oauth\/token\/?$/.test(path) || method !== "POST") return undefined;
  if (done) return "seccft";
  return Object.hasOwn(refusedExchanges, String(grantType)) ? refusedExchanges[String(grantType)] : undefined;
}
