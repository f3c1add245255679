/** Makes effects of judged statements. */
import type { Cause } from "../cause";
import { effect, type Effect, effectIdentity, type Subject } from "../effect";
import { acts, distinctBy, isReplaced, type PlannedObject, type Remote } from "../model";
import { type AclAnalysis, causeOf, causesOf } from "../network-acl/analysis";
import { kindOf } from "../../kinds/kinds";
import { networkAcl } from "../../kinds/network-acl";
import { rateLimitPolicy } from "../../kinds/rate-limit-policy";
import type { AclVersions } from "../network-acl/acl";
import { ownLimitEffects } from "../rate-limit-policy/own-client";
import { ofExpectation, ofLockout, refusedBy } from "../refusals";
import { statesOf, type TenantState } from "../state";
import type { Replaced, StatementFacts } from "./facts";
import { judgeExpectations } from "./judge";
import { assumptionsOf, type Lockout, lockoutFacts, lockoutsOf, type Terraform } from "./lockout";
import {
  type BuiltIn,
  type Enforced,
  type Expectation,
  familyOf,
  type JudgedCause,
  type JudgedExpectation,
} from "./statement";

/** What must stay true of the tenant, as far as the plan concerns it. */
export interface Statements {
  readonly builtIn: readonly Enforced<BuiltIn>[];
  /** Each of them is enforced. */
  readonly expectations?: readonly Expectation[];
  readonly terraform: Terraform;
}

interface Analysed {
  readonly objects: readonly PlannedObject[];
  readonly remote: Remote;
  readonly versions: AclVersions;
  readonly acls: AclAnalysis;
  readonly policies: readonly unknown[];
}

export function statementEffects(analysed: Analysed, { builtIn, expectations = [], terraform }: Statements): Effect[] {
  const { remote, policies: limited } = analysed;
  const isReplacing = analysed.objects.some(isReplaced);
  // An expectation about a list that nobody has read is undecided.
  const read = ({ acls: all, policies, ...rest }: TenantState): TenantState => ({
    ...rest,
    ...(remote.network_acls && { acls: all! }),
    ...(remote.rate_limit_policies && { policies: policies! }),
  });
  const judged = () => {
    const { before, after } = statesOf(analysed);
    const states = { before: read(before), after: read(after) };
    const steps = isReplacing ? judgeReplacements(expectations, states.before, analysed.objects) : [];
    return [...steps, ...judgeExpectations(expectations, states)];
  };
  return [
    ...lockoutEffects(analysed, builtIn, terraform),
    ...(isReplacing ? replacementLockouts(analysed, builtIn, terraform) : []),
    ...(expectations.length > 0 ? expectationEffects(judged().map((one) => ({ ...one, isEnforced: true }))) : []),
    ...(limited.length > 0 ? builtIn.flatMap((one) => ownLimitEffects(analysed, one, terraform)) : []),
  ];
}

/** Each text once, of the first statement. */
export function lockoutEffects(
  { objects, versions, acls }: Pick<Analysed, "objects" | "versions" | "acls">,
  builtIn: readonly Enforced<BuiltIn>[],
  terraform: Terraform,
): Effect[] {
  if (versions.before.length + versions.after.length === 0) return [];
  const found = builtIn.flatMap((one) =>
    lockoutsOf(one.stated, versions, terraform).flatMap((lockout) => {
      if (!isNews(lockout, objects)) return [];
      const { already, by, certainty } = lockout;
      const of = ofLockout(lockout);
      const refuses = refusedBy(of, one);
      const facts = lockoutFacts(lockout);
      const cause = already ? [] : causesOfLockout(by[0]?.address, acls);
      // It stands at the object that the plan changes.
      const { address, plan } = cause[0] ?? by[0] ?? {};
      return effect(of.code, facts, {
        ...(address !== undefined && { address }),
        ...(plan !== undefined && { plan }),
        ...(refuses !== undefined && { refuses }),
        ...(already && { already }),
        cause,
        certainty,
        assumptions: certainty === "possible" ? assumptionsOf(facts) : [],
      });
    }),
  );
  return distinctBy(found, effectIdentity);
}

interface Missing extends PlannedObject {
  readonly replaced: Replaced;
}

/**
 * The replaced objects that are missing for a while: the new one needs the same priority or selector, so it cannot come first, and no other
 * change of the plan is sure to come before.
 */
function replacedIn(objects: readonly PlannedObject[]): Missing[] {
  return objects.flatMap((object) => {
    const { type, address, before, after, keepsOld } = object;
    const kind = kindOf(type);
    const noun = kind === networkAcl ? "ACL" : "policy";
    if ((kind !== networkAcl && kind !== rateLimitPolicy) || !isReplaced(object) || keepsOld) return [];
    const isSame = kind.uniqueKey.every((name) => before?.[name] === after?.[name]);
    return isSame ? [{ ...object, replaced: { address, noun } }] : [];
  });
}

type Addressed = Pick<Subject, "address" | "plan">;

const isOther =
  ({ address, plan }: PlannedObject) =>
  (one: Addressed) =>
    one.address !== address || one.plan !== plan;

function replacementLockouts(
  { objects, versions: { before } }: Analysed,
  builtIn: readonly Enforced<BuiltIn>[],
  terraform: Terraform,
): Effect[] {
  const found = replacedIn(objects.filter(({ type }) => kindOf(type) === networkAcl)).flatMap((object) => {
    const versions = { before, after: before.filter(isOther(object)) };
    return builtIn.flatMap((one) =>
      lockoutsOf(one.stated, versions, terraform).flatMap((lockout) => {
        const of = ofLockout(lockout);
        if (!of.refuses) return [];
        const refuses = refusedBy(of, one);
        const facts = { ...lockoutFacts(lockout), replaced: object.replaced };
        return effect(of.code, facts, {
          cause: [causeOfReplaced(object)],
          ...(refuses !== undefined && { refuses }),
        });
      }),
    );
  });
  return distinctBy(found, effectIdentity);
}

const causeOfReplaced = ({ address, plan }: Pick<PlannedObject, "address" | "plan">): Cause => ({
  address,
  ...(plan !== undefined && { plan }),
  change: { kind: "replaced" },
});

/** The expectations that a replacement breaks while its object is missing. */
export function judgeReplacements(
  expectations: readonly Expectation[],
  before: TenantState,
  objects: readonly PlannedObject[],
): (JudgedExpectation & { readonly missing: Missing })[] {
  return replacedIn(objects).flatMap((object) => {
    const { family } = kindOf(object.type)!;
    const rest = isOther(object);
    const { acls, policies } = before;
    const after = {
      ...before,
      ...(acls && { acls: acls.filter(rest) }),
      ...(policies && { policies: policies.filter(rest) }),
    };
    const own = expectations.filter(({ statement }) => familyOf[statement.kind] === family);
    return judgeExpectations(own, { before, after })
      .filter(({ verdict, already }) => verdict === "broken" && !already)
      .map((one) => ({ ...one, missing: object }));
  });
}

/** Whether to report the lock-out. An older one must be certain, and concern a protected request or a plan that changes ACLs. */
function isNews({ kind, already, certainty }: Lockout, objects: readonly PlannedObject[]): boolean {
  if (!already) return true;
  const isAclChange = (one: PlannedObject) => kindOf(one.type) === networkAcl && acts(one) && !one.notTargeted;
  return certainty !== "possible" && (kind === "protected request" || objects.some(isAclChange));
}

/** The ACL that decides, or, if the plan leaves it unchanged, the changed ACLs that make requests reach it. */
function causesOfLockout(address: string | undefined, analysis: AclAnalysis): Cause[] {
  const own = [...analysis.changed.values()].filter(({ after }) => after !== undefined && after.address === address);
  const others = analysis.outcomes.filter(({ after }) => after !== "allowed").flatMap((one) => causesOf(one, analysis));
  return [...new Set(own.length > 0 ? own : others)].map(causeOf);
}

/** `isEnforced`: whether the provider judges it on these changes. Left out: the plans do not show it. */
type Judged = JudgedExpectation & { readonly isEnforced?: boolean; readonly missing?: Missing };

/** One effect for each expectation that does not hold. */
export function expectationEffects(judged: readonly Judged[]): Effect[] {
  return judged.flatMap((one) => {
    const { expectation, verdict, reason, already, cause, assumptions, counterexample, missing } = one;
    const found = ofExpectation(one);
    if (!found) return [];
    // The provider sees no users and no organizations.
    const isEnforced = cause.some(({ isGone }) => isGone) ? undefined : one.isEnforced;
    const refuses = refusedBy(found, { stated: expectation, isEnforced });
    const about = {
      ...(!missing && subjectOf(one)),
      assumptions,
      level: found.level,
      ...(refuses !== undefined && { refuses }),
    };
    const facts: StatementFacts = {
      kind: "statement",
      name: expectation.name,
      was: already ? "broken" : "other",
      is: verdict === "broken" ? "broken" : "undecided",
      reason,
      ...(missing && { replaced: missing.replaced }),
    };
    if (verdict !== "broken" || already) return effect(found.code, facts, { ...about, ...(already && { already }) });
    return effect(found.code, facts, {
      ...about,
      cause: missing ? [causeOfReplaced(missing)] : causeOfExpectation(cause, expectation),
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
  const { address, plan, isBefore, isGone } = all.find((one) => one.address !== undefined) ?? {};
  if (address === undefined) return [];
  const decides = { kind: "decides", what: kind, ...(isBefore && { before: true as const }) } as const;
  const change = isGone ? ({ kind: "destroyed" } as const) : decides;
  return [{ address, ...(plan !== undefined && { plan }), change }];
}
