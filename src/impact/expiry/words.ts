/** Words the ends of objects and members. */
import { distanceWords, instantWords } from "../../text/instant";
import { hidden } from "../hidden";
import type { End } from "./ends";

/** `Network ACL "Office" (acl_…) expires on 1 December 2026, 18:00 UTC, in 8 days` */
export function endWords({ subject, status, end, instant }: End, now: number): string {
  const verb = status === "soon" || status === "later" ? "expires" : "expired";
  const time =
    end === hidden ? "at a time that is sensitive" : `on ${instantWords(end)}, ${distanceWords(instant, now)}`;
  return `${subject} ${verb} ${time}`;
}

/** How the plan treats ends of one status, in sentences. None for ends to come. */
export function consequenceOf({ status, member }: Pick<End, "status" | "member">, isOne: boolean): string[] {
  if (status === "overdue")
    return [`This plan leaves ${isOne ? "it" : "them"} in force. Plan again with a refresh, and apply.`];
  if (status !== "expires") return [];
  if (member !== undefined) {
    return [
      `This plan removes ${isOne ? "the member" : "the members"}. Delete ${isOne ? "the entry" : "the entries"} too.`,
    ];
  }
  const [object, block] = isOne ? ["the ACL", "its block"] : ["the ACLs", "their blocks"];
  return [`This plan switches ${object} off. Delete ${block} to remove ${isOne ? "it" : "them"} from the tenant.`];
}
