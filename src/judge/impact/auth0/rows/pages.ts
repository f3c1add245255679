/** Pages and messages: what people see, and what they sign in with. */
import { rowsOf, type Row } from "../row";

const ownPagesOff = { "login.enabled": "false", "change_password.enabled": "false", "guardian_mfa.enabled": "false" };

// A row is one line, so that the files read as tables.
// prettier-ignore
export const pages: readonly Row[] = [
  ...rowsOf("auth0_pages", [
    { change: "destroy", when: { ...ownPagesOff, "error.html": "false", "error.url": "false", "error.show_log_link": "false" }, level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: your own pages for sign-in, reset, second factors and errors are switched off already." },
    { change: "destroy", when: ownPagesOff, level: "low", code: "TNF-SIGN-IN-CHANGED", if: "people need what your page says", text: "People see the page of Auth0 after an error. Your own pages for sign-in, reset and second factors are switched off already." },
    { change: "destroy", level: "medium", code: "TNF-SIGN-IN-CHANGED", text: "Your own pages for sign-in, reset and second factors are switched off." },
    { path: "login.html", change: "any", when: { "login.enabled": "[false]" }, level: "none" },
    { path: "change_password.html", change: "any", when: { "change_password.enabled": "[false]" }, level: "none" },
    { path: "guardian_mfa.html", change: "any", when: { "guardian_mfa.enabled": "[false]" }, level: "none" },
    { path: "login.html|change_password.html|guardian_mfa.html", change: "removed", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "applications use this page", text: "People see an empty page in place of yours: {path} is emptied." },
    { path: "*.html", change: "loads", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "the host is not yours", text: "{path} loads code from a new host, or what people type goes there: read the difference." },
    { path: "login.html", change: "loses Auth0Lock|WebAuth|auth0-js|auth0.min.js", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "applications use this page and no script brings the widget", text: "People cannot sign in on your own page: {path} has neither the sign-in widget nor the library of Auth0." },
    { path: "change_password.html|guardian_mfa.html", change: "loses Auth0ChangePassword|auth0-guardian|Auth0MFAWidget|mfa-widget|{{ticket|{{csrf_token|{{postActionURL", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "people use this page and no script brings the widget", text: "People cannot set a password or give a second factor on your own page: {path} has neither the widget of Auth0 nor its ticket." },
    { path: "login.html|change_password.html|guardian_mfa.html", change: "any", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "the page misses what people need", text: "The page on which people sign in, set a password or give a second factor changes: read the difference of {path}." },
    { path: "error.**", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "people need what it says", text: "The page that people see after an error changes ({path})." },
    { path: "*.enabled", change: "any", level: "medium", code: "TNF-SIGN-IN-CHANGED", text: "Whether people see your own page changes: {path} ({changes})." },
  ]),
  ...rowsOf("auth0_branding", [
    { change: "destroy", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "the tenant has a custom domain", text: "Deletes your page template of Universal Login." },
    { path: "universal_login.body", change: "loses auth0:widget", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "Auth0 accepts the template", text: "People cannot sign in: the page template of Universal Login has no widget ({path})." },
    { path: "universal_login.body", change: "loses auth0:head", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "Auth0 accepts the template", text: "People cannot sign in: the page template of Universal Login does not load the widget ({path})." },
    { path: "universal_login.body", change: "loads", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "the host is not yours", text: "{path} loads code from a new host, or what people type goes there: read the difference." },
    { path: "universal_login.body", change: "any", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "the page misses what people need", text: "The page on which people sign in changes: read the difference of {path}." },
    { path: "font.url", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "the style sheet hides a part of the page", text: "The sign-in page takes its font from {is} instead of {was}." },
  ]),
  ...rowsOf("auth0_prompt", [
    { change: "destroy", level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the provider only forgets the settings of the prompts." },
    { path: "identifier_first|webauthn_platform_first_factor|universal_login_experience", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "People sign in on other pages: {attribute} changes ({changes})." },
  ]),
  ...rowsOf("auth0_branding_theme", [
    { path: "fonts.font_url", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "the style sheet hides a part of the page", text: "The sign-in page takes its font from {is} instead of {was}." },
    { path: "identifiers.**", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "The sign-in page asks for the name of people in another way: {path} changes ({changes})." },
  ]),
  ...["auth0_prompt_partials", "auth0_prompt_screen_partial", "auth0_prompt_screen_partials"].flatMap((type) => rowsOf(type, [
    { change: "destroy", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "people or an action need what it asks for", text: "Your own fields and code on the pages {screen} are gone." },
    { path: "form_*|secondary_actions_*|insertion_points.**|screen_partials.**", change: "loads", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "the host is not yours", text: "{path} loads code from a new host, or what people type goes there: read the difference." },
    { path: "form_*|secondary_actions_*|insertion_points.**|screen_partials.**", change: "removed", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "people or an action need what it asks for", text: "Your own fields and code on the pages {screen} are gone ({path})." },
    { path: "form_*|secondary_actions_*|insertion_points.**|screen_partials.**", change: "any", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "people or an action need what it asks for", text: "Your own fields and code on the pages {screen} change: read the difference of {path}." },
  ])),
  ...rowsOf("auth0_prompt_screen_renderer", [
    { change: "destroy", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "the screen is your own", text: "The screen {screen} is that of Auth0 again." },
    { path: "rendering_mode|use_page_template|default_head_tags_disabled", change: "any", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "the screen misses what people need", text: "People sign in on another screen: {attribute} of {screen} changes ({changes})." },
    { path: "head_tags", change: "any", level: "high", code: "TNF-SIGN-IN-CHANGED", if: "the screen loads other code", text: "The code of the screen {screen} comes from elsewhere: read the difference of {path}." },
    { path: "context_configuration|filters.**", change: "any", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "the screen needs it", text: "What the screen {screen} reads, or who sees it, changes ({path})." },
  ]),
  ...["auth0_prompt_custom_text", "auth0_self_service_profile_custom_text"].flatMap((type) => rowsOf(type, [
    { change: "destroy", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "people need what your texts say", text: "The pages {screen} have the texts of Auth0 again." },
    { path: "body", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", if: "people need what the old texts say", text: "Your texts on the pages {screen} change: read the difference of {path}." },
  ])),
  ...rowsOf("auth0_email_template", [
    { change: "destroy", when: { enabled: "[false]" }, level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the mail {template} is switched off already." },
    { change: "destroy", level: "medium", code: "TNF-MAIL-OFF", text: "The mail {template} is not sent any more in your words: the template is switched off." },
    { path: "enabled", change: "true->false", level: "medium", code: "TNF-MAIL-OFF", text: "The mail {template} is not sent any more in your words: the template is switched off." },
    { path: "enabled", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "Auth0 sends the mail {template} with your text from now on: read the text." },
    { path: "**", change: "any", when: { enabled: "[false]" }, level: "none" },
    { path: "body", change: "loses {{url|{{link|@@url@@", when: { template: "verify_email|reset_email|user_invitation|blocked_account|stolen_credentials|enrollment_email|change_password|password_reset" }, level: "medium", code: "TNF-MAIL-OFF", if: "people rely on the mail", text: "The mail {template} has no link, so people cannot do what it asks ({path})." },
    { path: "body", change: "loses {{code|@@code@@", when: { template: "*_by_code|mfa_oob_code" }, level: "medium", code: "TNF-MAIL-OFF", if: "people rely on the mail", text: "The mail {template} has no code, so people cannot do what it asks ({path})." },
    { path: "body", change: "removed", level: "medium", code: "TNF-MAIL-OFF", if: "people rely on the mail", text: "The mail {template} is empty." },
    { path: "body|result_url", change: "leads", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "somebody else controls the host", text: "The mail {template} leads people to a host that it did not name before: read the difference of {path}." },
    { path: "body", change: "any", level: "low", code: "TNF-MAIL-OFF", if: "people need what it said", text: "The mail {template} says something else: read the difference of {path}." },
    { path: "from|result_url|url_lifetime_in_seconds|include_email_in_redirect|syntax", change: "any", level: "low", code: "TNF-MAIL-OFF", if: "people rely on it", text: "The mail {template} changes: {attribute} ({changes})." },
  ]),
  ...["auth0_phone_notification_template", "auth0_branding_phone_notification_template"].flatMap((type) => rowsOf(type, [
    { change: "destroy", when: { disabled: "true" }, level: "info", code: "TNF-FORGOTTEN", text: "Nothing changes at Auth0: the message {template} by text or call is switched off already." },
    { change: "destroy", level: "medium", code: "TNF-MAIL-OFF", text: "The message {template} by text or call is not sent any more in your words." },
    { path: "disabled", change: "false->true", level: "medium", code: "TNF-MAIL-OFF", text: "The message {template} by text or call is not sent any more." },
    { path: "disabled", change: "any", level: "low", code: "TNF-SIGN-IN-CHANGED", text: "Auth0 sends the message {template} with your text from now on: read the text." },
    { path: "content.**", change: "any", when: { disabled: "true" }, level: "none" },
    { path: "content.body.*", change: "loses {{code|@@password@@|@@code@@", when: { type: "otp_*|change_password" }, level: "medium", code: "TNF-MAIL-OFF", if: "people rely on the message", text: "The message {template} by text or call has no code ({path})." },
    { path: "content.body.*", change: "leads", level: "medium", code: "TNF-SIGN-IN-CHANGED", if: "somebody else controls the host", text: "The message {template} by text or call leads people to a host that it did not name before: read the difference of {path}." },
    { path: "content.**", change: "any", level: "low", code: "TNF-MAIL-OFF", if: "people need what it said, or the sender is not allowed", text: "The message {template} by text or call changes: read the difference of {path}." },
  ])),
];
