/** Judges statements about requests, by a proof over all requests of the statement. */
import { createProver, type Counterexample, type Proof, type Prover, type Statement } from "../../access/access";
import { redactionOf, type PlannedAcl } from "../network-acl/acl";
import { shownWitness } from "../network-acl/witness";
import { aclWords, brokenWords, undecidedWords } from "./words";
import type { Expectation, RequestStatement } from "./expectation";
import type { JudgedCause, JudgedExpectation } from "./judged";
import { hasUnknown } from "./known";
import type { States } from "./state";

type Judgement = Omit<JudgedExpectation, "expectation">;

/** Judges one expectation after the others with the same preparation. */
export type JudgeRequests = (expectation: Expectation, statement: RequestStatement) => Judgement;

export function requestJudge(expectations: readonly Expectation[], { before, after }: States): JudgeRequests {
  const statements = new Map<RequestStatement, Statement>();
  for (const { statement } of expectations) {
    if (statement.kind === "requests" && !hasUnknown(statement)) statements.set(statement, statement as Statement);
  }
  const acls = [...(before?.acls ?? []), ...(after.acls ?? [])];
  const secrets = new Set(acls.flatMap(({ secret }) => [...secret]));
  const redact = redactionOf(acls);
  let prover: Prover<PlannedAcl> | undefined;
  return (expectation, given) => {
    const statement = statements.get(given);
    if (!statement) return undecided("The plan does not show every value of this expectation.");
    if (!after.acls) return undecided("The network ACLs of the tenant were not read.");
    prover ??= createProver({ after: after.acls, ...(before?.acls && { before: before.acls }) }, [
      ...statements.values(),
    ]);
    const proof = prover.prove(statement);
    const context: Context = { expectation, statement, prover, secrets, redact };
    if (proof.verdict === "held") {
      return after.incomplete === undefined ? held : undecided(after.incomplete);
    }
    const isKnownBefore = before?.acls !== undefined;
    const already = isKnownBefore && isAlready(proof, context);
    return {
      ...judgementOf(proof, context, isKnownBefore, after.incomplete),
      ...(already && { already: true as const }),
    };
  };
}

interface Context {
  readonly expectation: Expectation;
  readonly statement: Statement;
  readonly prover: Prover<PlannedAcl>;
  readonly secrets: ReadonlySet<string>;
  redact(words: string): string;
}

const held: Judgement = { verdict: "held", text: "It holds after the change.", cause: [], assumptions: [] };

const undecided = (text: string): Judgement => ({ verdict: "undecided", text, cause: [], assumptions: [] });

/** It had the same verdict before the change, and the change affects no further request. */
function isAlready(proof: Proof<PlannedAcl>, { statement, prover }: Context): boolean {
  return prover.prove(statement, "before").verdict === proof.verdict && prover.isNoWorse(statement);
}

function judgementOf(
  proof: Exclude<Proof<PlannedAcl>, { verdict: "held" }>,
  context: Context,
  isKnownBefore: boolean,
  incomplete: string | undefined,
): Judgement {
  const { counterexample } = proof;
  if (!counterexample) return undecided("The network ACLs overlap so much that the proof would take too long.");
  const { expectation, statement, secrets, redact } = context;
  const isSecret = expectation.isSecret === true;
  const assumptions = [
    ...(proof.verdict === "undecided" ? proof.assumptions.map(redact) : []),
    ...(incomplete === undefined ? [] : [incomplete]),
  ];
  const words = proof.verdict === "broken" ? brokenWords : undecidedWords;
  const text = isSecret
    ? "A value of this expectation is sensitive, so the counterexample is not shown."
    : words(counterexample, statement.outcomes, assumptions, secrets);
  return {
    verdict: proof.verdict,
    text,
    cause: causesOf(counterexample, context, isKnownBefore),
    assumptions,
    ...(!isSecret && { counterexample: shownWitness(counterexample.request, secrets) }),
  };
}

/** The ACL that decides after the change. If another ACL decided before the change, both. */
function causesOf(
  counterexample: Counterexample<PlannedAcl>,
  { prover }: Context,
  isKnownBefore: boolean,
): JudgedCause[] {
  const { acl } = counterexample;
  const was = isKnownBefore ? prover.deciderBefore(counterexample) : undefined;
  const others = was && was.key !== acl?.key ? [was] : [];
  return [...(acl ? [acl] : []), ...others].map(causeOf);
}

function causeOf(acl: PlannedAcl): JudgedCause {
  const { address, plan, id } = acl;
  return {
    ...(address !== undefined && { address }),
    ...(plan !== undefined && { plan }),
    ...(id !== undefined && { id }),
    words: aclWords(acl),
    acl,
  };
}
