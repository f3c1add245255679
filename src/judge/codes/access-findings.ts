/** Findings about requests: network ACLs, the lock-out guard and expectations. */
import type { Rows } from "./row";

export const accessFindings = {
  "TNF-ACL-LOCKOUT": {
    level: "critical",
    title: "The apply locks Terraform out",
    text: [
      "After the apply, an ACL blocks or redirects a request of `protected_request`, Terraform's token request, or " +
        "more than half of the requests to the Management API, so that the next apply could not undo it. Add an ACL " +
        "that allows the machine and is evaluated first, and name the machine in `protected_request`. A lock-out " +
        "that existed before counts only if the plan changes one of the ACLs that block. " +
        "[Lock-outs](review.md#lock-outs-and-expectations) describes how the review counts.",
      "With an `access_token`, Terraform requests no token, so the provider does not judge the token request. The " +
        "review does not see environment variables: it assumes that Terraform requests a token unless the provider " +
        "block sets `access_token`.",
      "Example: an ACL blocks `0.0.0.0/0` and `::/0` in scope `tenant`.",
    ],
  },
  "TNF-ACL-LOCKOUT-POSSIBLE": {
    level: "medium",
    title: "The apply may lock Terraform out",
    text: [
      "Whether an ACL blocks a request of `protected_request`, or more than half of the requests to the Management " +
        "API, depends on an attribute or a value that the plan does not show. The effect also appears if ACLs " +
        "already block most requests to the Management API, and the plan changes other ACLs.",
      "Example: the protected request names an `ip`, and the ACL blocks an AS number. Add the AS number to the " +
        "request, or allow the address in an ACL that is evaluated first.",
    ],
  },
  "TNF-GUARD-WEAKENED": {
    level: "high",
    title: "The lock-out guard becomes weaker",
    text: [
      "With `--base FOLDER`, `lockout_guard` is weaker than on the base branch, or a protected request of it is " +
        "missing from the plan or has another path or other attributes. The review checks the plan against both " +
        "guards. If you want the change, change the base branch first, in a pull request of its own.",
      "Without `--base`, the review cannot know whether the guard became weaker: a plan that changes network ACLs " +
        'while `lockout_guard` is `"warn"`, `"off"` or not a constant has this effect with the level info.',
      'Example: a pull request adds `lockout_guard = "off"`.',
    ],
  },
  "TNF-GUARD-UNKNOWN": {
    level: "medium",
    title: "The lock-out guard is not known",
    text: [
      "The plan does not show an attribute of a protected request, or leaves the request out because it is a " +
        "`dynamic` block that the review did not find in the [configuration](review-reference.md#positions). The " +
        "review checks Terraform's own requests as if this protected request were missing. Write a constant or a " +
        "variable of the root module.",
      "Example: `ip = local.runner`.",
    ],
  },
  "TNF-ACL-WIDENED": {
    level: "high",
    title: "An ACL allows more requests",
    text: [
      "An ACL allows requests that were blocked or redirected. If the review can count them, the level is [that of " +
        "the share](levels.md#openings).",
      "Example: an ACL that allows the office changes from `198.51.100.0/24` to `198.51.0.0/16`, and the next ACL " +
        "blocks every request.",
    ],
  },
  "TNF-ACL-OPENED": {
    level: "high",
    title: "No ACL blocks these requests any more",
    text: [
      "Requests that were blocked or redirected are allowed, because the plan removes, switches off or narrows an " +
        "ACL, and no other one matches them. If the review can count them, the level is [that of the " +
        "share](levels.md#openings).",
    ],
  },
  "TNF-ACL-TIGHTENED": {
    level: "medium",
    title: "An ACL blocks or redirects more requests",
    text: [
      "Requests that were allowed are blocked or redirected, or requests that were redirected are blocked. If the " +
        "review can count them, the level is [that of the share](levels.md#blocks).",
      "Example: you add a country to a blocking ACL.",
    ],
  },
  "TNF-ACL-SHADOWED": {
    level: "medium",
    title: "An ACL can never match",
    text: [
      "Other ACLs match all of its requests first, or its own criteria contradict each other. The check is exact, " +
        "and holds under all assumptions. The effect does not count if the plan leaves this ACL unchanged and the " +
        "other unchanged ACLs alone make it unreachable.",
      "Example: one ACL blocks `US` at priority 1, and another allows `US-CA` at priority 2.",
    ],
  },
  "TNF-ACL-NO-SUCH-CODE": {
    level: "medium",
    title: "A rule names a code that no request has",
    text: [
      "In `match`, the entry matches nobody. In `not_match`, it excludes nobody, so the rule applies to everybody " +
        "whom it should have excluded, and the level is high. The effect gives the code that is meant. It does not " +
        "count if the plan leaves the ACL unchanged.",
      'Example: `geo_country_codes = ["UK"]`. Write `GB`.',
    ],
  },
  "TNF-ACL-UNRECORDED": {
    level: "medium",
    title: "Requests are no longer logged",
    text: [
      "An ACL with the action `log` logged these requests, and after the change certainly no ACL logs or blocks " +
        "them. Auth0 records blocked requests too.",
      "Example: the plan removes the logging ACL, or an ACL before it now matches the same requests.",
    ],
  },
  "TNF-ACL-RECORDED": {
    level: "info",
    title: "Requests are newly logged",
    text: ["Requests that no ACL logged or blocked before are logged after the change. Logging changes no outcome."],
  },
  "TNF-ACL-REDIRECT": {
    level: "medium",
    title: "A redirect leads to another host",
    text: [
      "A new redirect leads to a host that is neither the domain of the tenant nor named in `hostnames`. The level " +
        "is high if an existing redirect moves to such a host, or if its target changes from `https` to `http`.",
    ],
  },
  "TNF-ACL-SAME-PRIORITY": {
    level: "high",
    title: "Two ACLs have the same priority",
    message: "Two ACLs with the same priority",
    text: [
      "A tenant has one ACL for each priority, active or not, so it refuses the second one. Change the priority of " +
        "one of the two: a tenant has 100 priorities. The provider refuses the plan if one configuration has both. " +
        "If their order matters, the review reports changes as possible. The effect counts only if the plan changes " +
        "one of these ACLs.",
    ],
  },
  "TNF-ACL-MANY": {
    level: "info",
    title: "More ACLs than an Auth0 subscription includes",
    message: "More network ACLs than an Auth0 subscription includes",
    text: [
      "The plan adds ACLs, and the tenant would have more than ten. An Auth0 Enterprise subscription includes one " +
        "ACL, or ten with the Attack Protection add-on. Auth0 refuses further ones at the apply. A rule has up to 20 " +
        "entries for each signal, so several ACLs with one action can often be one.",
    ],
  },
  "TNF-ACL-UNDECIDED": {
    level: "high",
    title: "The review did not compare every request",
    text: [
      "The ACLs overlap so much that comparing every request would take too long, so more outcomes may change " +
        "than the review shows. The effects that it shows do happen, and their countries and addresses are " +
        "complete. Exceptions may be missing.",
      "Example: a hundred ACLs whose criteria overlap in every signal.",
    ],
  },
  "TNF-EXPECTATION-BROKEN": {
    level: "high",
    title: "An expectation is broken",
    message: "Expectation … is broken",
    text: [
      "A request has another outcome than an expectation states, or a limit or the members of an organization " +
        "do not match it. Change the object in the message, or change the expectation if you mean it. The effect " +
        "shows a counterexample with its deciding ACL. The level is medium if the expectation has `severity = " +
        '"warning"`. The effect does not count if the expectation was broken before, and no further request, ' +
        "limit or member breaks it after the change.",
      'The provider refuses the plan, unless the `severity` is `"warning"`, or another change of the plan may ' +
        "still prevent it: then the [apply decides](refusals.md#warnings-and-errors). See " +
        "[expectations](expectations.md#where-expectations-are-checked).",
      "Example: an expectation states that requests to sign-in from `KP` are blocked, and the plan allows " +
        "`198.51.100.0/24` from every country.",
    ],
  },
  "TNF-EXPECTATION-UNDECIDED": {
    level: "medium",
    title: "An expectation is undecided",
    message: "Expectation … is undecided",
    text: [
      "A value is not known, an object was not read, or the comparison takes too long. A rate limit policy or a " +
        "member set that the plan does not show counts as not read. If the outcome depends on assumptions, the " +
        "effect names them. If a value is known only after apply, the apply checks the expectation before it writes.",
      "Example: an ACL allows the address of a resource that the apply creates, before the ACL that blocks the " +
        "country.",
    ],
  },
  "TNF-EXPECTATION-WEAKENED": {
    level: "high",
    title: "An expectation is removed or changed",
    text: [
      "The change removes an expectation of the base branch, changes its statement, or makes it a warning. The " +
        "effect shows both statements. Another name, or another order of a list, is no such change. If you want " +
        "the change, make it in a pull request of its own.",
    ],
  },
} as const satisfies Rows;
