/** Plans that the provider refuses, or would refuse without a setting. */
import type { Rows } from "./row";

export const refusals = {
  "TNF-PROTECTED-REQUEST": {
    title: "A protected request is blocked",
    message: "… the protected request …",
    text: [
      "Narrow the rule of the ACL in the message, or add an ACL that allows the request and is evaluated " +
        "first. The ACL would block or redirect a request of `protected_request`. The message is a warning if an " +
        "attribute of the request is unknown, if an ACL already blocks it, or if another change of the plan may " +
        "still allow it: then the [apply decides](refusals.md#warnings-and-errors). If the apply refuses an ACL " +
        "because it comes before the ACL that allows the request, add `depends_on`. See " +
        "[lock-outs](refusals.md#lock-outs).",
    ],
  },
  "TNF-REPLACEMENT-LOCKOUT": {
    title: "This replacement would lock out Terraform or a protected request",
    text: [
      "The plan replaces an ACL that allows Terraform or a request of `protected_request`, because of `-replace` " +
        "or `replace_triggered_by`. Terraform deletes the replaced ACL first, because the new one needs the same " +
        "priority, and another ACL would then block the request.",
      "- Leave out `-replace` or `replace_triggered_by`. The provider changes ACLs in place.\n- Or write `lifecycle " +
        "{ create_before_destroy = true }` and give the new ACL another priority. Terraform then creates the new ACL " +
        "first.\n- Or first apply another ACL that allows the request, at a free priority.",
    ],
  },
  "TNF-PLANNED-STEP-BREAKS-EXPECTATION": {
    title: "A step of this plan would break an expectation",
    text: [
      "Leave out `-replace` or `replace_triggered_by`, because the provider makes such changes in place, or " +
        "first apply another object with which the expectation holds. The plan replaces an ACL or a rate limit " +
        "policy that an expectation needs. The new object has the same priority or selector, so Terraform " +
        "deletes the old object first.",
    ],
  },
  "TNF-PLAN-LOCKOUT": {
    title: "Terraform itself may be locked out",
    message: "… Terraform itself…",
    text: [
      "Name the machine that runs Terraform in `protected_request`, with its `ip`, and with its `country` if rules use " +
        "countries. The plan then checks this request. ACLs would block Terraform's token request from every address, or more " +
        "than half of the IPv4 or IPv6 addresses from the Management API, so Terraform might be unable to undo the change. If " +
        "the message is a warning, the [apply decides](refusals.md#warnings-and-errors). " +
        '`lockout_guard = "warn"` turns the error into a warning. See ' +
        "[lock-outs](refusals.md#lock-outs).",
    ],
  },
  "TNF-EXPECTATION-BROKEN-BEFORE": {
    title: "Expectation … was broken before",
    text: [
      "The expectation did not hold before the plan either, and the plan makes it no worse, so the plan is not " +
        "refused. Correct the object in the message, or the expectation.",
    ],
  },
  "TNF-MAX-REMOVALS": {
    title: "More removals than max_removals allows",
    message: "…",
    text: [
      "The message gives the number of removed members and the first names. If you mean it, raise `max_removals`.",
    ],
  },
  "TNF-NO-ORGANIZATION": {
    title: "No such organization",
    text: [
      "The tenant has no organization with this id. Check the id, and check that `domain` names the right tenant. If somebody deleted the organization, remove the resource from the configuration.",
      "To destroy the configuration, run `terraform destroy -refresh=false`: without the option, the plan before the destroy ends with this error too.",
    ],
  },
  "TNF-SCOPE-MISSING": {
    title: "The token lacks …",
    text: [
      "The plan or an API call needs a scope that the token does not have. An existing token does not get the " +
        "scope, so run the command again.",
    ],
    remedy: "Grant the scope to the client (Applications > APIs > Management API), then try again.",
  },
  "TNF-TAKEN": {
    title: "The … is taken",
    text: [
      "Another object of the tenant has this priority, name or selector, and no planned change frees it. If the " +
        "other object is identical to the planned one, an interrupted replacement probably made it, and the message " +
        "says how to keep it.",
      "For a changed ACL, the message is a warning: an object that depends on it is planned later, and may free " +
        "the priority. If none does, the ACL gets a free priority at the apply, with a warning. If Terraform destroys the old object first, the plan is refused, because " +
        "you could end with neither object.",
    ],
    remedy:
      "Choose another value, or import the other object with the command in the message. If this configuration moves or removes " +
      "the other object, apply again.",
  },
  "TNF-UNKNOWN-PART": {
    title: "… has a part that this version does not know",
    text: [
      "The object has an option that this version does not know, such as a signal of a rule. An update sends the whole object without the " +
        "option, so that a rule may match more requests. A plan that only reads the object warns, and the provider refuses a plan that " +
        "updates the object. To remove the option on purpose, replace the object with `-replace`.",
    ],
    remedy: "Use a newer version of the provider, or remove the part on the tenant.",
  },
  "TNF-PRIORITY-LATER": {
    title: "A network ACL waits for its priority",
    text: [
      "You need to do nothing unless the apply fails: then apply again. Another ACL still has the priority, " +
        "and Terraform could not begin to change that ACL, as at `-parallelism=1`, so this ACL takes a free " +
        "priority first. The call that changes the other ACL moves this one to its priority, and the next plan " +
        "finds nothing to change. A new ACL waits like this only if the apply has begun to change another ACL of " +
        "the state. Otherwise its call fails after some seconds.",
      "If the other ACL is not part of this apply, such as one that somebody made after the plan, this ACL stays " +
        "at the free priority. Plan again: the plan names the other ACL.",
    ],
  },
  "TNF-PRIORITY-MISSED": {
    title: "A network ACL did not get its priority",
    text: [
      "This ACL [waited for its priority](#tnf-priority-later). The priority is free now, but the write failed " +
        "or would lock out. Correct the named cause, then apply again.",
    ],
  },
} as const satisfies Rows;
