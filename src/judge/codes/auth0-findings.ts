/** Findings about other objects of the provider auth0/auth0. The table in impact/auth0 says which change has which. */
import type { Rows } from "./row";

export const auth0Findings = {
  "TNF-USERS-DELETED": {
    level: "critical",
    title: "A connection is deleted with its users",
    text: [
      "The plan deletes a database connection, or replaces it because its name or strategy changes. Auth0 deletes " +
        "all users of the connection, and it cannot be undone. The level is high if people may only get new user IDs.",
      'Example: `name` of an `auth0_connection` changes from "Users" to "Customers". The plan says "1 to add, 1 to ' +
        'destroy".',
    ],
    remedy:
      "Keep the connection: undo the change of name or strategy, or write a `moved` block if you renamed the resource. `display_name` may change.",
  },
  "TNF-CONNECTION-CLOSED": {
    level: "high",
    title: "People cannot sign in through a connection",
    text: [
      "A connection is deleted, closed for an application or an organization, or asks another identity provider. " +
        "The effect names the application, the organization, the method or the domain.",
      "Example: `enabled_clients` of an `auth0_connection_clients` no longer lists the client ID of your shop.",
    ],
    remedy: "List the application or organization again, or tell its people before you apply.",
  },
  "TNF-APP-LOCKOUT": {
    level: "critical",
    title: "Terraform loses its own application",
    text: [
      "The plan removes the application with which Terraform authenticates, or its credentials, its grant type `client_credentials` or its grant " +
        "for the Management API, so Terraform cannot undo the change with this application. The review knows the application only by `client_id` in a " +
        "provider block: a constant or a Terraform variable.",
      "Example: a plan destroys the `auth0_client` whose client ID is in the block of `auth0`.",
    ],
    remedy: "Before you apply, put the client ID of another application into the provider block.",
  },
  "TNF-APP-STOPS": {
    level: "high",
    title: "An application stops, or refuses people",
    text: [
      "An application is deleted, gets a new client ID, or loses what it needs for sign-ins and tokens: a grant type, a type, a setting for " +
        "organizations.",
      'Example: `grant_types` of an `auth0_client` no longer has "authorization_code".',
    ],
    remedy: "Keep the old setting until every deployed copy of the application works with the new one.",
  },
  "TNF-APP-OPENED": {
    level: "medium",
    title: "An application or a connection is open for more people",
    text: [
      "An application accepts more people or more ways to get tokens, or a connection is open for another application or organization.",
      'Example: `organization_usage` of an `auth0_client` changes from "require" to "allow".',
    ],
  },
  "TNF-CALLBACK-REMOVED": {
    level: "high",
    title: "A URL of an application is removed",
    text: [
      "Auth0 sends people back only to listed URLs. A sign-in, a sign-out or a call that still uses the removed URL fails. Without any callback URL, the " +
        "level is critical; for URLs of sign-outs, it is low.",
      "Example: `callbacks` of an `auth0_client` no longer has the URL of the old shop.",
    ],
    remedy: "Keep the URL until no deployed copy of the application uses it.",
  },
  "TNF-CREDENTIAL-CHANGED": {
    level: "high",
    title: "An application must authenticate with something else",
    text: [
      "An application authenticates with another secret, key or method. The old one stops working at once. The " +
        "effect never shows a secret.",
      "Example: `client_secret_wo_version` of an `auth0_client_credentials` changes from 1 to 2.",
    ],
    remedy: "Give every deployed copy the new secret or key in the same minute, or add a second key first.",
  },
  "TNF-SIGN-IN-CHANGED": {
    level: "low",
    title: "Sign-in asks or shows something else",
    text: [
      "People see another page, are asked for something else, or are led to another place at sign-in, sign-up or sign-out. If a page loses what people sign in " +
        "with, or names a host for its code or its forms that it did not name before, the level is high.",
      "Example: `login.html` of `auth0_pages` is emptied.",
    ],
  },
  "TNF-ORGANIZATION-DELETED": {
    level: "high",
    title: "An organization is deleted",
    text: [
      "Sign-ins to the organization stop, and its memberships, invitations and connections are lost. The users " +
        "stay. With `--tenant`, the effect counts the members.",
    ],
    remedy: "Keep the organization, or move its people to another organization first.",
  },
  "TNF-API-DELETED": {
    level: "high",
    title: "An API is deleted",
    text: [
      "The plan deletes an API, or replaces it because its identifier changes. Nobody gets a token for the " +
        "API, and what names it, such as a grant, is lost.",
    ],
    remedy: "Create the new API beside the old one, move the applications, and delete the old one last.",
  },
  "TNF-PERMISSION-REMOVED": {
    level: "medium",
    title: "Somebody loses permissions",
    text: [
      "A role, a user or an application loses permissions, scopes or access to an API. If applications or everybody with a role lose access, the level is high.",
      "Example: `scopes` of an `auth0_client_grant` no longer has `read:orders`.",
    ],
    remedy: "Check that nobody needs the permission any more. Issued tokens keep it until they expire.",
  },
  "TNF-PERMISSION-ADDED": {
    level: "medium",
    title: "Somebody gains permissions",
    text: [
      "A role, a user or an application gains permissions, scopes or access to an API. If an application may get everything, the level is high.",
      "Example: `allow_all_scopes` of an `auth0_client_grant` becomes true.",
    ],
  },
  "TNF-PROTECTION-OFF": {
    level: "high",
    title: "A protection is weaker or off",
    text: [
      "A protection against attacks is switched off or weaker: guessed or leaked passwords, bots, stolen tokens. `terraform destroy` of an " +
        "`auth0_attack_protection` switches protection off.",
      "Example: `enabled` of `brute_force_protection` becomes false.",
    ],
    remedy:
      "To stop managing the settings, write a `removed` block with `destroy = false` instead of deleting the resource.",
  },
  "TNF-MFA-OFF": {
    level: "high",
    title: "A second factor is off",
    text: [
      "Sign-ins ask fewer people for a second factor, or people cannot give the one that they enrolled.",
      'Example: `policy` of an `auth0_guardian` changes from "all-applications" to "never".',
    ],
    remedy: "Keep the factor until its people have enrolled another one.",
  },
  "TNF-MFA-REQUIRED": {
    level: "medium",
    title: "Sign-ins ask for a second factor",
    text: [
      "More people must enrol and give a second factor at their next sign-in. If no factor is on, nobody can sign in, and the level is critical.",
      'Example: `policy` of an `auth0_guardian` changes from "never" to "all-applications".',
    ],
  },
  "TNF-TOKEN-CHANGED": {
    level: "high",
    title: "Tokens change",
    text: [
      "Tokens are signed in another way, hold other claims or expire at another time. APIs and applications " +
        "that expect the old form refuse them. If only the time changes, the level is low.",
      "Example: `signing_alg` of an `auth0_resource_server` changes from RS256 to HS256.",
    ],
    remedy: "Let the APIs and applications accept both forms first.",
  },
  "TNF-SESSION-SHORTER": {
    level: "medium",
    title: "People sign in again sooner",
    text: [
      "Sessions or refresh tokens expire sooner than before. Auth0 does not document whether existing ones " +
        "expire sooner too.",
      "Example: `idle_session_lifetime` of an `auth0_tenant` changes from 72 to 1.",
    ],
  },
  "TNF-DOMAIN-GONE": {
    level: "critical",
    title: "A custom domain stops answering",
    text: [
      "The plan deletes a custom domain, or replaces it because `domain` or `type` changes. Applications, links " +
        "and token issuers that use it break, and passkeys that are bound to it are lost.",
    ],
    remedy: "Add the new domain beside the old one, and delete the old one when nobody uses it.",
  },
  "TNF-ACTION-UNBOUND": {
    level: "high",
    title: "An action no longer runs",
    text: [
      "A trigger no longer runs an action, a rule or a hook. What it denied is allowed, and what it added is missing. The level is medium if the trigger is " +
        'not "post-login" or "credentials-exchange". A new `auth0_trigger_actions` replaces all actions of its trigger.',
      "Example: `actions` of an `auth0_trigger_actions` no longer lists the action that demands a second factor.",
    ],
    remedy: "Read what the action does before you unbind it.",
  },
  "TNF-ACTION-CHANGED": {
    level: "medium",
    title: "What an action does changes",
    text: ["The code, the secrets or the order of actions, rules or hooks changes. The review does not read code."],
  },
  "TNF-MAIL-OFF": {
    level: "high",
    title: "Messages may not reach people",
    text: ["Mail, text messages or calls with codes, verifications or resets are not sent, or sent in another way."],
    remedy: "Send a test message with the new settings first.",
  },
  "TNF-SYNC-OFF": {
    level: "medium",
    title: "Logs, events or users are no longer passed on",
    text: ["A log stream, an event stream or the synchronization of users ends or changes."],
  },
  "TNF-TENANT-CHANGED": {
    level: "medium",
    title: "A setting changes for the whole tenant",
    text: [
      "A setting of the tenant changes for all applications. If anybody may register applications, or a default of sign-ins goes, the level is high.",
      "Example: `enable_dynamic_client_registration` becomes true.",
    ],
  },
  "TNF-USER-CHANGED": {
    level: "medium",
    title: "A user or a profile changes",
    text: [
      "A user is deleted or blocked, or signs in in another way. If profiles are filled in another way, the " +
        "level is low.",
    ],
  },
  "TNF-READ-CHANGED": {
    level: "medium",
    title: "What an application or an action reads changes",
    text: [
      "A name or metadata changes, and an application or an action that reads the value may behave " +
        "differently. A value that is only added has the level low.",
      "Example: a role is renamed from `admin` to `administrator`, and an action looks for `admin`.",
    ],
    remedy: "Look for the old value in your actions and applications, and let them accept both values first.",
  },
  "TNF-KEY-DELETED": {
    level: "high",
    title: "A key of the tenant is deleted or rotates",
    text: [
      "The root key of the tenant is deleted or changes, or a signing key of a connection rotates, which has the level medium.",
      "Example: you remove `customer_provided_root_key` of an `auth0_encryption_key_manager`.",
    ],
    remedy: "Give partners the new key first.",
  },
  "TNF-CHANGE-UNKNOWN": {
    level: "medium",
    title: "A change is not known, or is sensitive",
    text: [
      "A value is known only after the apply, or the plan marks it as sensitive, so the review cannot say what people lose. The level is that of the worst effect " +
        "that a value could have, but at most high. What a list may lose has an effect of its own, which is possible.",
      "Example: `callbacks` of an `auth0_client` names an output of a resource that the plan creates.",
    ],
    remedy: "Give the value as text or as a variable, or apply the resource on which it depends first.",
  },
  "TNF-NOT-REVIEWED": {
    level: "info",
    title: "Changed, and not judged",
    text: [
      "The plan changes an object or an attribute that this version does not know, so the review cannot say what " +
        "it does to people. If the object is destroyed or replaced, the level is medium. A [row of your " +
        "own](auth0.md#rows-of-your-own) can say what the change does.",
    ],
  },
  "TNF-RULES-CHANGED": {
    level: "high",
    title: "The change lowers its own review",
    text: [
      "The file `.tenantform/rules.json` of the branch under review differs from that of the base branch, and " +
        "the effect has both texts. The rows of the base branch decide, and a row that only the branch has can " +
        "add an effect or make one worse, but not lower one. Without `--base`, the effect names each row that " +
        "would have lowered an effect of this review.",
    ],
    remedy:
      "Read both texts. If the row is right, merge it in a pull request of its own; then it is a row of the base branch. Without a base branch, give the file by " +
      "`--rules FILE` if the author of the change cannot write it.",
  },
  "TNF-OWN-RULE": {
    level: "medium",
    title: "A row of your own fits a change",
    text: [
      "A row of `--rules FILE` or `.tenantform/rules.json` fits a change of the plan. The row has its level and " +
        "its text: see [rows of your own](auth0.md#rows-of-your-own).",
    ],
  },
} as const satisfies Rows;
