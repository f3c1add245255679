/** Titles and meanings of all codes, for services that show rules. docs/guides/findings.md has the same meanings. */
import type { Code } from "../impact/effect";

export interface Rule {
  readonly title: string;
  readonly meaning: string;
}

export const rules: Readonly<Record<Code, Rule>> = {
  "TNF-DUPLICATE": {
    title: "Two resources manage the same object",
    meaning:
      "Two resources manage the same object: a network ACL, a key or a policy with one id, or the members of one organization if a set is " +
      "exclusive.",
  },
  "TNF-ACL-LOCKOUT": {
    title: "The apply locks Terraform out",
    meaning:
      "After the apply, an ACL blocks or redirects a protected request, Terraform's token request, or more than half of the " +
      "requests to the Management API. The next apply could not undo that.",
  },
  "TNF-ACL-LOCKOUT-POSSIBLE": {
    title: "The apply may lock Terraform out",
    meaning: "An ACL may block a protected request, or more than half of the requests to the Management API.",
  },
  "TNF-GUARD-WEAKENED": {
    title: "The lock-out guard becomes weaker",
    meaning: "The change weakens the lock-out guard that checks it.",
  },
  "TNF-GUARD-UNKNOWN": {
    title: "The lock-out guard is not known",
    meaning: "The plan does not show a fact of a protected request, so the review cannot check that request.",
  },
  "TNF-ACL-WIDENED": {
    title: "An ACL allows more requests",
    meaning: "An ACL allows requests that were blocked or redirected.",
  },
  "TNF-ACL-OPENED": {
    title: "No ACL blocks these requests any more",
    meaning: "Requests that were blocked or redirected are allowed, because no ACL matches them any more.",
  },
  "TNF-ACL-TIGHTENED": {
    title: "An ACL blocks or redirects more requests",
    meaning: "Requests that were allowed are blocked or redirected, or requests that were redirected are blocked.",
  },
  "TNF-ACL-SHADOWED": {
    title: "An ACL can never match",
    meaning:
      "An ACL can never match. Other ACLs match all of its requests first, or its own criteria contradict each other.",
  },
  "TNF-ACL-NO-SUCH-CODE": {
    title: "A rule names a code that no request has",
    meaning: "A rule names a country or a region by a code that no request has, such as UK.",
  },
  "TNF-ACL-UNRECORDED": {
    title: "Requests are no longer logged",
    meaning:
      "Requests disappear from the log: an ACL with the action log logged them, and after the change certainly no ACL logs or blocks them.",
  },
  "TNF-ACL-RECORDED": {
    title: "Requests are newly logged",
    meaning: "Requests that no ACL logged or blocked are logged after the change. Logging changes no outcome.",
  },
  "TNF-ACL-REDIRECT": {
    title: "A redirect leads to another host",
    meaning: "A new redirect leads to a host that is neither the domain of the tenant nor named in hostnames.",
  },
  "TNF-ACL-SAME-PRIORITY": {
    title: "Two ACLs have the same priority",
    meaning:
      "Two ACLs, active or not, have the same priority. A tenant has one ACL for each priority, so it refuses the second one.",
  },
  "TNF-ACL-UNDECIDED": {
    title: "The review did not compare a pair of ACLs",
    meaning: "Comparing a pair of ACLs would take too long, so the outcome of their requests may change.",
  },
  "TNF-PROMOTION-UNPROVEN": {
    title: "A rule goes from log to block without evidence",
    meaning: "A network ACL changes from log to block or redirect, and no log shows which requests this affects.",
  },
  "TNF-PROMOTION-PROVEN": {
    title: "A rule goes from log to block, with evidence",
    meaning: "A network ACL changes from log to block or redirect, and a log shows which requests it matches.",
  },
  "TNF-EXPECTATION-BROKEN": {
    title: "An expectation is broken",
    meaning:
      "A request has another outcome than an expectation states, or a limit or the members of an organization do not match the expectation.",
  },
  "TNF-EXPECTATION-UNDECIDED": {
    title: "An expectation is not decided",
    meaning:
      "The review cannot decide whether an expectation is kept, because a value is not known, an object was not read, or the proof takes too long.",
  },
  "TNF-EXPECTATION-WEAKENED": {
    title: "An expectation becomes weaker",
    meaning: "The change removes or weakens an expectation of the base branch.",
  },
  "TNF-TRANSIENT-LOCKOUT": {
    title: "Access is missing for a moment",
    meaning:
      "While one object is missing for a moment, requests are blocked that are allowed before and after the apply, a limit is stricter, or " +
      "members lose access.",
  },
  "TNF-TRANSIENT-OPEN": {
    title: "A protection is missing for a moment",
    meaning:
      "While one object is missing for a moment, requests are allowed that are blocked or redirected before and after the apply, or a limit " +
      "is looser.",
  },
  "TNF-KEY-IN-USE": {
    title: "A rule still names a signature key that the plan destroys",
    meaning:
      "The plan destroys or replaces a signature key, and the rule of an ACL still names the key. A tenant refuses to delete a key that a " +
      "rule names, even if the ACL is inactive. So the apply fails.",
  },
  "TNF-KEY-ROTATED": {
    title: "The plan replaces a signature key that a rule names",
    meaning:
      "The plan replaces a signature key, and a rule names the new key. Requests that are signed with the old material stop matching.",
  },
  "TNF-KEY-CREATED": {
    title: "The plan creates a signature key",
    meaning: "The plan creates a signature key. Findings show names of keys and never their material.",
  },
  "TNF-LIMIT-LOCKOUT": {
    title: "A limit locks Terraform out",
    meaning:
      "A policy blocks or redirects every request of the client with which Terraform authenticates: its own policy, or default if it has none.",
  },
  "TNF-LIMIT-BLOCKED": {
    title: "A limit becomes 0",
    meaning: "A policy blocks every request of a consumer.",
  },
  "TNF-LIMIT-UNKNOWN": {
    title: "A limit is not known",
    meaning:
      "The callers or the limit of a policy are known only after the apply, so the limit may become lower or higher. Or the limit changes, and " +
      "the plan marks it as sensitive or does not show its old value.",
  },
  "TNF-LIMIT-REDIRECT": {
    title: "A policy redirects to another URI",
    meaning: "A policy redirects requests above its limit to a URI that it did not use before.",
  },
  "TNF-LIMIT-TIGHTENED": {
    title: "A limit becomes lower",
    meaning: "A policy allows fewer requests of a consumer.",
  },
  "TNF-LIMIT-LOOSENED": {
    title: "A limit becomes higher",
    meaning: "A policy allows more requests of a consumer.",
  },
  "TNF-LIMIT-LOGGED": {
    title: "A policy logs other requests",
    meaning: "A policy with the action log counts from another number of requests. Logging limits nobody.",
  },
  "TNF-MEMBERS-EMPTIED": {
    title: "An organization loses all members",
    meaning: "According to the plans, the organization has no members after the apply.",
  },
  "TNF-MEMBERS-MANY": {
    title: "An organization loses many members",
    meaning: "An organization loses more than ten members, or more than a quarter of its members.",
  },
  "TNF-MEMBERS-REMOVED": {
    title: "An organization loses members",
    meaning: "An organization loses members.",
  },
  "TNF-MEMBERS-UNKNOWN": {
    title: "Members may lose access",
    meaning: "Members may lose access, and their names or number are known only after the apply.",
  },
  "TNF-MEMBERS-ADDED": {
    title: "Members gain access",
    meaning: "Members gain access to an organization.",
  },
  "TNF-OVERDUE": {
    title: "An end has passed, and the plan ignores it",
    meaning: "The time in expires_at or until has passed, and the ACL or member stays in force after the plan.",
  },
  "TNF-EXPIRED": {
    title: "An ACL or member expires",
    meaning: "The time in expires_at or until has passed, so the plan switches the ACL off or removes the member.",
  },
  "TNF-EXPIRES-SOON": {
    title: "An ACL or member expires soon",
    meaning:
      "The time in expires_at or until comes within 14 days. The first plan after this time ends the ACL or the membership.",
  },
  "TNF-REPLACED": {
    title: "Terraform replaces an object",
    meaning: "Terraform destroys an object and creates it again with another id.",
  },
  "TNF-RENAMED": {
    title: "Terraform would destroy an object and create the same one",
    meaning:
      "Terraform would destroy an object and create the same one under another address. If the resource was only renamed, it needs a moved block.",
  },
  "TNF-DESTROYED": { title: "Terraform destroys an object", meaning: "Terraform destroys an object." },
  "TNF-FORGOTTEN": {
    title: "Terraform no longer manages an object",
    meaning: "Terraform no longer manages an object, which stays unchanged on the tenant.",
  },
  "TNF-DRIFT": {
    title: "Somebody changed an object outside Terraform",
    meaning:
      "Somebody changed an object outside Terraform since the last apply. The finding says whether the apply undoes this change.",
  },
  "TNF-IMPORTED": {
    title: "Terraform imports an object",
    meaning: "Terraform starts to manage an existing object of the tenant.",
  },
  "TNF-MOVED": {
    title: "An object gets another address",
    meaning: "An object gets another address and stays unchanged.",
  },
  "TNF-EARLY-ACCESS": {
    title: "The plan uses Early Access features",
    meaning:
      "The plan uses features that the service offers as Early Access. The service may change them, and enables them tenant by tenant.",
  },
  "TNF-INCOMPLETE": {
    title: "The plan is incomplete",
    meaning:
      "The plan does not show every change: it was created with -target, ended with an error, or defers changes. The review proves nothing.",
  },
  "TNF-PLAN-OUTDATED": {
    title: "The configuration changed after the plan was made",
    meaning:
      "A configuration file next to the saved plan is not the one that was planned. An apply of the new configuration may do something else, " +
      "so the review proves nothing.",
  },
  "TNF-STACK-UNPLANNED": {
    title: "A stack has no plan",
    meaning:
      "The manifest of cdktf.out lists a stack that may have objects of the tenant, but the folder of that stack has no plan. The review " +
      "did not check this stack, so it proves nothing.",
  },
  "TNF-TENANT-UNKNOWN": {
    title: "The tenant is not known for certain",
    meaning: "The plans do not identify the tenant for certain, so the review proves nothing.",
  },
};
