/** Words the lock-outs that the guard reports. */
import type { Acl } from "../../access/access";
import { attributePath } from "../../cty/path";
import type { Titled } from "../../codes/codes";
import { codeOf } from "../../impact/lockout/findings";
import type { Lockout } from "../../impact/lockout/lockout";
import { isUnchanged, lockoutWords } from "../../impact/lockout/words";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { NetworkAclBody } from "../../tenant/network-acls";

/** `id`: undefined for an ACL that the plan creates. */
export type JudgedAcl = NetworkAclBody & Acl & { readonly id?: string };

export function titleOfLockout({ kind, certainty, already, outcome }: Lockout<JudgedAcl>): Titled {
  if (kind !== "protected request") {
    return ["TNF-PLAN-LOCKOUT", already ? "leaves Terraform locked out" : "may lock out Terraform itself"];
  }
  return [
    "TNF-PROTECTED-REQUEST",
    `${certainty === "possible" ? "may be" : "is"} ${outcome}${already ? " already" : ""}`,
  ];
}

/** Why a plan that "error" would refuse is not refused. */
const reasons = {
  warn: '`lockout_guard` is "warn", so this plan is not refused.',
  open: "Part of a `protected_request` or `lockout_guard` is not known yet, so the apply decides.",
  later:
    "Another change of this plan may still prevent this, so the apply decides: it refuses this change if no other does.",
  error: "",
};

export function detailOf(lockout: Lockout<JudgedAcl>, refusal: keyof typeof reasons | undefined): string {
  const what = `${lockoutWords(lockout, lockout.by.map(titleOf))}.`;
  const reason = refusal ? reasons[refusal] : "";
  const way = refusal === "warn" || lockout.already || lockout.kind === "token" ? "" : wayOut;
  return [what, reason, remedyOf(lockout), way, `[${codeOf(lockout)}]`].filter((part) => part !== "").join(" ");
}

const wayOut = 'If this is meant, set `lockout_guard = "warn"` in the provider block.';

/** The write that is refused. `replace`: the delete of an ACL that Terraform creates again. */
export type Operation = "create" | "update" | "replace" | "delete";

/** The error for a write that would lock out at this moment of the apply, although the whole plan may be harmless. */
export function refusalOf([lockout]: readonly Lockout<JudgedAcl>[], operation: Operation): DiagnosticError {
  const words = lockoutWords(lockout!, lockout!.by.map(titleOf), "After this step of the apply");
  const detail =
    `${words}. The provider waited for other changes of this apply, but none came that prevents this. It did not send this write, so ` +
    `the state is still true. ${waysOut[operation]} If the plan as a whole blocks the request, narrow the rule, or add an ACL that ` +
    "allows the request and is evaluated first. [TNF-ACL-LOCKOUT]";
  return new DiagnosticError("TNF-STEP-LOCKOUT", detail, operation === "delete" ? [] : attributePath("rule"));
}

const again = "Apply again: the other changes of this plan are then done.";
const waysOut: Record<Operation, string> = {
  create: `${again} To need one apply only, add the ACL that allows the request to \`depends_on\` of this resource.`,
  update:
    `${again} If this happens again, first apply a plan that gives the ACL that allows the request a lower priority number, ` +
    "and then the rest.",
  replace:
    "Terraform deletes this ACL before it creates the new one. Write `lifecycle { create_before_destroy = true }` and give the new " +
    "ACL another priority. If the resource only has another name, write `moved`.",
  delete:
    `${again} If an ACL that blocks the request stays on the tenant, delete or narrow that ACL first. If this ACL is only renamed in ` +
    "the configuration, write `moved`. If it is only tainted, run `terraform untaint`.",
};

/** The error for a plan that replaces an ACL which the apply cannot delete. */
export function replacementRefusalOf(lockout: Lockout<JudgedAcl>): Pick<DiagnosticError, "code" | "detail" | "path"> & {
  readonly severity: "error";
} {
  const words = lockoutWords(lockout, lockout.by.map(titleOf), "When Terraform deletes the replaced ACL");
  const detail =
    `${words}. Terraform deletes the replaced ACL before it creates the new one, and both need the same priority. So the apply would ` +
    "refuse to delete it. Leave out `-replace` or `replace_triggered_by`: the provider changes ACLs in " +
    "place. To replace the ACL all the same, write `lifecycle { create_before_destroy = true }` and give the new ACL another " +
    "priority, or first apply another ACL that allows the request. [TNF-ACL-LOCKOUT]";
  return { severity: "error", code: "TNF-REPLACEMENT-LOCKOUT", detail, path: [] };
}

function remedyOf(lockout: Lockout<JudgedAcl>): string {
  const { kind, already, called } = lockout;
  if (already) {
    const was = isUnchanged(lockout)
      ? "This plan does not change that."
      : "Another network ACL blocked it before the change.";
    return `${was} Narrow the rule, or add an ACL that allows the request and is evaluated first.`;
  }
  if (kind === "protected request") {
    return "Narrow the rule, or add an ACL that allows the request and is evaluated first.";
  }
  if (kind === "token") {
    return (
      "Terraform can then undo this plan only with `access_token`. Add an ACL that allows the machines that run Terraform and is " +
      "evaluated first, or set `access_token`."
    );
  }
  const name =
    called === undefined
      ? "name the machines that run Terraform in a `protected_request`, with their `ip`: plans are then judged by these requests"
      : "add more facts of that machine to the protected request: those that the rules look at";
  return `Narrow the rule, or ${name}.`;
}

function titleOf({ description, priority, id }: JudgedAcl): string {
  const called = typeof description === "string" ? `"${description}"` : "whose description is known after apply";
  return `the network ACL ${called} (priority ${priority}${id ? `, ${id}` : ""})`;
}
