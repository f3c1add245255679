/** Reports lock-outs as findings. */
import { clipped } from "../clipped";
import { finding, type Code, type Finding } from "../finding";
import type { PlannedAcl } from "../network-acl/acl";
import { unchangedAcls } from "../network-acl/unchanged";
import type { AclVersions } from "../network-acl/versions";
import { titleOf } from "../network-acl/words";
import { ownLockouts, requestLockouts, type AclChange, type Lockout, type Terraform } from "./lockout";
import { isKnownRequest, speaksForTerraform, type ProtectedRequest } from "./protected-request";
import { isUnchanged, lockoutWords } from "./words";

/** The protected requests of the plans, and of the guard of the base branch, which judges the change too. */
export interface Requests {
  readonly own: readonly ProtectedRequest[];
  readonly base: readonly ProtectedRequest[];
}

/** All lock-outs after the change, also those that were so before. */
export function lockoutsIn(
  { before, after }: AclVersions,
  requests: Requests,
  terraform: Terraform,
): Lockout<PlannedAcl>[] {
  const own = requests.own.filter(isKnownRequest);
  const change: AclChange<PlannedAcl> = { before, after, isSame: (one, other) => one.key === other.key };
  return [
    ...requestLockouts(change, [...own, ...requests.base]),
    ...judges({ own, base: requests.base }, terraform).flatMap((judge) => ownLockouts(change, judge, terraform)),
  ];
}

/** `changesAcls`: a plan changes network ACLs. */
export function lockoutFindings(
  versions: AclVersions,
  requests: Requests,
  terraform: Terraform,
  changesAcls: boolean,
): Finding[] {
  const unchanged = unchangedAcls(versions);
  const found = lockoutsIn(versions, requests, terraform)
    .filter((lockout) => isNews(lockout, changesAcls))
    .map((lockout) => findingOf(lockout, [...requests.own, ...requests.base], unchanged));
  return [...new Map(found.map((one) => [`${one.code} ${one.text}`, one])).values()];
}

/** A protected request that the change adds must not replace the check by the base branch. */
function judges({ own, base }: Requests, { countries }: Terraform): (readonly ProtectedRequest[])[] {
  if (base.length === 0) return [own];
  return own.some((request) => speaksForTerraform(request, countries)) ? [base, own] : [base];
}

type Judgement = Pick<Lockout<PlannedAcl>, "kind" | "certainty" | "already">;

/** Whether to report the lock-out. An earlier one must be certain, and concern a protected request or a plan that changes ACLs. */
export function isNews({ kind, already, certainty }: Judgement, changesAcls: boolean): boolean {
  return !already || (certainty !== "possible" && (kind === "protected request" || changesAcls));
}

/**
 * Whether the provider refuses a plan because of the lock-out. A plan with `access_token` can undo a blocked token request, so
 * plans that close sign-in on purpose are not refused.
 */
export function isRefused({ kind, certainty, already }: Judgement): boolean {
  return kind !== "token" && certainty !== "possible" && !already;
}

export function codeOf({ kind, certainty, already }: Judgement): Code {
  const isLess = certainty === "possible" || (kind === "breadth" && already);
  return isLess ? "TNF-ACL-LOCKOUT-POSSIBLE" : "TNF-ACL-LOCKOUT";
}

/** Ends the text of a lock-out that existed before. */
export const alreadyWords = "before the change.";

const shortTitle = (acl: PlannedAcl) => titleOf({ ...acl, description: clipped(acl.description) });

/** A sentence. `requests`: all protected requests. */
export function lockoutText(
  lockout: Lockout<PlannedAcl>,
  requests: readonly ProtectedRequest[],
  when?: string,
): string {
  const { by, called = "" } = lockout;
  const isHidden =
    requests.some((request) => request.isSecret && request.called === called) || by.some((acl) => acl.secret.size > 0);
  const shown = isHidden ? { ...lockout, because: undefined, shares: ["most requests"] } : lockout;
  return `${lockoutWords(shown, by.map(shortTitle), when)}.`;
}

function findingOf(
  lockout: Lockout<PlannedAcl>,
  requests: readonly ProtectedRequest[],
  unchanged: ReadonlySet<PlannedAcl>,
): Finding {
  const { already, by } = lockout;
  const was = isUnchanged(lockout) ? "This was already so" : "Another network ACL blocked it";
  const text = `${lockoutText(lockout, requests)}${already ? ` ${was} ${alreadyWords}` : ""}`;
  // Somebody may have closed an API on purpose. A protected request that is blocked is always wrong.
  const isUntouched = already && (lockout.kind !== "protected request" || by.every((acl) => unchanged.has(acl)));
  return finding(codeOf(lockout), text, { ...by[0], ...(isUntouched && { already }) });
}
