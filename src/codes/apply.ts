/** Errors of an apply, and of any call. */
import type { Rows } from "./row";

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
        "`-parallelism=1` or 2, Terraform may start the deletion too late: apply again. The plan refuses [such a " +
        "value](#tnf-taken) before, unless it only creates objects, because it then reads nothing from the tenant.",
      "If Terraform replaces an object with `create_before_destroy`, the old object still has the value. Leave out " +
        "`create_before_destroy`, give the new object another value, or apply again without `-replace`: ACLs and " +
        "policies are then changed in place.",
    ],
    remedy: "Import the existing object, or change this one (priority, consumer_selector, name).",
  },
  "TNF-KEY-IN-USE-STAYS": {
    title: "The network ACL key is in use and was not deleted",
    text: [
      "The rule of a network ACL, usually in another stack, names the key. The key did not change. Remove it " +
        "from the rule, and apply again. If you replace the key, [create the new one " +
        "first](recipes.md#rotation).",
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
