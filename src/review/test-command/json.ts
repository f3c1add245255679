/** Writes the result of `tenantform test` as JSON. The expectations have the form that they have in a review. */
import { expectationJson } from "../json";
import { countsOf, exitCodeOf, judgedIn, type TestRun } from "./outcome";

export function toJson(run: TestRun): string {
  const { tenants, scope } = run;
  const written = {
    format_version: "1.0",
    passed: exitCodeOf(run) === 0,
    ...countsOf(judgedIn(run)),
    scope,
    tenants: tenants.map(({ name, judged, places, notes, ends }) => ({
      name,
      expectations: judged.map((one) => expectationJson(one, places)),
      ...(ends.overdue.length > 0 && {
        overdue: ends.overdue.map(({ address, text, place }) => ({ address, text, ...place })),
      }),
      ...(notes.length > 0 && { notes }),
    })),
  };
  return `${JSON.stringify(written, undefined, 2)}\n`;
}
