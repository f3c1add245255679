/** The judged expectations of one run of `tenantform test`. */
import { worstFirst } from "../expectations/rows";
import type { ReviewedExpectation } from "../expectations/judged";
import type { Review } from "../review";
import type { TestedEnds } from "./overdue";

export interface TestedTenant {
  /** The stacks, the files, or the host. */
  readonly name: string;
  readonly judged: readonly ReviewedExpectation[];
  readonly places: Review["places"];
  /** Expectations that the plan does not show, in sentences. */
  readonly notes: readonly string[];
  readonly ends: TestedEnds;
}

export interface TestRun {
  readonly tenants: readonly TestedTenant[];
  /** Which objects count, in sentences. */
  readonly scope: string;
  readonly at: Date;
}

export const judgedIn = ({ tenants }: TestRun): ReviewedExpectation[] => tenants.flatMap(({ judged }) => judged);

/** Whether it fails the run. An undecided warning does not. */
export const isFailure = ({ verdict, expectation }: ReviewedExpectation): boolean =>
  verdict === "broken" || (verdict === "undecided" && expectation.severity !== "warning");

/** The exit code. */
export const exitCodeOf = (run: TestRun): 0 | 1 =>
  judgedIn(run).some(isFailure) || run.tenants.some(({ notes, ends }) => notes.length + ends.overdue.length > 0)
    ? 1
    : 0;

export const overdueIn = ({ tenants }: TestRun): number =>
  tenants.reduce((sum, { ends }) => sum + ends.overdue.length, 0);

export function countsOf(all: readonly ReviewedExpectation[]) {
  const count = (verdict: ReviewedExpectation["verdict"]) => all.filter((one) => one.verdict === verdict).length;
  return { held: count("held"), broken: count("broken"), undecided: count("undecided") };
}

export { worstFirst };
