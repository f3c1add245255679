/** Splits the change of one network ACL into the writes that Terraform sends. */
import { acts, type PlannedObject } from "../model";
import type { PlannedAcl } from "../network-acl/acl";
import { changedAcls } from "../network-acl/causes";
import type { AclVersions } from "../network-acl/versions";

/** The new version waits at the first free priority, or at a further one. */
export const asides = ["aside", "aside 2", "aside 3", "aside 4", "aside 5", "aside 6"] as const;

export type Aside = (typeof asides)[number];

/** How far the change of an ACL is. */
export type Status = "old" | "gone" | "both" | Aside | "new";

export const isAside = (status: Status): status is Aside => asides.some((one) => one === status);

export interface AclChange {
  readonly before?: PlannedAcl;
  readonly after?: PlannedAcl;
  readonly how: "create" | "update" | "delete" | "delete, then create" | "create, then delete";
  /** The provider keeps priorities unique by itself, and moves ACLs through free priorities. */
  readonly isOwn: boolean;
}

export interface AclChanges {
  readonly changes: readonly AclChange[];
  readonly unchanged: readonly PlannedAcl[];
}

/** `objects`: the network ACLs of the plans. */
export function aclChanges(versions: AclVersions, objects: readonly PlannedObject[]): AclChanges {
  const { before, after } = versions;
  const planned = new Map(objects.map((object) => [nameOf(object), object]));
  const differing = changedAcls(versions);
  const rest = new Set(after);
  const unchanged: PlannedAcl[] = [];
  const changes: AclChange[] = [];
  const add = (old: PlannedAcl | undefined, now: PlannedAcl | undefined) => {
    const object = planned.get(nameOf((now ?? old)!));
    const how = howOf(object?.actions ?? [], old, now);
    if (how === "update" && !differing.has(now!.key) && isSamePlace(old!, now!)) unchanged.push(now!);
    else if (old && !now && object && !acts(object)) unchanged.push(old);
    else changes.push({ ...(old && { before: old }), ...(now && { after: now }), how, isOwn: isOwn(object) });
  };
  for (const old of before) {
    const now = [...rest].find(({ id, key }) => key === old.key || (id !== undefined && id === old.id));
    if (now) rest.delete(now);
    add(old, now);
  }
  for (const now of rest) add(undefined, now);
  return { changes, unchanged };
}

/** Other resources may manage one ACL under several addresses. */
const isSamePlace = (old: PlannedAcl, now: PlannedAcl) => old.key === now.key;

const nameOf = ({ address, plan }: Pick<PlannedAcl, "address" | "plan">) => JSON.stringify([address, plan]);

const isOwn = (object: PlannedObject | undefined) => object?.type === "tenant_network_acl";

function howOf(actions: readonly string[], old: PlannedAcl | undefined, now: PlannedAcl | undefined): AclChange["how"] {
  if (!old) return "create";
  if (!now) return "delete";
  const [first, last] = [actions.indexOf("create"), actions.indexOf("delete")];
  if (first < 0 || last < 0) return "update";
  return first < last ? "create, then delete" : "delete, then create";
}
