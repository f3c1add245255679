/** The ends of everything that is in force after a change. */
import type { End } from "../expiry/ends";
import { hidden } from "../hidden";
import { isMarked } from "../value";

export interface MeantEnd {
  /** `The network ACL with priority 10`, `The membership of auth0|ada in org_1`. */
  readonly what: string;
  /** In UTC. */
  readonly end: string;
}

/** Without ends that are sensitive, or that belong to something sensitive. */
export function meantEnds(ends: readonly End[]): MeantEnd[] {
  return ends.flatMap((end) => {
    const { status, subject, member, object, instant } = end;
    const priority = object.after?.["priority"] ?? 50;
    const isOpen = typeof priority !== "number" || isMarked(object.afterSensitive, "priority");
    const isSecret = end.end === hidden || (member === undefined ? isOpen : subject.includes(hidden));
    if (status === "expires" || status === "over" || isSecret) return [];
    const what = member === undefined ? `The network ACL with priority ${priority}` : subject;
    return [{ what, end: new Date(instant).toISOString() }];
  });
}
