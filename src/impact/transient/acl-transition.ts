/** The change of the network ACLs of a tenant, write by write. */
import { requestOf, type AccessRequest, type Api, type Transition } from "../../access/access";
import type { PlannedAcl } from "../network-acl/acl";
import type { AclVersions } from "../network-acl/versions";
import type { AclChange, AclChanges } from "./acl-change";
import type { DependsOn } from "./order";
import { groupsOf, type AclStage } from "./stages";

export interface AclTransition extends Transition<PlannedAcl, AclStage> {
  readonly changes: readonly AclChange[];
}

/** undefined: too many changes depend on each other. */
export function aclTransition(
  versions: AclVersions,
  { changes, unchanged }: AclChanges,
  dependsOn: DependsOn,
): AclTransition | undefined {
  const groups = groupsOf({ changes, unchanged }, dependsOn);
  return groups && { ...versions, unchanged, groups, changes };
}

/** Whether the apply has no state that differs from those before and after it. */
export const isOneWrite = ({ groups }: AclTransition): boolean =>
  groups.reduce((sum, { length }) => sum + length - 1, 0) < 2;

export const requestTo = (
  api: Api,
  { ip, country }: { readonly ip: string; readonly country: string },
): AccessRequest => ({ ...requestOf("/", { ip, country }), api });
