/** Finds network ACLs that have the same priority. */
import type { Acl } from "../../access/access";
import { effect, type Effect } from "../effect";
import { hidden } from "../hidden";
import { sharing } from "../unique";
import type { PlannedAcl } from "./acl";
import { titleOf } from "./words";

/** Groups of ACLs that have the same priority. An inactive ACL occupies its priority too. */
export function samePriority<A extends Pick<Acl, "priority">>(acls: readonly A[]): A[][] {
  return sharing(acls, ({ priority }) => (Number.isNaN(priority) ? undefined : priority));
}

/** `unchanged`: the ACLs that the plan leaves unchanged. */
export function priorityEffects(acls: readonly PlannedAcl[], unchanged: ReadonlySet<PlannedAcl>): Effect[] {
  return samePriority(acls.filter(({ unplaced }) => !unplaced)).map((group) => {
    const shown = group.some(({ secret }) => secret.has("priority")) ? hidden : group[0]!.priority;
    const text =
      `${group.map(titleOf).join(" and ")} have the same priority, ${shown}. A tenant has one network ACL for each priority, so ` +
      "the apply fails, or the order of evaluation is not known. Give each its own priority, from 1 to 100.";
    const isEarlier = group.every((acl) => unchanged.has(acl));
    return effect("TNF-ACL-SAME-PRIORITY", text, { ...group[0], ...(isEarlier && { already: true }) });
  });
}
