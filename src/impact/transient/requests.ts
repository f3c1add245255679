/** Words the requests that an intermediate state affects. */
import type { Transient } from "../../access/access";
import type { PlannedAcl } from "../network-acl/acl";
import { criteriaWords } from "../network-acl/literal-words";
import type { AclStage } from "./stages";

type Outcome = "allowed" | "blocked";

/** `requests with user agent curl`: the criteria of the rules that decide before and on the way. */
export function wordsOfNamed({ before, acl }: Transient<PlannedAcl, AclStage>, from: Outcome, to: Outcome): string {
  const change = {
    before: { outcome: from, ...(before && { acl: before }) },
    after: { outcome: to, ...(acl && { acl }) },
    certainty: "possible",
    assumptions: [],
  } as const;
  return criteriaWords({ changes: [change] }).join();
}

/** Whether rules have values that must not be shown. */
export const hidesRules = (secrets: ReadonlySet<string>): boolean =>
  [...secrets].some((name) => name !== "description" && name !== "priority");
