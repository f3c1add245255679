/** More network ACLs than any plan of Auth0 includes. */
import { mostAcls } from "../../kinds/network-acl";
import { effect, type Effect } from "../effect";
import type { AclVersions } from "./acl";

/** Only if the plan adds ACLs: those that a tenant has are included. */
export function manyAclsEffects({ before, after }: AclVersions): Effect[] {
  const { length } = after.filter(({ unplaced }) => !unplaced);
  if (length <= mostAcls || length <= before.length) return [];
  return [effect("TNF-ACL-MANY", { kind: "acl", about: "number", count: length })];
}
