/** Words a network ACL. The renderer makes untrusted text safe. */
import { clipped, hidden } from "../../../formats/text/lists";
import type { AclDoubt } from "../../access/access";
import type { PlannedAcl } from "./acl";

/** `"Wall" (priority 90)`; without a description, the address or id. */
export const titleOf = (acl: PlannedAcl | undefined): string => (acl ? shortTitle(acl, Infinity) : "No ACL");

/** `most`: how long the description may be. */
export function shortTitle(acl: PlannedAcl, most: number): string {
  const { priority, secret } = acl;
  const number = secret.has("priority") ? hidden : priority;
  const place = typeof number === "symbol" ? "priority not known yet" : `priority ${number}`;
  const whose = acl.tenantUnknown ? ", perhaps another tenant's" : "";
  return `${acl.description === "" ? (acl.address ?? acl.id ?? "an ACL") : `"${clipped(acl.description, most)}"`} (${place}${whose})`;
}

/** `ACL "Wall" (priority 90)` */
export const aclWords = (acl: PlannedAcl): string =>
  `${acl.description === "" && (acl.address ?? acl.id) === undefined ? "" : "ACL "}${shortTitle(acl, 100)}`;

const whys: Readonly<Record<AclDoubt<PlannedAcl>["why"], string>> = {
  "not known": "is known only after the apply",
  "not readable": "has a value that this version does not read",
  "letter case": "has a code in another letter case, which Auth0 may compare exactly or not",
  "part of a text": "has a user agent, of which Auth0 may compare a part, in any letter case, or the whole",
  "one or two signals": "has both kinds of connecting addresses, which Auth0 may count as one signal or two",
  "mapped address": "has an IPv4-mapped address, which may match its IPv4 address",
  "same priority": "is that of another ACL",
};

/** `match.ipv4_cidrs of tenant_network_acl.office is known only after the apply` */
export function doubtWords({ acl, path, why }: AclDoubt<PlannedAcl>): string {
  return `${path} of ${acl.address ?? acl.id ?? acl.description} ${whys[why]}`;
}
