/** The evaluation of one request, ACL by ACL. */
import { inOrder, matches } from "../access/access";
import { hidden } from "../impact/hidden";
import type { PlannedAcl } from "../impact/network-acl/acl";
import { titleOf } from "../impact/network-acl/words";
import { decisionOf, endWords } from "./decision";
import { asRequest, type Facts } from "./probe";

export interface Evaluation {
  /** One line for each evaluated ACL, in the order of evaluation: whether it matches, and why. */
  readonly steps: readonly string[];
  /** The outcome and the deciding ACL, in words. */
  readonly end: string;
  /** Whether every assumption leads to this outcome. */
  readonly certain: boolean;
  /** The deciding ACL. undefined: no ACL matches. */
  readonly by?: PlannedAcl;
}

export function evaluationOf(acls: readonly PlannedAcl[], facts: Facts): Evaluation {
  const request = asRequest(facts);
  const decision = decisionOf(acls, request);
  const { by, certain } = decision;
  const steps: string[] = [];
  for (const acl of inOrder(acls)) {
    const { matches: match, because } = matches(acl.rule, request);
    const why = acl.secret.size > 0 ? hidden : because;
    const word = { yes: "matches", perhaps: "may match", no: "does not match" }[match];
    steps.push(`${titleOf(acl)} ${word}: ${why}`);
    if (acl === by && certain) break;
  }
  return { steps, end: endWords(decision, by && titleOf(by)), certain, ...(by && { by }) };
}
