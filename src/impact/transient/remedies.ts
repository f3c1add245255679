/** Tells how to change a plan so that no intermediate state has the effect. */
import { clipped } from "../clipped";
import { andWords } from "../list-words";
import type { PlannedAcl } from "../network-acl/acl";
import { isAside } from "./acl-change";
import { addressOf, uncapitalized, type Involved } from "./moment-words";
import type { AclTransition } from "./acl-transition";

/** `isBad`: whether ACLs have the effect. */
export function remedyOf(
  involved: readonly Involved[],
  transition: AclTransition,
  isBad: (acls: readonly PlannedAcl[]) => boolean,
): string {
  if (involved.some(({ change, status }) => change.how === "delete, then create" && status === "gone")) {
    return (
      "Write `lifecycle { create_before_destroy = true }`, and give the new ACL another priority. If you do not want to replace the " +
      "object, remove its taint or `-replace`."
    );
  }
  const hows = new Set(involved.map(({ change }) => change.how));
  const order = orderOf(involved, transition, isBad);
  const isRename = hows.has("create") && hows.has("delete");
  return isRename ? `If a resource only has another name, write \`moved\`. Otherwise, ${uncapitalized(order)}` : order;
}

function orderOf(
  involved: readonly Involved[],
  { unchanged, changes }: AclTransition,
  isBad: (acls: readonly PlannedAcl[]) => boolean,
): string {
  const pending = involved.filter(isPending);
  const first = new Set(pending.map(({ change }) => change));
  const versions = changes.flatMap(({ before, after }, index) => (first.has(changes[index]!) ? after : before) ?? []);
  const priorities = versions.map(({ priority }) => priority);
  if (new Set(priorities).size < priorities.length || pending.length === involved.length) {
    return "First apply a plan that gives these ACLs priorities that no ACL has yet.";
  }
  if (pending.length === 0 || isBad([...unchanged, ...versions])) {
    return "First apply a plan with an ACL that keeps the outcome of these requests, and remove that ACL afterwards.";
  }
  const names = andWords(pending.map(({ change }) => clipped(addressOf(change))));
  const alone = `First apply the change of ${names} alone, with \`-target\`, and then the rest.`;
  const rest = involved.filter((one) => !pending.includes(one));
  const areNew = involved.every(({ change }) => change.how === "create");
  return areNew
    ? `Name ${names} in \`depends_on\` of ${andWords(rest.map(({ change }) => clipped(addressOf(change))))}.`
    : alone;
}

const isPending = ({ change, status }: Involved) =>
  status === "old" || (status === "gone" && change.how === "create") || isAside(status);
