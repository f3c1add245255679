/** Makes effects of judged statements. */
import type { Cause } from "../cause";
import { effect, identityOf, type Effect, type Subject } from "../effect";
import type { PlannedObject, Remote } from "../model";
import { causeOf, causesOf, type AclAnalysis } from "../network-acl/analysis";
import { canonical } from "../../../formats/cty/value";
import { isOpen, type AclVersions } from "../network-acl/acl";
import { ownLimitEffects, type OwnClient } from "../rate-limit-policy/own-client";
import { ofExpectation, ofLockout } from "../refusals";
import { statesOf, type TenantState } from "../state";
import type { StatementFacts } from "./facts";
import { judgeExpectations } from "./judge";
import { distinctBy } from "../value";
import { judgeGuard, ownLockouts, type Guarded, type Lockout } from "./lockout";
import type { ProtectedRequest } from "./protected-request";
import type { Expectation, JudgedCause, JudgedExpectation } from "./statement";
import { assumptionsOf, lockoutFacts } from "./words";

/** What must stay true of the tenant, as far as the plan concerns it. */
export interface Statements {
  readonly guarded?: Guarded;
  /** Each of them is enforced. */
  readonly expectations?: readonly Expectation[];
  readonly ownClient?: OwnClient;
}

interface Analysed {
  readonly objects: readonly PlannedObject[];
  readonly remote: Remote;
  readonly versions: AclVersions;
  readonly acls: AclAnalysis;
}

export function statementEffects(analysed: Analysed, { guarded, expectations = [], ownClient }: Statements): Effect[] {
  const { versions, remote, acls } = analysed;
  // An expectation about a list that nobody has read is undecided.
  const read = ({ acls: all, policies, ...rest }: TenantState): TenantState => ({
    ...rest,
    ...(remote.network_acls && { acls: all! }),
    ...(remote.rate_limit_policies && { policies: policies! }),
  });
  const judged = () => {
    const { before, after } = statesOf(analysed);
    return judgeExpectations(expectations, { before: read(before), after: read(after) });
  };
  return [
    ...(guarded ? lockoutEffects(versions, guarded, acls) : []),
    ...(expectations.length > 0 ? expectationEffects(judged().map((one) => ({ ...one, isEnforced: true }))) : []),
    ...(ownClient ? ownLimitEffects(analysed, ownClient) : []),
  ];
}

/** Each text once. */
export function lockoutEffects(versions: AclVersions, guarded: Guarded, analysis: AclAnalysis): Effect[] {
  if (versions.before.length + versions.after.length === 0) return [];
  const found = judgeGuard(guarded, versions)
    .filter((lockout) => isNews(lockout, guarded.changesAcls))
    .map((lockout) => {
      const { already, by, certainty } = lockout;
      const { code } = ofLockout(lockout);
      const refuses = isRefused(lockout, guarded, versions);
      const facts = lockoutFacts(lockout);
      const cause = already ? [] : causesOfLockout(by[0]?.address, analysis);
      // It stands at the object that the plan changes.
      const { address, plan } = cause[0] ?? by[0] ?? {};
      return effect(code, facts, {
        ...(address !== undefined && { address }),
        ...(plan !== undefined && { plan }),
        ...(refuses !== undefined && { refuses }),
        ...(already && { already }),
        cause,
        certainty,
        assumptions: certainty === "possible" ? assumptionsOf(facts) : [],
      });
    });
  return distinctBy(found, identityOf);
}

/** Whether the provider refuses the plan or a write because of the lock-out. Undefined: the plans do not show it. */
function isRefused(lockout: Lockout, { judge, requests, terraform }: Guarded, versions: AclVersions) {
  const { kind, already, by, unless = [], request } = lockout;
  if (already || (judge?.strength !== undefined && judge.strength !== "error")) return false;
  // The apply knows the values.
  if (!ofLockout(lockout).refuses) return by.some(isOpen) || unless.length > 0 ? undefined : false;
  if (judge?.strength === undefined) return undefined;
  if (kind !== "protected request") {
    const own = ownLockouts(versions, judge.requests, terraform);
    return own.some((one) => one.kind === kind && ofLockout(one).refuses);
  }
  const has = (all: readonly ProtectedRequest[]) => all.some((one) => canonical(one) === canonical(request));
  if (has(judge.requests)) return true;
  return has(requests.own) ? undefined : false;
}

/** Whether to report the lock-out. An older one must be certain, and concern a protected request or a plan that changes ACLs. */
function isNews({ kind, already, certainty }: Lockout, changesAcls: boolean): boolean {
  return !already || (certainty !== "possible" && (kind === "protected request" || changesAcls));
}

/** The ACL that decides, or, if the plan leaves it unchanged, the changed ACLs that make requests reach it. */
function causesOfLockout(address: string | undefined, analysis: AclAnalysis): Cause[] {
  const own = [...analysis.changed.values()].filter(({ after }) => after !== undefined && after.address === address);
  const others = analysis.outcomes.filter(({ after }) => after !== "allowed").flatMap((one) => causesOf(one, analysis));
  return [...new Set(own.length > 0 ? own : others)].map(causeOf);
}

/** `isEnforced`: whether the provider judges it on these changes. Left out: the plans do not show it. */
type Judged = JudgedExpectation & { readonly isEnforced?: boolean };

/** One effect for each expectation that does not hold. */
export function expectationEffects(judged: readonly Judged[]): Effect[] {
  return judged.flatMap((one) => {
    const { expectation, verdict, reason, already, cause, assumptions, counterexample } = one;
    const found = ofExpectation(one);
    if (!found) return [];
    const isAnswered = verdict === "broken" && (already || one.isEnforced !== undefined);
    const about = {
      ...subjectOf(one),
      assumptions,
      level: found.level,
      ...(isAnswered && { refuses: found.refuses && one.isEnforced === true }),
    };
    const facts: StatementFacts = {
      kind: "statement",
      name: expectation.name,
      was: already ? "broken" : "other",
      is: verdict === "broken" ? "broken" : "undecided",
      reason,
    };
    if (verdict !== "broken" || already) return effect(found.code, facts, { ...about, ...(already && { already }) });
    return effect(found.code, facts, {
      ...about,
      cause: causeOfExpectation(cause, expectation),
      certainty: assumptions.length === 0 ? "certain" : "possible",
      examples: counterexample ? [counterexample] : [],
    });
  });
}

/** The first object that a plan manages. */
function subjectOf({ cause, expectation }: JudgedExpectation): Pick<Subject, "address" | "plan"> {
  const managed = cause.find(({ address }) => address !== undefined);
  const plan = managed ? managed.plan : expectation.plan;
  return {
    ...(managed?.address !== undefined && { address: managed.address }),
    ...(plan !== undefined && { plan }),
  };
}

/** The first object that a plan manages. The text names an unmanaged object. */
function causeOfExpectation(all: readonly JudgedCause[], { statement: { kind } }: Expectation): Cause[] {
  const { address, plan, isBefore } = all.find((one) => one.address !== undefined) ?? {};
  if (address === undefined) return [];
  const change = { kind: "decides", what: kind, ...(isBefore && { before: true as const }) } as const;
  return [{ address, ...(plan !== undefined && { plan }), change }];
}
