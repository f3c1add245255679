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
    prover ??= createProver([before?.acls ?? [], after.acls], [...statements.values()]);
    const proof = prover.prove(statement, after.acls);
    const context: Context = {
      expectation,
      statement,
      prover,
      secrets,
      redact,
      before: before?.acls,
      after: after.acls,
    };
    if (proof.verdict === "held") {
      return after.incomplete === undefined ? held : undecided(after.incomplete);
    }
    const already = isAlready(context);
    return { ...judgementOf(proof, context, after.incomplete), ...(already && { already }) };
  };
}

interface Context {
  readonly expectation: Expectation;
  readonly statement: Statement;
  readonly prover: Prover<PlannedAcl>;
  readonly secrets: ReadonlySet<string>;
  readonly before: readonly PlannedAcl[] | undefined;
  readonly after: readonly PlannedAcl[];
  redact(words: string): string;
}

const held: Judgement = { verdict: "held", text: "It holds after the change.", cause: [], assumptions: [] };

const undecided = (text: string): Judgement => ({ verdict: "undecided", text, cause: [], assumptions: [] });

/** It did not hold before the change either, and the change affects no further request. */
function isAlready({ statement, prover, before, after }: Context): true | undefined {
  if (!before || prover.prove(statement, before).verdict === "held") return undefined;
  return prover.isNoWorse(statement, before, after) || undefined;
}

function judgementOf(
  proof: Exclude<Proof<PlannedAcl>, { verdict: "held" }>,
  context: Context,
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
    cause: causesOf(counterexample, context),
    assumptions,
    ...(!isSecret && { counterexample: shownWitness(counterexample.request, secrets) }),
  };
}

/** The ACL that decides after the change. If another ACL decided before the change, both. */
function causesOf(counterexample: Counterexample<PlannedAcl>, { prover, before }: Context): JudgedCause[] {
  const { acl } = counterexample;
  const was = before && prover.deciderIn(before, counterexample);
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
