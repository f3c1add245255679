/** Finds the network ACLs that a plan changes, and words how. */
import { flagOf } from "../../access/access";
import { instantWords } from "../../text/instant";
import type { Cause } from "../effect";
import type { PlannedAcl } from "./acl";
import type { AclVersions } from "./versions";
import { comparable } from "../value";

/** The versions of one ACL. */
export interface AclPair {
  readonly before?: PlannedAcl;
  readonly after?: PlannedAcl;
}

/** Key -> the versions of an ACL that the plan changes in a way that can matter for requests. */
export function changedAcls({ before, after }: AclVersions): ReadonlyMap<string, AclPair> {
  const pairs = new Map<string, AclPair>(before.map((acl) => [acl.key, { before: acl }]));
  for (const acl of after) pairs.set(acl.key, { ...pairs.get(acl.key), after: acl });
  return new Map([...pairs].filter(([, pair]) => textOf(pair.before) !== textOf(pair.after)));
}

function textOf(acl: PlannedAcl | undefined): string {
  if (!acl) return "";
  const { active, priority, rule } = acl;
  return comparable([active, String(priority), rule]);
}

export function causeOf({ before, after }: AclPair): Cause {
  const { address = "", plan } = (after ?? before)!;
  return { address, ...(plan !== undefined && { plan }), words: causeWords(before, after) };
}

function causeWords(before: PlannedAcl | undefined, after: PlannedAcl | undefined): string {
  if (!before) return "is created";
  if (!after) return "is destroyed";
  if (isOpen(before) !== isOpen(after)) return "is switched on or off after apply";
  if (before.active !== after.active) return after.active ? "is switched on" : expiryWords(after);
  const [old, now] = [flagOf(before.rule.action), flagOf(after.rule.action)];
  if (old !== now) return old && now ? `changes from ${old} to ${now}` : "gets another action";
  if (!isSame(before.rule, after.rule)) return "changes its rule";
  const isHidden = before.secret.has("priority") || after.secret.has("priority");
  return isHidden || Number.isNaN(after.priority)
    ? "changes its priority"
    : `moves from priority ${before.priority} to ${after.priority}`;
}

function expiryWords({ end, isExpired, isSecretEnd }: PlannedAcl): string {
  if (!isExpired || typeof end !== "string") return "is switched off";
  return isSecretEnd ? "expired" : `expired on ${instantWords(end)}`;
}

const isOpen = ({ rule }: PlannedAcl) => typeof (rule as { readonly active?: unknown }).active === "symbol";

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
