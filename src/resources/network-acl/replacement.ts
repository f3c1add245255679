/** The deletion of a replaced ACL, as the best order of the apply can make it. */
import { apply, type TenantState } from "../../impact/state";
import type { PlannedAcl, AclVersions } from "../../impact/network-acl/acl";
import type { Lockout } from "../../impact/statement/lockout";
import { isDenial } from "../../impact/statement/write";
import type { Change } from "../../sdk/definition";
import type { PlannedChange } from "../../sdk/plan-registry";
import { nameOf } from "../expectations/states";
import type { networkAcl } from "./definition";

type Definition = typeof networkAcl;
type Acls = readonly PlannedAcl[];

/** The change that creates the new ACL. */
export type Replacing = Pick<Change<Definition>, "action" | "planned" | "replaced">;

/**
 * The lock-outs that the delete of the replaced ACL causes in every order of the apply. `changes`: those of the plan so far.
 */
export function replacementLockouts(
  change: Replacing,
  acls: Acls,
  changes: readonly PlannedChange<Definition>[],
  judge: (versions: AclVersions) => readonly Lockout[],
): readonly Lockout[] {
  const now = deletionNow(change, acls);
  if (!now) return [];
  const lasting = judge(bestDeletion(change, acls, changes, (acl) => !isDenial(acl)));
  return judge(now).filter((lockout) =>
    lasting.some((other) => other.kind === lockout.kind && other.called === lockout.called),
  );
}

/** Undefined: the new ACL can come first, because it does not need the priority of the old one. */
export function deletionNow({ action, planned, replaced }: Replacing, acls: Acls): AclVersions | undefined {
  const old = action === "create" && replaced ? acls.find(({ id }) => id === replaced.id) : undefined;
  if (!old || planned?.priority !== old.priority) return undefined;
  return { before: acls, after: acls.filter((acl) => acl !== old) };
}

/**
 * The deletion among the ACLs that stay and each version of a changed ACL that helps: no moment of the apply has more of these, or
 * fewer others. An ACL whose action is not known yet may help.
 */
export function bestDeletion(
  change: Replacing,
  acls: Acls,
  changes: readonly PlannedChange<Definition>[],
  helps: (acl: PlannedAcl) => boolean,
): AclVersions {
  const others = changes.filter(({ planned }) => planned !== change.planned);
  const changed = new Set<unknown>(others.map(({ identity }) => identity?.id));
  const planned = others.reduce<TenantState>(
    (state, { planned: next }, index) => apply(state, { kind: "acls", name: `planned ${nameOf(index)}`, values: next }),
    { acls: [] },
  );
  const mayHelp = (acl: PlannedAcl) => typeof acl.rule.action === "symbol" || helps(acl);
  const isOld = ({ id }: PlannedAcl) => id === change.replaced?.id;
  const after = [
    ...acls.filter((acl) => !isOld(acl) && (!changed.has(acl.id) || helps(acl))),
    ...planned.acls!.filter(mayHelp),
  ];
  return { before: [...after, ...acls.filter(isOld)], after };
}
