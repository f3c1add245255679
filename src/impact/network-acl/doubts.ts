/** Words what is not sure about an ACL. */
import type { AclDoubt } from "../../access/access";
import type { PlannedAcl } from "./acl";

const whys: Readonly<Record<AclDoubt<PlannedAcl>["why"], string>> = {
  "not known": "is known only after the apply",
  "not readable": "has a value that this version does not read",
  "letter case": "has a code in another letter case, which Auth0 may compare exactly or not",
  "one or two signals": "has both kinds of connecting addresses, which Auth0 may count as one signal or two",
  "mapped address": "has an IPv4-mapped address, which may match its IPv4 address",
  "same priority": "is that of another ACL",
};

/** `match.ipv4_cidrs of tenant_network_acl.office is known only after the apply` */
export function doubtWords({ acl, path, why }: AclDoubt<PlannedAcl>): string {
  return `${path} of ${acl.address ?? acl.id ?? acl.description} ${whys[why]}`;
}
