/** Makes the findings and the effects of a review from judged statements. */
import { clipped } from "../clipped";
import { finding, type Finding } from "../finding";
import type { AclAnalysis } from "../network-acl/analysis";
import { causeOf } from "../network-acl/causes";
import { unchangedAcls } from "../network-acl/unchanged";
import type { AclVersions } from "../network-acl/versions";
import { ofExpectation, ofLockout } from "../refusals";
import type { Cause, Effect } from "../verdict/effect";
import { judgeGuard, type Guarded, type Lockout } from "./lockout";
import type { Expectation, JudgedCause, JudgedExpectation } from "./statement";
import { isUnchanged, lockoutWords } from "./words";

/** A lock-out that a review reports. */
export interface LockoutReport {
  readonly lockout: Lockout;
  readonly finding: Finding;
}

/** `changesAcls`: a plan changes network ACLs. Each text once. */
export function lockoutReports(versions: AclVersions, guarded: Guarded, changesAcls: boolean): LockoutReport[] {
  const unchanged = unchangedAcls(versions);
  const found = judgeGuard(guarded, versions)
    .filter((lockout) => isNews(lockout, changesAcls))
    .map((lockout): LockoutReport => {
      const { already, by, kind } = lockout;
      const was = isUnchanged(lockout) ? "This was already so" : "Another network ACL blocked it";
      const text = `${lockoutWords(lockout)}${already ? ` ${was} before the change.` : ""}`;
      // Somebody may have closed an API on purpose. A protected request that is blocked is always wrong.
      const isUntouched = already && (kind !== "protected request" || by.every((acl) => unchanged.has(acl)));
      const about = { ...by[0], ...(isUntouched && { already }) };
      return { lockout, finding: finding(ofLockout(lockout).code, text, about) };
    });
  return [...new Map(found.map((one) => [`${one.finding.code} ${one.finding.text}`, one])).values()];
}

/** Whether to report the lock-out. An older one must be certain, and concern a protected request or a plan that changes ACLs. */
export function isNews({ kind, already, certainty }: Lockout, changesAcls: boolean): boolean {
  return !already || (certainty !== "possible" && (kind === "protected request" || changesAcls));
}

/** What the plan causes: an older lock-out is only a finding. */
export function lockoutEffects(reports: readonly LockoutReport[], analysis: AclAnalysis): Effect[] {
  return reports
    .filter(({ lockout }) => !lockout.already)
    .map(({ lockout, finding: { level, text, address } }) => ({
      kind: "lockout",
      level,
      apis: [],
      share: null,
      who: "Terraform or a protected request",
      text: `Lock-out: ${text}`,
      cause: causesOfLockout(address, analysis),
      certainty: lockout.certainty,
      assumptions: [],
      examples: [],
    }));
}

/** The ACL that decides, or, if the plan leaves it unchanged, the changed ACLs that make requests reach it. */
function causesOfLockout(address: string | undefined, { changed, parts }: AclAnalysis): Cause[] {
  const own = [...changed.values()].filter(({ after }) => after !== undefined && after.address === address);
  const others = parts.filter(({ after }) => after !== "allowed").map(({ cause }) => cause);
  return [...new Set(own.length > 0 ? own : others)].map(causeOf);
}

/** One finding for each expectation that does not hold. */
export function expectationFindings(judged: readonly JudgedExpectation[]): Finding[] {
  return judged.flatMap((one) => {
    const { expectation, verdict, text, already } = one;
    const found = ofExpectation(one);
    if (!found) return [];
    const is = verdict === "broken" ? "is broken" : "is not decided";
    const was = already ? " It was so before this change." : "";
    const words = `Expectation "${clipped(expectation.name, 100)}" ${is}: ${lowerFirst(text)}${was}`;
    return finding(found.code, words, { ...subjectOf(one), ...(already && { already }), level: found.level });
  });
}

/** The first object that a plan manages. */
function subjectOf({ cause, expectation }: JudgedExpectation): Pick<Finding, "address" | "plan"> {
  const managed = cause.find(({ address }) => address !== undefined);
  const plan = managed ? managed.plan : expectation.plan;
  return {
    ...(managed?.address !== undefined && { address: managed.address }),
    ...(plan !== undefined && { plan }),
  };
}

const lowerFirst = (text: string) => text.replace(/^(A|The|No|It|This|Some)\b/, (word) => word.toLowerCase());

export function expectationEffects(judged: readonly JudgedExpectation[]): Effect[] {
  return judged
    .filter(({ verdict, already }) => verdict === "broken" && !already)
    .map((one) => {
      const { expectation, text, cause, assumptions, counterexample } = one;
      const called = `the expectation "${clipped(expectation.name)}"`;
      return {
        kind: "expectation",
        level: ofExpectation(one)!.level,
        apis: [],
        share: null,
        who: called,
        text: `Breaks ${called}: ${text.replace(/^A(?= )/, "a")}`,
        cause: causeOfExpectation(cause, expectation),
        certainty: assumptions.length === 0 ? "certain" : "possible",
        assumptions,
        examples: counterexample ? [counterexample] : [],
      };
    });
}

const verbs = { requests: "decides this request", policy: "sets this limit", members: "sets these members" };

/** The first object that a plan manages. The text names an unmanaged object. */
function causeOfExpectation(all: readonly JudgedCause[], { statement: { kind } }: Expectation): Cause[] {
  const index = all.findIndex(({ address }) => address !== undefined);
  const { address, plan } = all[index] ?? {};
  if (address === undefined) return [];
  const words = kind === "requests" && index > 0 ? "decided this request before" : verbs[kind];
  return [{ address, ...(plan !== undefined && { plan }), words }];
}
