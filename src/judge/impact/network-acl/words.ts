/** Words a network ACL. The renderer makes untrusted text safe. */
import { clipped, hidden } from "../../../formats/text/lists";
import type { PlannedAcl } from "./acl";
import { isUnknown } from "../../../formats/cty/value";

/** `"Wall" (priority 90)`; without a description, the address or id. */
export const titleOf = (acl: PlannedAcl | undefined): string => (acl ? shortTitle(acl, mostOfTitle) : "No ACL");

/** Auth0 accepts no more. */
const mostOfTitle = 255;

/** `most`: how long the description may be. */
export function shortTitle(acl: PlannedAcl, most: number): string {
  const { priority, secret } = acl;
  const number = secret.has("priority") ? hidden : priority;
  const place = isUnknown(number) ? "priority not known yet" : `priority ${number}`;
  const whose = acl.tenantUnknown ? ", perhaps another tenant's" : "";
  return `${acl.description === "" ? (acl.address ?? acl.id ?? "an ACL") : `"${clipped(acl.description, most)}"`} (${place}${whose})`;
}

/** `ACL "Wall" (priority 90)` */
export const aclWords = (acl: PlannedAcl): string =>
  `${acl.description === "" && (acl.address ?? acl.id) === undefined ? "" : "ACL "}${shortTitle(acl, 100)}`;
