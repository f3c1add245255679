/** Words a network ACL. The renderer makes untrusted text safe. */
import { hidden } from "../phrases";
import type { PlannedAcl } from "./acl";

/** Description and priority; without a description, the address or id. */
export function titleOf(acl: PlannedAcl | undefined): string {
  if (!acl) return "No ACL";
  const number = acl.secret.has("priority") ? hidden : acl.priority;
  const place = Number.isNaN(number) ? "priority not known yet" : `priority ${number}`;
  const whose = acl.unplaced ? ", perhaps another tenant's" : "";
  return `${acl.description === "" ? (acl.address ?? acl.id ?? "an ACL") : `"${acl.description}"`} (${place}${whose})`;
}

/** Why an ACL can never match. */
export function shadowWords(shadowedBy: readonly PlannedAcl[]): string {
  if (shadowedBy.length === 0) return "no request has all that its own criteria demand";
  return `shadowed by ${shadowedBy.map(titleOf).join(" and ")}`;
}
