/** Writes the result of `tenantform test` for the terminal: one line for each expectation. */
import { oneLine } from "../../text/printable";
import { causeWords, signs } from "../expectations/rows";
import { countsOf, judgedIn, overdueIn, type TestedTenant, type TestRun } from "./outcome";

export function toText(run: TestRun): string {
  const { held, broken, undecided } = countsOf(judgedIn(run));
  const isOne = run.tenants.length === 1;
  const lines = run.tenants.flatMap((tenant) => [...(isOne ? [] : [`${tenant.name}:`]), ...linesOf(tenant), ""]);
  const overdue = overdueIn(run);
  const late = overdue === 0 ? "" : `, ${overdue} overdue`;
  return [...lines, `${held} held, ${broken} broken, ${undecided} undecided${late}. ${run.scope}`]
    .map((line) => `${oneLine(line)}\n`)
    .join("");
}

function linesOf({ judged, places, notes, ends }: TestedTenant): string[] {
  return [
    ...judged.flatMap((one) => {
      const { verdict, expectation, text, uncovered } = one;
      const head = `${signs[verdict]} ${expectation.name}${expectation.severity === "warning" ? " (warning)" : ""}`;
      if (verdict === "held") return [head, ...(uncovered === undefined ? [] : [`    ${uncovered}`])];
      const details = [text, causeWords(one, places)].filter((line) => line !== "");
      return [head, ...details.map((line) => `    ${line}`)];
    }),
    ...ends.overdue.flatMap(({ address, text, place }) => [
      `✖ ${text}`,
      `    ${address}${place ? `, ${place.file}:${place.line}` : ""}.`,
    ]),
    ...notes.map((note) => `? ${note}`),
  ];
}
