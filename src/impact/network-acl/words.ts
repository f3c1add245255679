/** Words a network ACL, and what a change does to requests. The renderer makes untrusted text safe. */
import type { Change } from "../../access/access";
import { hidden } from "../hidden";
import type { PlannedAcl } from "./acl";
import { requestWords } from "./witness";

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

/** `A request such as /login from 203.0.113.7: was blocked ("Office" (priority 1)), will be allowed (no ACL matches).` */
export function changeWords(
  { before, after, certainty, witness, assumptions }: Change<PlannedAcl>,
  secrets: ReadonlySet<string>,
): string {
  const by = (acl: PlannedAcl | undefined) => (acl ? titleOf(acl) : "no ACL matches");
  const to = after.redirect_uri && !secrets.has("redirect_uri") ? ` to ${after.redirect_uri}` : "";
  const which = witness ? `A request such as ${requestWords(witness, secrets)}` : "Some requests perhaps";
  const when = { certain: "", possible: `, if ${assumptions.join(" and ")}`, "not decided": " (not decided)" };
  return `${which}: was ${before.outcome} (${by(before.acl)}), will be ${after.outcome}${to} (${by(after.acl)})${when[certainty]}.`;
}
