/** Judges statements on the state of a tenant before and after a change. */
import type { States, TenantState } from "../state";
import { judgeMembers } from "./members";
import { judgePolicies } from "./policies";
import { judgeRequests } from "./requests";
import type { Expectation, JudgedExpectation, Judgement, MemberStatement } from "./statement";

/** One judgement for each expectation, in the same order. `before`: left out if it is not known. */
export function judgeExpectations(expectations: readonly Expectation[], states: States): JudgedExpectation[] {
  const requests = judgeRequests(expectations, states);
  return expectations.map((expectation) => ({
    expectation,
    ...(requests.get(expectation) ?? judgeOne(expectation, expectation.statement, states)),
  }));
}

function judgeOne(
  expectation: Expectation,
  statement: Expectation["statement"],
  { before: was, after: is }: States,
): Judgement {
  const judge = (state: TenantState) =>
    statement.kind === "policy" ? judgePolicies(statement, state) : judgeMembers(statement as MemberStatement, state);
  const { offences, ...after } = judge(is);
  const { incomplete } = is;
  const found = incomplete === undefined || after.verdict === "undecided" ? after : incompletely(after, incomplete);
  if (found.verdict === "held") return found;
  const shown = expectation.isSecret ? withoutDetails(found) : found;
  const before = was && judge(was);
  const isNoWorse =
    before?.verdict === after.verdict &&
    [...offences].every(([name, amount]) => amount <= (before.offences.get(name) ?? -Infinity));
  return isNoWorse ? { ...shown, already: true } : shown;
}

/** Further objects may break the statement, or make it hold. */
function incompletely(found: Judgement, incomplete: string): Judgement {
  if (found.verdict === "held") return { ...found, verdict: "undecided", text: incomplete, assumptions: [incomplete] };
  return {
    ...found,
    text: `${found.text} Not certain: ${incomplete}.`,
    assumptions: [...found.assumptions, incomplete],
  };
}

const withoutDetails = ({ verdict, cause }: Judgement): Judgement => ({
  verdict,
  text: "A value of this expectation is sensitive, so the details are not shown.",
  cause,
  assumptions: [],
});
