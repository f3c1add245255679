/** Judges statements on the state of a tenant before and after a change. */
import { hasUnknown, isUnknown } from "../../../formats/cty/value";
import type { States, TenantState } from "../state";
import { hidden } from "../../../formats/text/lists";
import { judgeMembers } from "./members";
import { judgePolicies } from "./policies";
import type { Reason } from "./reason";
import {
  type Expectation,
  type JudgedExpectation,
  type Judgement,
  held,
  objectOf,
  undecided,
  unknownNames,
  type JudgedCause,
  type MemberStatement,
  type PolicyStatement,
  type RequestStatement,
} from "./statement";
import {
  decide,
  isAboutNobody,
  prove,
  worsened,
  type Counterexample,
  type Proof,
  type Statement,
  type Worse,
} from "../../access/access";
import { doubtOf, unchangedAcls, type PlannedAcl } from "../network-acl/acl";
import { aclWords } from "../network-acl/words";
import { shownWitness } from "../network-acl/levels";
import type { Assumption } from "../words/assumption";

/**
 * One judgement for each expectation, in the same order. `before`: left out if it is not known. `isStep`: the change is one write of an
 * apply, which may add an object before the one that corrects it.
 */
export function judgeExpectations(
  expectations: readonly Expectation[],
  states: States,
  isStep = false,
): JudgedExpectation[] {
  const judge = (expectation: Expectation, statement: Expectation["statement"]) =>
    statement.kind === "requests"
      ? judgeRequests(expectation, statement, states, isStep)
      : judgeOne(expectation, statement, states, isStep);
  return expectations.map((expectation) => {
    const { statement } = expectation;
    const part = hasUnknown(statement) ? knownPart(statement) : undefined;
    const judged = part && judge(expectation, part);
    return { expectation, ...(judged?.verdict === "broken" ? judged : judge(expectation, statement)) };
  });
}

/** What the statement demands whatever its unknown parts are. Undefined: nobody knows of what. */
function knownPart(statement: Expectation["statement"]): Expectation["statement"] | undefined {
  if (statement.kind === "requests") {
    const { requests } = statement;
    const known = isUnknown(requests) ? [] : requests.filter((set) => !hasUnknown(set));
    const part = { ...statement, requests: known };
    return known.length === 0 || hasUnknown(part) ? undefined : part;
  }
  const { consumer, consumer_selector, organization_id } = statement as Partial<PolicyStatement & MemberStatement>;
  if ([consumer, consumer_selector, organization_id].some(isUnknown)) return undefined;
  const known = Object.entries(statement).flatMap(([name, part]) => (isUnknown(part) ? [] : [[name, withKnown(part)]]));
  return Object.fromEntries(known) as Expectation["statement"];
}

const withKnown = (part: unknown): unknown => (Array.isArray(part) ? part.filter((one) => !isUnknown(one)) : part);

function judgeOne(
  expectation: Expectation,
  statement: Exclude<Expectation["statement"], { readonly kind: "requests" }>,
  { before: was, after: is }: States,
  isStep: boolean,
): Judgement {
  const judge = (state: TenantState, other?: TenantState) =>
    statement.kind === "policy" ? judgePolicies(statement, state, other) : judgeMembers(statement, state);
  const { offences, bare, ...after } = judge(is, was);
  const { incomplete } = is;
  const found = incomplete === undefined || after.verdict === "undecided" ? after : incompletely(after, incomplete);
  if (found.verdict === "held") return found;
  const shown = expectation.isSecret ? withoutDetails(found) : found;
  const before = was && judge(was, is);
  // What a part that is not known will demand was not so before.
  const isAsBad =
    !hasUnknown(statement) &&
    before?.verdict === after.verdict &&
    [...offences].every(
      ([name, amount]) =>
        amount <= (before.offences.get(name) ?? -Infinity) && (isStep || !before.bare.has(name) || bare.has(name)),
    );
  return isAsBad ? { ...shown, already: true } : shown;
}

const unread = (because: readonly Assumption[]) =>
  ({ verdict: "undecided", reason: { kind: "incomplete", because } }) as const;

/** Further objects may break the statement, or make it hold. */
const incompletely = (found: Judgement, incomplete: readonly Assumption[]): Judgement => ({
  ...found,
  ...(found.verdict === "held" && unread(incomplete)),
  assumptions: [...found.assumptions, ...incomplete],
});

const withoutDetails = ({ verdict, cause }: Judgement): Judgement => ({
  verdict,
  reason: { kind: "sensitive", what: "details" },
  cause,
  assumptions: [],
});

// Judges statements about requests, by a proof over all requests of the statement.

function judgeRequests(
  expectation: Expectation,
  given: RequestStatement,
  { before, after }: States,
  isStep: boolean,
): Judgement {
  const { acls, incomplete } = after;
  if (!acls) return undecided({ kind: "unread", what: "network ACLs" });
  if (hasUnknown(given)) return undecided(unknownReason(given));
  const statement = given as Statement;
  const secrets = new Set([...(before?.acls ?? []), ...acls].flatMap(({ secret }) => [...secret]));
  const context = { secrets, before: before?.acls, after: acls, incomplete, isStep };
  return judgementOf(prove(statement, acls), { ...context, expectation, statement });
}

interface Context {
  readonly expectation: Expectation;
  readonly statement: Statement;
  readonly secrets: ReadonlySet<string>;
  readonly before: readonly PlannedAcl[] | undefined;
  readonly after: readonly PlannedAcl[];
  readonly incomplete: readonly Assumption[] | undefined;
  readonly isStep: boolean;
}

/** Names the first value that the plan does not show. */
function unknownReason({ outcomes, requests, except }: RequestStatement): Reason {
  const parts = { outcome: outcomes, request: requests, except };
  const names = Object.entries(parts).flatMap(([name, part]) => unknownNames(name, part));
  return { kind: "value", name: names[0] ?? "a part" };
}

/** What the change makes worse of a statement that did not hold before it. Undefined: nothing. `{}` if it held, or nobody knows. */
function worseBy({ statement, before, after, isStep }: Context): Worse<PlannedAcl> | undefined {
  if (!before || prove(statement, before).verdict === "held") return {};
  return worsened(statement, before, after, isStep);
}

function judgementOf(proof: Proof<PlannedAcl>, context: Context): Judgement {
  const { expectation, statement, secrets, incomplete } = context;
  if (proof.verdict === "held") {
    if (isAboutNobody(statement)) return undecided({ kind: "nobody" });
    return incomplete === undefined ? held : { ...held, ...unread(incomplete) };
  }
  const worse = worseBy(context);
  const was = { ...(!worse && { already: true as const }) };
  // An older counterexample is no reason to refuse the change.
  const counterexample = (proof.verdict === "broken" && worse?.counterexample) || proof.counterexample;
  if (!counterexample) return { ...undecided({ kind: "effort" }), ...was };
  const witness = shownWitness(counterexample.request, secrets);
  const isSecret = expectation.isSecret === true;
  return {
    verdict: proof.verdict,
    reason: isSecret
      ? { kind: "sensitive", what: "counterexample" }
      : { ...outcomeOf(counterexample, secrets), request: witness, demanded: statement.outcomes },
    cause: causesOf(counterexample, context),
    assumptions: [...(proof.verdict === "undecided" ? proof.doubts.map(doubtOf) : []), ...(incomplete ?? [])],
    ...was,
    ...(!isSecret && { counterexample: witness }),
  };
}

function outcomeOf({ end, acl }: Counterexample<PlannedAcl>, secrets: ReadonlySet<string>) {
  const { outcome, redirect_uri: uri } = end;
  const isTarget = outcome === "redirected" && uri !== undefined;
  return {
    kind: "counterexample" as const,
    outcome,
    ...(isTarget && { redirect_uri: secrets.has("redirect_uri") ? hidden : uri }),
    ...(acl && { by: aclWords(acl) }),
  };
}

/** The ACL that decides after the change. If another ACL decided before the change, both. One that changes is first. */
function causesOf({ acl, request }: Counterexample<PlannedAcl>, { before, after }: Context): JudgedCause[] {
  const was = before && decide(before, request).by;
  const is = acl ? [causeOf(acl)] : [];
  if (!was || was.key === acl?.key) return is;
  const old = { ...causeOf(was), isBefore: true as const };
  return acl && unchangedAcls({ before, after }).has(acl) ? [old, ...is] : [...is, old];
}

const causeOf = (acl: PlannedAcl): JudgedCause => ({ ...objectOf(acl), words: aclWords(acl), acl });
