/** The change of one object, in words and for the verdict on the whole plan. */
import type { Code } from "../impact/finding";
import type { PlannedObject, Remote } from "../impact/model";

export interface ChangeNote {
  /** `Network ACL "Office" (acl_…)`. */
  readonly title: string;
  /** `blocks 65,536 fewer IPv4 addresses, scope authentication, priority 10`. */
  readonly words: string;
  /** The findings that docs/guides/findings.md explains. */
  readonly codes?: readonly Code[];
  /** A small edit may allow or block many requests. */
  readonly dangerous: boolean;
  /** It may have a high or critical effect, alone or with other changes. */
  readonly mayBeGrave: boolean;
  /** Terraform hides unchanged attributes, so the words say more than Terraform does. */
  readonly explains: boolean;
  readonly object: PlannedObject;
  /** The members that the tenant lists. */
  readonly members?: Remote["organization_members"];
}

/** How a plan changes an object. */
export const actionWords = {
  create: "is created",
  keep: "stays",
  update: "changes",
  replace: "is replaced",
  destroy: "is destroyed",
} as const;
