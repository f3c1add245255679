/** Compares the network ACLs before and after a change, over all possible requests. */
import {
  createComparison,
  inOrder,
  difference,
  type Difference,
  type Unreachable,
  loggingChanges,
  type LoggingChange,
} from "../../access/access";
import { hidden } from "../hidden";
import { secretTexts, type PlannedAcl } from "./acl";
import { unreachableAcls } from "./reachability";
import type { AclVersions } from "./versions";

export interface AclAnalysis extends Difference<PlannedAcl> {
  /** The active ones, in order of evaluation. */
  readonly before: readonly PlannedAcl[];
  readonly after: readonly PlannedAcl[];
  readonly unreachable: readonly Unreachable<PlannedAcl>[];
  /** ACLs that logged requests which no ACL logs after the change. */
  readonly unrecorded: readonly LoggingChange<PlannedAcl>[];
  /** Properties of rules that must not be shown. */
  readonly secrets: ReadonlySet<string>;
}

/** `isDoubtful`: the tenant may have more than these ACLs. */
export function analyseAcls({ before, after }: AclVersions, isDoubtful = false): AclAnalysis {
  const comparison = createComparison(before, after);
  const found = difference(comparison);
  const redact = redactionOf([...before, ...after]);
  return {
    ...found,
    proven: found.proven && !isDoubtful,
    changes: found.changes.map((change) => ({ ...change, assumptions: change.assumptions.map(redact) })),
    before: inOrder(before),
    after: inOrder(after),
    unreachable: unreachableAcls(after),
    unrecorded: loggingChanges(comparison).lost,
    secrets: new Set([...before, ...after].flatMap(({ secret }) => [...secret])),
  };
}

/** Assumptions quote values of rules, and some of these values must not be shown. */
function redactionOf(acls: readonly PlannedAcl[]): (words: string) => string {
  const texts = acls.flatMap(secretTexts);
  return (words) => texts.reduce((shown, text) => shown.replaceAll(text, hidden), words);
}
