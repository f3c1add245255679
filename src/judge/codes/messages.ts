/** Messages that are no findings: about values, imports, warnings of plans, and an apply. */
import type { Rows } from "./row";

/** Values of the configuration. */
export const configuration = {
  "TNF-INVALID-VALUE": {
    title: "Invalid …",
    text: [
      "Auth0, or this provider, does not accept the value of an attribute. The message names the " +
        "attribute, shows the value unless it is sensitive, and describes valid values. The provider sent nothing " +
        "to Auth0.",
    ],
  },
  "TNF-MISSING-VALUE": {
    title: "Missing …",
    text: ["A required attribute is missing or null. Set it. The cause is often a variable without a default."],
  },
  "TNF-DOUBTFUL-VALUE": {
    title: "Doubtful …",
    text: [
      "The value is valid, but probably not what you mean, such as an address range inside another one. The " +
        "message names the attribute and suggests a correction.",
    ],
  },
} as const satisfies Rows;

/** Imports, moves and other states. */
export const imports = {
  "TNF-IMPORT-ID": {
    title: "Not the id of …",
    text: ["The import id has the wrong form. The message shows the accepted forms. The provider sent no API call."],
  },
  "TNF-NOTHING-TO-IMPORT": {
    title: "Nothing to import",
    text: [
      "The tenant has no object with the import id. Check the id, and check that `domain` or `endpoint` names " +
        "the right tenant.",
    ],
  },
  "TNF-NO-SUCH": {
    title: "No such …",
    text: ["The tenant has no object with this value. Check the value in the message."],
  },
  "TNF-SEVERAL-SUCH": {
    title: "Several such …",
    text: [
      "Several objects have this value, such as policies with one selector for different APIs or consumers. Import one of the " +
        "objects in the message by its id.",
    ],
  },
  "TNF-NOT-AN-IDENTITY": {
    title: "The identity in the import block is invalid",
    text: [
      "The `identity` of an `import` block takes only the id of the object. To import by name, priority or " +
        'selector, write `id` instead of `identity`: `id = "consumer_selector:default"`.',
    ],
  },
  "TNF-IDENTITY-INCOMPLETE": {
    title: "The identity in the import block is incomplete",
    text: ["The `identity` of an `import` block lacks an attribute. Add the attribute that the message names."],
  },
  "TNF-CANNOT-MOVE": {
    title: "Cannot move … to …",
    text: [
      "The provider cannot move the state of this type. Import the object instead, and forget the old resource " +
        "with a `removed` block.",
    ],
  },
  "TNF-NEWER-STATE": {
    title: "The state is of a newer version of the provider",
    text: ["Somebody applied with a newer version of the provider. Use that version or a newer one."],
  },
  "TNF-UNKNOWN-TYPE": {
    title: "Unknown type …",
    text: ["The provider has no such resource or data source. The message lists all types."],
  },
} as const satisfies Rows;

/** Warnings of a plan or an apply. */
export const warnings = {
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
      "You usually need to do nothing: the apply found an identical object and now manages it, because an " +
        "earlier apply was killed before Terraform could write the state. If the priority, name or selector of " +
        "the new object was known only at apply, an unchanged resource of your state may manage the same object. " +
        "The next plan then refuses the two addresses: run `terraform state rm` for one of them.",
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

/** Errors of an apply, and of any call. */
export const apply = {
  "TNF-NOT-AS-PLANNED": {
    title: "A value changed between plan and apply",
    text: [
      "Plan again: a write-only value changed after the plan, so a value that depends on it differs from the plan. " +
        'Terraform changed nothing. Terraform often detects this first, and reports "Provider produced inconsistent ' +
        'final plan" with the two values.',
    ],
  },
  "TNF-ALREADY-THERE": {
    title: "The … exists already",
    text: [
      "Another object with the same priority, name or selector exists on the tenant. The message shows how to " +
        "import it. A new object waits for some seconds in case the same apply deletes the other one. At " +
        "`-parallelism=1` or 2, Terraform may start the deletion too late: apply again. The provider refuses a " +
        "plan with [such a value](#tnf-taken), unless the plan only creates objects: it then reads no list of " +
        "the tenant.",
      "If Terraform replaces an object with `create_before_destroy`, the old object still has the value. Leave out " +
        "`create_before_destroy`, give the new object another value, or apply again without `-replace`: ACLs and " +
        "policies are then changed in place.",
    ],
    remedy: "Import the existing object, or change this one (priority, consumer_selector, name).",
  },
  "TNF-KEY-IN-USE-STAYS": {
    title: "The network ACL key is in use and was not deleted",
    text: [
      "Remove the key from the rule that names it, usually in another stack, and apply again. The key did not " +
        "change. If you replace the key, [create the new one first](recipes.md#rotation).",
    ],
  },
  "TNF-NO-PLACE-FOR-KEY": {
    title: "The tenant has its maximum of network ACL keys",
    text: ["The tenant already had ten keys at the time of the apply. Remove a key that no rule names."],
  },
  "TNF-FINGERPRINT": {
    title: "Another fingerprint than expected",
    text: ["The tenant computes the fingerprint of a key differently from this version. Use a newer version."],
  },
  "TNF-NOT-KNOWN-WHETHER": {
    title: "It is not known whether the change was made",
    text: [
      "The response to a write was lost, and the provider could not read the object afterwards. The next plan " +
        "compares the state with the tenant.",
    ],
    remedy: "Before the next apply, look for the object on the tenant, and import it if it exists.",
  },
  "TNF-NOT-DONE-EITHER": {
    title: "Skipped because of another error",
    text: ["This object has the same error as another object."],
    remedy: "See the other error of this run. Correct its cause, then run the command again.",
  },
  "TNF-STOPPED": {
    title: "The run was stopped",
    text: ["Somebody interrupted the run. The state contains every finished change."],
    remedy: "Apply again to continue.",
  },
  "TNF-DEFECT": {
    title: "A defect of the provider",
    text: ["Please report the lines of the message. The provider masks secrets in them."],
  },
} as const satisfies Rows;
