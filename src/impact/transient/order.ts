/** Tells which write of a change Terraform may send next, by the dependencies of the resources. */
import { isAside, type AclChange, type Status } from "./acl-change";

export type Statuses = ReadonlyMap<AclChange, Status>;

/** Whether the resource of the first change depends on that of the second. */
export type DependsOn = (one: AclChange, other: AclChange) => boolean;

/** The statuses that the next write of a change can lead to, by its status. */
const nextStatus: Record<AclChange["how"], Partial<Record<Status, Status>>> = {
  create: { gone: "new" },
  update: { old: "new" },
  delete: { old: "gone" },
  "delete, then create": { old: "gone", gone: "new" },
  "create, then delete": { old: "both", both: "new" },
};

export const firstStatus = ({ how }: AclChange): Status => (how === "create" ? "gone" : "old");

const isMade = ({ how }: AclChange, status: Status) => how === "delete" || status === "new" || status === "both";

const isRemoved = ({ how }: AclChange, status: Status) =>
  !how.includes("delete") || (status !== "old" && status !== "both");

/** undefined: the change is done, or waits for another one. */
export function nextOf(change: AclChange, statuses: Statuses, dependsOn: DependsOn): Status | undefined {
  const status = statuses.get(change)!;
  const next = isAside(status) ? "new" : nextStatus[change.how][status];
  if (next === undefined) return undefined;
  const others = [...statuses].filter(([other]) => other !== change);
  const isRemoval = next === "gone" || status === "both";
  const mayCome = isRemoval
    ? others.every(([other, its]) => {
        if (!dependsOn(other, change)) return true;
        // Terraform deletes an object only after the objects that depended on it.
        return isRemoved(other, its) && (change.how === "delete, then create" || isMade(other, its));
      })
    : others.every(([other, its]) => !dependsOn(change, other) || isMade(other, its));
  return mayCome ? next : undefined;
}
