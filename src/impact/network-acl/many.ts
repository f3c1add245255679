/** More network ACLs than any plan of Auth0 includes. */
import { effect, type Effect } from "../effect";
import type { AclVersions } from "./acl";

/** With an Enterprise subscription and the Attack Protection add-on. */
export const mostAcls = 10;

/** `there`: `The stack has` */
export const manyAclsWords = (there: string, count: number): string =>
  `${there} ${count} network ACLs for one tenant. An Auth0 Enterprise subscription includes one, or ${mostAcls} with the Attack Protection ` +
  "add-on. Auth0 refuses further ones.";

/** Only if the plan adds ACLs: those that a tenant has are included. */
export function manyAclsEffects({ before, after }: AclVersions): Effect[] {
  const { length } = after.filter(({ unplaced }) => !unplaced);
  if (length <= mostAcls || length <= before.length) return [];
  return [effect("TNF-ACL-MANY", { kind: "acl", about: "number", count: length })];
}
