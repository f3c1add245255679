/** The deletion of a replaced ACL, as the best order of the apply can make it. */
import { isDenial } from "../../impact/lockout/write";
import type { Lockout } from "../../impact/lockout/lockout";
import { isKnown, type Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import { networkAcl } from "./definition";
import type { JudgedAcl } from "./guard-words";
import { toWire } from "./wire";

type Definition = typeof networkAcl;
type Acls = readonly JudgedAcl[];
type Judge = (before: Acls, after: Acls) => readonly Lockout<JudgedAcl>[];

/** The change that creates the new ACL. */
export type Replacing = Pick<Change<Definition>, "action" | "planned" | "replaced">;

/** The ACLs before and after the old ACL is deleted. */
export interface Deletion {
  readonly before: Acls;
  readonly after: Acls;
}

/**
 * The lock-outs that the delete of the replaced ACL causes in every order of the apply. `changes`: those of the plan so far.
 */
export function replacementLockouts(
  change: Replacing,
  acls: Acls,
  changes: readonly PlannedChange<Definition>[],
  judge: Judge,
): readonly Lockout<JudgedAcl>[] {
  const now = deletionNow(change, acls);
  const best = now && bestDeletion(change, acls, changes, (acl) => !isDenial(acl));
  if (!best) return [];
  const lasting = judge(best.before, best.after);
  return judge(now.before, now.after).filter((lockout) =>
    lasting.some((other) => other.kind === lockout.kind && other.called === lockout.called),
  );
}

/** Undefined: the new ACL can come first, because it does not need the priority of the old one. */
export function deletionNow({ action, planned, replaced }: Replacing, acls: Acls): Deletion | undefined {
  const old = action === "create" && replaced ? acls.find(({ id }) => id === replaced.id) : undefined;
  if (!old || planned?.priority !== old.priority) return undefined;
  return { before: acls, after: acls.filter((acl) => acl !== old) };
}

/**
 * The deletion among the ACLs that stay and each helpful version of a changed ACL: no moment of the apply has more of these, or
 * fewer others. Undefined if values are not known yet.
 */
export function bestDeletion(
  change: Replacing,
  acls: Acls,
  changes: readonly PlannedChange<Definition>[],
  helps: (acl: JudgedAcl) => boolean,
): Deletion | undefined {
  const others = changes.filter(({ planned }) => planned !== change.planned);
  if (others.some(({ planned }) => planned && !isKnown(networkAcl, planned))) return undefined;
  const changed = new Set(others.map(({ identity }) => identity?.id));
  const planned = others.flatMap(({ identity, planned: next }, index): JudgedAcl[] =>
    next && isKnown(networkAcl, next) ? [{ ...toWire(next), id: identity?.id, key: `planned ${index}` }] : [],
  );
  const isOld = ({ id }: JudgedAcl) => id === change.replaced?.id;
  const after = [
    ...acls.filter((acl) => !isOld(acl) && (!changed.has(acl.id) || helps(acl))),
    ...planned.filter(helps),
  ];
  return { before: [...after, ...acls.filter(isOld)], after };
}
