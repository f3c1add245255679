/** The table that compares our builds with the other provider: medians, ratios and targets. Pure. */
import { judgedFigure, measuresOf, type Build, type Comparison, type Measure } from "./measures";
import { figure, table } from "./table";

function verdict(measure: Measure, build: Build): string {
  const value = judgedFigure(measure, build);
  if (value === undefined) return "-";
  const limit = measure.target?.[build];
  const shown = measure.absolute ? "" : figure(value);
  return limit ? `${shown} (${value <= limit ? "within" : "above"} ${limit})`.trim() : shown;
}

export function comparisonTable(comparison: Comparison): string {
  const measures = measuresOf(comparison);
  const names = [...new Set(measures.flatMap(({ of }) => [...of.keys()]))];
  const optional = (value: number | undefined) => (value === undefined ? "-" : figure(value));
  const rows = measures.map((measure) => [
    measure.title,
    ...names.map((name) => optional(measure.of.get(name))),
    verdict(measure, "script"),
    verdict(measure, "native"),
  ]);
  const head = ["medians", ...names, "script/peer (target)", "native/peer (target)"];
  const latencies = [...new Set(comparison.lives.map(({ latency }) => `${latency} ms`))].join(", ");
  const legend = comparison.lives.length > 0 ? `each response after ${latencies}\n` : "";
  return legend + table(head, rows) + comparison.absent.map((what) => `missing: ${what}\n`).join("");
}
