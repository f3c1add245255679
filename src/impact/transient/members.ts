/** Reports members that lose access for a moment, because the Go provider removes them before it adds them again. */
import { clipped } from "../clipped";
import { finding, type Finding } from "../finding";
import { hidden } from "../hidden";
import type { PlannedObject } from "../model";
import { setsIn } from "../organization-member-set/set";
import { momentarily } from "./moment-words";
import { lower } from "./open";

/** More members than this are many. */
const many = 10;

/** Our provider keeps members that the next set has too. */
export function memberFindings(objects: readonly PlannedObject[]): Finding[] {
  const replaced = objects.filter(
    ({ type, actions }) => type.startsWith("auth0_") && actions.includes("create") && actions.indexOf("delete") === 0,
  );
  return setsIn(replaced).flatMap(({ address, plan, before, after }) => {
    if (!before || before.organization === undefined || before.organization !== after?.organization) return [];
    const staying = before.members.filter((person) => after.members.includes(person)).length;
    if (staying === 0) return [];
    const place = before.isSecretOrganization || after.isSecretOrganization ? hidden : clipped(before.organization);
    const who = staying === 1 ? "1 member" : `${staying} members`;
    const what = `${who} of ${place} lose${staying === 1 ? "s" : ""} access.`;
    const text =
      `${momentarily(what)} This happens while ${clipped(address)} is destroyed and not created again yet. If you do not want to ` +
      "replace the object, remove its taint or `-replace`.";
    const level = lower(staying > many ? "high" : "low");
    return [finding("TF-TRANSIENT-LOCKOUT", text, { address, ...(plan !== undefined && { plan }), level })];
  });
}
