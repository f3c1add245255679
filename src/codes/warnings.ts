/** Warnings of a plan or an apply. */
import type { Rows } from "./row";

export const warnings = {
  "TNF-NO-PLACE-FOR-SUCCESSOR": {
    title: "The tenant has no place for a new network ACL key",
    text: [
      "The tenant has ten keys, so Terraform cannot create the new key before it destroys the old one. If a rule " +
        "names the old key, remove another key first. Otherwise, leave `create_before_destroy` out: Terraform then " +
        "destroys the old key first.",
    ],
  },
  "TNF-MEMBERS-LOST": {
    title: "Members lose access",
    message: "…",
    text: [
      "Check the plan, which removes many members. The message gives the counts and the first names. Set " +
        '`max_removals` to refuse such plans. "Up to" means that an attribute is known only after apply: the number ' +
        "counts all members that the set may not list.",
    ],
  },
  "TNF-ADOPTION": {
    title: "An existing … will be adopted",
    text: [
      "The tenant already has an identical object. Terraform will manage this object instead of creating a duplicate.",
    ],
  },
  "TNF-UNKNOWN-KEY": {
    title: "A key that the tenant does not have",
    text: [
      "A rule names a key by an id that the tenant does not have, so no request matches. Under `not_match`, the " +
        "rule then applies to every request. Use the `id` of a `tenant_network_acl_key`.",
    ],
  },
  "TNF-ADOPTED": {
    title: "The existing … was adopted",
    text: [
      "The apply found an identical object and now manages it. Usually an earlier apply was killed before " +
        "Terraform could write the state, and you need to do nothing. If the key of the new object was known only at " +
        "apply, an unchanged resource of your state may manage the same object: the next plan then refuses the two " +
        "addresses, and `terraform state rm` for one of them solves that.",
    ],
  },
  "TNF-PLAN-EFFECTS": {
    title: "✖ …",
    message: "…",
    text: [
      "The plan has an effect on people. ✖ marks an effect of level high or critical, ● medium or low, and ○ " +
        "info. The title has the worst effect, and the message lists the others. By default it has the effects of " +
        "level medium or worse; `plan_warnings` in the provider block sets another level. `npx tenantform review` shows " +
        "which requests get another outcome.",
    ],
  },
  "TNF-GONE": {
    title: "The object is gone from the tenant",
    text: [
      "Somebody else deleted the object. Terraform removes it from the state, and creates it again if the " +
        "configuration still has it.",
    ],
  },
  "TNF-NOT-COMPARED": {
    title: "The object was not refreshed",
    text: [
      "Part of the provider block is known only after apply, so the plan uses only the state. Give the value " +
        "directly, or first apply the resources that it depends on.",
    ],
  },
  "TNF-QUOTA-WAITED": {
    title: "Waited for the tenant's quota",
    text: [
      "API calls waited long for the rate limit of the tenant, which other clients use too. Nothing failed. To " +
        "wait less, run fewer applies for this tenant at the same time. `TF_LOG_PROVIDER=info` logs each wait.",
    ],
  },
} as const satisfies Rows;
