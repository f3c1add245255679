/** Protection against attacks, and second factors. */
import { rowsOf, type Row, type TypeRow } from "../row";

const factors =
  "otp|email|recovery_code|phone.enabled|push.enabled|webauthn_roaming.enabled|webauthn_platform.enabled|duo.enabled";
/** Protections, each of which one attribute switches. */
const protections = ["brute_force_protection", "breached_password_detection", "suspicious_ip_throttling"];
const noFactor = Object.fromEntries(factors.split("|").map((path) => [path, "false"]));
/** The provider leaves out the block of a factor that is off, and no other attribute. */
const allOff = Object.fromEntries(factors.split("|").map((path) => [path, path.includes(".") ? "false" : "[false]"]));

// A row is one line, so that the files read as tables.
// prettier-ignore
export const protection: readonly Row[] = [
  ...rowsOf("auth0_attack_protection", [
    { change: "destroy", when: Object.fromEntries(protections.map((path) => [`${path}.enabled`, "[false]"])), level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the protection against guessed passwords, leaked passwords and suspicious addresses is off already." },
    { change: "destroy", level: "high", code: "TNF-PROTECTION-OFF", text: "Switches off the protection against guessed passwords, leaked passwords and suspicious addresses. Bot detection and captcha stay as they are." },
    { path: "brute_force_protection.enabled", change: "true->false", level: "high", code: "TNF-PROTECTION-OFF", text: "Guessing passwords of one account is no longer stopped.", see: "secure/attack-protection/brute-force-protection" },
    { path: "breached_password_detection.enabled", change: "true->false", level: "high", code: "TNF-PROTECTION-OFF", text: "Leaked passwords are accepted again.", see: "secure/attack-protection" },
    { path: "suspicious_ip_throttling.enabled", change: "true->false", level: "high", code: "TNF-PROTECTION-OFF", text: "One address may try many accounts without limit.", see: "secure/attack-protection/suspicious-ip-throttling" },
    { path: "*.enabled", change: "any", level: "none" },
    ...protections.map((path): TypeRow => ({ path: `${path}.**`, change: "any", when: { [`${path}.enabled`]: "false" }, level: "none" })),
    { path: "**.shields", change: "removed block", level: "high", code: "TNF-PROTECTION-OFF", text: "Attacks are only reported, no longer stopped: \"block\" is missing in {path}." },
    { path: "**.shields", change: "removed", level: "medium", code: "TNF-PROTECTION-OFF", text: "{removed} is removed from {path}." },
    { path: "**.shields", change: "added", level: "none" },
    { path: "*.allowlist", change: "covers", level: "high", code: "TNF-PROTECTION-OFF", text: "The protection no longer limits anybody at {added} ({path})." },
    { path: "*.allowlist", change: "added", level: "medium", code: "TNF-PROTECTION-OFF", text: "{added} is no longer limited ({path})." },
    { path: "*.allowlist", change: "removed", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "{removed} is limited like any other address ({path})." },
    { path: "brute_force_protection.max_attempts", change: "higher 100", level: "high", code: "TNF-PROTECTION-OFF", text: "Guessing passwords of one account is stopped only after {is} tries ({path})." },
    { path: "suspicious_ip_throttling.*.max_attempts", change: "higher 10000", level: "high", code: "TNF-PROTECTION-OFF", text: "One address may try {is} times before anything stops it ({path})." },
    { path: "suspicious_ip_throttling.*.rate", change: "lower 100", level: "high", code: "TNF-PROTECTION-OFF", text: "A blocked address may try again after {is} ms, so the block hardly slows it ({path})." },
    { path: "**.max_attempts", change: "higher", level: "low", code: "TNF-PROTECTION-OFF", text: "The number of allowed tries is {is} instead of {was} ({path})." },
    { path: "**.rate", change: "higher", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "A blocked address may try again after {is} ms instead of {was} ms ({path})." },
    { path: "**.rate", change: "any", level: "low", code: "TNF-PROTECTION-OFF", text: "A blocked address may try again after {is} ms instead of {was} ms ({path})." },
    { path: "**.max_attempts|brute_force_protection.mode", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "people mistype their password", text: "People are blocked under other conditions: {path} changes ({changes})." },
    { path: "bot_detection.monitoring_mode_enabled", change: "false->true", level: "high", code: "TNF-PROTECTION-OFF", text: "Bots are no longer challenged, only recorded." },
    { path: "bot_detection.challenge_*", change: "*->never", level: "high", code: "TNF-PROTECTION-OFF", text: "Bots are no longer challenged: {attribute} is {is} instead of {was}." },
    { path: "bot_detection.**", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "Bots are challenged under other conditions: {path} changes ({changes})." },
    { path: "captcha.active_provider_id", change: "removed", level: "high", code: "TNF-PROTECTION-OFF", text: "Bots are no longer challenged by the captcha of {was}." },
    { path: "captcha.**", change: "any", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "the provider of the captcha does not know the new value", text: "The sign-in page cannot show its captcha ({path} changes)." },
    { path: "breached_password_detection.method", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "Leaked passwords are found in another way: {attribute} changes ({changes})." },
    { path: "breached_password_detection.admin_notification_frequency", change: "any", level: "info", code: "TNF-SIGN-IN-CHANGED", text: "Administrators learn about leaked passwords at other times ({changes})." },
  ]),
  ...rowsOf("auth0_guardian", [
    { change: "destroy", when: { policy: "never", ...allOff }, level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: no sign-in asks for a second factor, and all factors are off already." },
    { change: "destroy", when: { policy: "never" }, level: "medium", code: "TNF-MFA-OFF", if: "an action asks for a second factor", text: "All factors are switched off: people cannot give a second factor." },
    { change: "destroy", level: "high", code: "TNF-MFA-OFF", text: "Sign-ins no longer ask for a second factor: the policy is cleared, and all factors are switched off." },
    { path: "policy", change: "*->never", level: "high", code: "TNF-MFA-OFF", if: "no action asks for a second factor itself", text: "Sign-ins no longer ask for a second factor: the policy is {is} instead of {was}.", see: "api/management/v2/guardian/put-policies" },
    { path: "policy", change: "*->all-applications", when: noFactor, level: "critical", code: "TNF-MFA-REQUIRED", text: "Nobody can sign in: the policy {is} requires a second factor, and no factor is on.", see: "api/management/v2/guardian/put-policies" },
    { path: "policy", change: "*->all-applications", level: "medium", code: "TNF-MFA-REQUIRED", text: "The policy {is} requires a second factor of everybody at the next sign-in.", see: "api/management/v2/guardian/put-policies" },
    { path: "policy", change: "never->*", level: "medium", code: "TNF-MFA-REQUIRED", text: "Some sign-ins ask for a second factor: the policy is {is} instead of {was}.", see: "api/management/v2/guardian/put-policies" },
    { path: "policy", change: "any", level: "medium", code: "TNF-MFA-OFF", text: "Fewer sign-ins ask for a second factor: the policy is {is} instead of {was}.", see: "api/management/v2/guardian/put-policies" },
    { path: factors, change: "true->false", when: { policy: "all-applications", ...noFactor }, level: "critical", code: "TNF-MFA-REQUIRED", text: "Nobody can sign in: the policy requires a second factor, and every factor is off.", see: "api/management/v2/guardian/put-policies" },
    { path: factors, change: "true->false", when: { policy: "confidence-score|all-applications" }, level: "high", code: "TNF-MFA-OFF", if: "people have enrolled only this factor", text: "People cannot give the second factor {factor}: they are locked out or enrol anew." },
    { path: factors, change: "true->false", level: "medium", code: "TNF-MFA-OFF", if: "people have enrolled only this factor", text: "People cannot give the second factor {factor}." },
    { path: factors, change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "People may give the second factor {factor}." },
    { path: "phone.**", change: "any", when: { "phone.enabled": "false" }, level: "none" },
    { path: "push.**", change: "any", when: { "push.enabled": "false" }, level: "none" },
    { path: "duo.**", change: "any", when: { "duo.enabled": "false" }, level: "none" },
    { path: "phone.message_types", change: "removed", level: "medium", code: "TNF-MFA-OFF", if: "people use it", text: "People get no code by {removed}." },
    { path: "phone.message_types", change: "added", level: "none" },
    { path: "phone.options.*_message", change: "loses {{code|@@code@@", level: "medium", code: "TNF-MFA-OFF", if: "people get their codes this way", text: "The message with the second factor has no code ({path})." },
    { path: "phone.options.*_message", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "people need what it said", text: "The message with the second factor says something else: read the difference of {path}." },
    { path: "phone.**|push.**|duo.**", change: "added", level: "none" },
    { path: "*.relying_party_identifier|*.override_relying_party", change: "any", level: "medium", code: "TNF-MFA-OFF", if: "people have enrolled security keys", text: "Security keys and devices that people enrolled stop working: {path} changes ({changes})." },
    { path: "phone.**|push.**|duo.**|webauthn_roaming.user_verification", change: "any", level: "medium", code: "TNF-MFA-OFF", if: "the provider of the factor does not know the new value", text: "The second factor {factor} stops working ({path} changes)." },
  ]),
];
