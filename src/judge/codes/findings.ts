/** The codes of effects. docs/guides/effects.md explains each. */
import type { Rows } from "./row";

/** Of objects of the auth0 provider. */
export const auth0Findings = {
  "TNF-USERS-DELETED": {
    level: "critical",
    title: "A connection is deleted with its users",
    remedy:
      "Keep the connection: undo the change of name or strategy, or write a `moved` block if you renamed the " +
      "resource. `display_name` may change.",
  },
  "TNF-CONNECTION-CLOSED": {
    level: "high",
    title: "People cannot sign in through a connection",
    remedy: "List the application or organization again, or tell its people before you apply.",
  },
  "TNF-APP-LOCKOUT": {
    level: "critical",
    title: "Terraform loses its own application",
    remedy: "Before you apply, put the client ID of another application into the provider block.",
  },
  "TNF-APP-STOPS": {
    level: "high",
    title: "An application stops, or refuses people",
    remedy: "Keep the old setting until every deployed copy of the application works with the new one.",
  },
  "TNF-APP-OPENED": { level: "medium", title: "An application or a connection is open for more people" },
  "TNF-CALLBACK-REMOVED": {
    level: "high",
    title: "A URL of an application is removed",
    remedy: "Keep the URL until no deployed copy of the application uses it.",
  },
  "TNF-CREDENTIAL-CHANGED": {
    level: "high",
    title: "An application must authenticate with something else",
    remedy: "Give every deployed copy the new secret or key in the same minute, or add a second key first.",
  },
  "TNF-SIGN-IN-CHANGED": { level: "low", title: "Sign-in asks or shows something else" },
  "TNF-ORGANIZATION-DELETED": {
    level: "high",
    title: "An organization is deleted",
    remedy: "Keep the organization, or move its people to another organization first.",
  },
  "TNF-API-DELETED": {
    level: "high",
    title: "An API is deleted",
    remedy: "Create the new API beside the old one, move the applications, and delete the old one last.",
  },
  "TNF-PERMISSION-REMOVED": {
    level: "medium",
    title: "Somebody loses permissions",
    remedy: "Check that nobody needs the permission any more. Issued tokens keep it until they expire.",
  },
  "TNF-PERMISSION-ADDED": { level: "medium", title: "Somebody gains permissions" },
  "TNF-PROTECTION-OFF": {
    level: "high",
    title: "A protection is weaker or off",
    remedy:
      "To stop managing the settings, write a `removed` block with `destroy = false` instead of deleting the resource.",
  },
  "TNF-MFA-OFF": {
    level: "high",
    title: "A second factor is off",
    remedy: "Keep the factor until its people have enrolled another one.",
  },
  "TNF-MFA-REQUIRED": { level: "medium", title: "Sign-ins ask for a second factor" },
  "TNF-TOKEN-CHANGED": {
    level: "high",
    title: "Tokens change",
    remedy: "Let the APIs and applications accept both forms first.",
  },
  "TNF-SESSION-SHORTER": { level: "medium", title: "People sign in again sooner" },
  "TNF-DOMAIN-GONE": {
    level: "critical",
    title: "A custom domain stops answering",
    remedy: "Add the new domain beside the old one, and delete the old one when nobody uses it.",
  },
  "TNF-ACTION-UNBOUND": {
    level: "high",
    title: "An action no longer runs",
    remedy: "Read what the action does before you unbind it.",
  },
  "TNF-ACTION-CHANGED": { level: "medium", title: "What an action does changes" },
  "TNF-MAIL-OFF": {
    level: "high",
    title: "Messages may not reach people",
    remedy: "Send a test message with the new settings first.",
  },
  "TNF-SYNC-OFF": { level: "medium", title: "Logs, events or users are no longer passed on" },
  "TNF-TENANT-CHANGED": { level: "medium", title: "A setting changes for the whole tenant" },
  "TNF-USER-CHANGED": { level: "medium", title: "A user or a profile changes" },
  "TNF-READ-CHANGED": {
    level: "medium",
    title: "What an application or an action reads changes",
    remedy: "Look for the old value in your actions and applications, and let them accept both values first.",
  },
  "TNF-KEY-DELETED": {
    level: "high",
    title: "A key of the tenant is deleted or rotates",
    remedy: "Give partners the new key first.",
  },
  "TNF-CHANGE-UNKNOWN": {
    level: "medium",
    title: "A change is not known, or is sensitive",
    remedy: "Give the value as text or as a variable, or apply the resource on which it depends first.",
  },
  "TNF-NOT-REVIEWED": { level: "info", title: "Changed, and not judged" },
  "TNF-RULES-CHANGED": {
    level: "high",
    title: "The change lowers its own review",
    remedy:
      "Read both texts. If the row is right, merge it in a pull request of its own; then it is a row of the base " +
      "branch. Without a base branch, give the file by `--rules FILE` if the author of the change cannot write " +
      "it.",
  },
  "TNF-OWN-RULE": { level: "medium", title: "A row of your own fits a change" },
} as const satisfies Rows;

export const findings = {
  // Requests, the lock-out guard and expectations
  "TNF-ACL-LOCKOUT": { level: "critical", title: "The apply locks Terraform out" },
  "TNF-ACL-LOCKOUT-POSSIBLE": { level: "medium", title: "The apply may lock Terraform out" },
  "TNF-GUARD-WEAKENED": { level: "high", title: "The lock-out guard becomes weaker" },
  "TNF-GUARD-UNKNOWN": { level: "medium", title: "The lock-out guard is not known" },
  "TNF-ACL-WIDENED": { level: "high", title: "An ACL allows more requests" },
  "TNF-ACL-OPENED": { level: "high", title: "No ACL blocks these requests any more" },
  "TNF-ACL-TIGHTENED": { level: "medium", title: "An ACL blocks or redirects more requests" },
  "TNF-ACL-SHADOWED": { level: "medium", title: "An ACL can never match" },
  "TNF-ACL-NO-SUCH-CODE": { level: "medium", title: "A rule names a code that no request has" },
  "TNF-ACL-UNRECORDED": { level: "medium", title: "Requests are no longer logged" },
  "TNF-ACL-RECORDED": { level: "info", title: "Requests are newly logged" },
  "TNF-ACL-REDIRECT": { level: "medium", title: "A redirect leads to another host" },
  "TNF-ACL-SAME-PRIORITY": {
    level: "high",
    title: "Two ACLs have the same priority",
    message: "Two ACLs with the same priority",
  },
  "TNF-ACL-MANY": {
    level: "info",
    title: "More ACLs than an Auth0 subscription includes",
    message: "More network ACLs than an Auth0 subscription includes",
  },
  "TNF-ACL-UNDECIDED": { level: "high", title: "The review did not compare every request" },
  "TNF-EXPECTATION-BROKEN": { level: "high", title: "An expectation is broken", message: "Expectation … is broken" },
  "TNF-EXPECTATION-UNDECIDED": {
    level: "medium",
    title: "An expectation is undecided",
    message: "Expectation … is undecided",
  },
  "TNF-EXPECTATION-WEAKENED": { level: "high", title: "An expectation is removed or changed" },

  // Keys, limits, members and plans
  "TNF-KEY-IN-USE": {
    level: "high",
    title: "A rule still names a signature key that the plan destroys",
    message: "A network ACL key in use would be destroyed",
  },
  "TNF-UNKNOWN-KEY": {
    level: "medium",
    title: "A rule names a key that the tenant does not have",
    message: "A key that the tenant does not have",
  },
  "TNF-TOO-MANY-KEYS": { level: "high", title: "More keys than a tenant may have" },
  "TNF-KEY-ROTATED": { level: "medium", title: "The plan replaces a signature key that a rule names" },
  "TNF-KEY-CREATED": { level: "info", title: "The plan creates a signature key" },
  "TNF-LIMIT-LOCKOUT": { level: "critical", title: "A limit locks Terraform out" },
  "TNF-LIMIT-BLOCKED": { level: "high", title: "A limit becomes 0" },
  "TNF-LIMIT-UNKNOWN": { level: "high", title: "A limit is not known" },
  "TNF-LIMIT-REDIRECT": { level: "medium", title: "A policy redirects to another URI" },
  "TNF-LIMIT-TIGHTENED": { level: "low", title: "A limit becomes lower" },
  "TNF-LIMIT-LOOSENED": { level: "low", title: "A limit becomes higher" },
  "TNF-LIMIT-LOGGED": { level: "info", title: "A policy logs other requests" },
  "TNF-MEMBERS-EMPTIED": {
    level: "critical",
    title: "An organization loses all members",
    message: "An organization would lose all members",
  },
  "TNF-MEMBERS-MANY": { level: "high", title: "An organization loses many members" },
  "TNF-MEMBERS-REMOVED": { level: "low", title: "An organization loses members" },
  "TNF-OTHER-MEMBERS": { level: "high", title: "The organization has other members" },
  "TNF-MEMBERS-UNKNOWN": { level: "high", title: "Members may lose access" },
  "TNF-MEMBERS-ADDED": { level: "low", title: "Members gain access" },
  "TNF-DUPLICATE": {
    level: "critical",
    title: "Two resources manage the same object",
    message: "Two resources for one …",
  },
  "TNF-REPLACED": { level: "low", title: "Terraform replaces an object" },
  "TNF-RENAMED": {
    level: "medium",
    title: "Terraform would destroy an object and create the same one",
    message: "The … would be destroyed and created again",
  },
  "TNF-APPLY-MAY-FAIL": { level: "high", title: "The apply may fail halfway" },
  "TNF-DESTROYED": { level: "low", title: "Terraform destroys an object" },
  "TNF-FORGOTTEN": { level: "low", title: "Terraform no longer manages an object" },
  "TNF-DRIFT": { level: "medium", title: "Somebody changed an object outside Terraform" },
  "TNF-IMPORTED": { level: "info", title: "Terraform imports an object" },
  "TNF-MOVED": { level: "info", title: "An object gets another address" },
  "TNF-EARLY-ACCESS": {
    level: "info",
    title: "The plan uses Early Access features",
    message: "Early Access",
    remedy: "If you use them on purpose, set `hide_early_access_warning = true` in the provider block.",
  },
  "TNF-INCOMPLETE": { level: "low", title: "The plan is incomplete" },
  "TNF-PLAN-FAILED": { level: "critical", title: "The plan failed" },
  "TNF-STACK-UNPLANNED": { level: "medium", title: "A stack has no plan" },
  "TNF-TENANT-UNKNOWN": { level: "low", title: "The tenant is not known for certain" },
  "TNF-POLICY-SAME-CALLERS": { level: "high", title: "Two policies for the same applications" },
  "TNF-KEY-SAME-NAME": { level: "high", title: "Two keys with the same name" },

  ...auth0Findings,
} as const satisfies Rows;
