/** Finds replaced ACLs that the apply cannot delete in any order without a lock-out. */
import { isDenial } from "../../impact/lockout/write";
import type { Lockout } from "../../impact/lockout/lockout";
import { isKnown, type Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/planned-object";
import { networkAcl } from "./definition";
import type { JudgedAcl } from "./guard-words";
import { toWire } from "./wire";

type Definition = typeof networkAcl;
type Judge = (before: readonly JudgedAcl[], after: readonly JudgedAcl[]) => readonly Lockout<JudgedAcl>[];

/**
 * The lock-outs that the delete of the replaced ACL causes in every order of the apply. The new ACL cannot come first if it needs the
 * priority of the old one. `changes`: those of the plan so far.
 */
export function replacementLockouts(
  { action, planned, replaced }: Pick<Change<Definition>, "action" | "planned" | "replaced">,
  acls: readonly JudgedAcl[],
  changes: readonly PlannedChange<Definition>[],
  judge: Judge,
): readonly Lockout<JudgedAcl>[] {
  const old = action === "create" && replaced ? acls.find(({ id }) => id === replaced.id) : undefined;
  if (!old || planned?.priority !== old.priority) return [];
  const others = changes.filter((change) => change.planned !== planned);
  const open = mostOpen(acls, others)?.filter((acl) => acl !== old);
  if (!open) return [];
  const lasting = judge([...open, old], open);
  return judge(
    acls,
    acls.filter((acl) => acl !== old),
  ).filter((lockout) => lasting.some((other) => other.kind === lockout.kind && other.called === lockout.called));
}

/**
 * The ACLs that stay, and each version of a changed ACL that does not block. No moment of the apply blocks less. Undefined if
 * values are not known yet.
 */
function mostOpen(
  acls: readonly JudgedAcl[],
  changes: readonly PlannedChange<Definition>[],
): readonly JudgedAcl[] | undefined {
  if (changes.some(({ planned }) => planned && !isKnown(networkAcl, planned))) return undefined;
  const changed = new Set(changes.map(({ identity }) => identity?.id));
  const planned = changes.flatMap(({ identity, planned: next }, index): JudgedAcl[] =>
    next && isKnown(networkAcl, next) ? [{ ...toWire(next), id: identity?.id, key: `planned ${index}` }] : [],
  );
  return [...acls.filter((acl) => !changed.has(acl.id) || !isDenial(acl)), ...planned.filter((acl) => !isDenial(acl))];
}
