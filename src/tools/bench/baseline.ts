/** Compares the judged figures of a benchmark with earlier ones. Pure. */
import { builds, judgedFigure, type Build, type Measure } from "./measures";
import { figure } from "./table";

/** Figures by build and title of the row. */
export type Baseline = Readonly<Partial<Record<Build, Readonly<Record<string, number>>>>>;

/** Keeps the earlier figures of rows that were not measured. */
export function baselineOf(measures: readonly Measure[], earlier: Baseline = {}): Baseline {
  const rounded = (value: number) => Number(value.toFixed(2));
  return Object.fromEntries(
    builds.map((build) => {
      const rows = measures.flatMap((measure) => {
        const value = measure.tolerance === undefined ? undefined : judgedFigure(measure, build);
        return value === undefined ? [] : [[measure.title, rounded(value)] as const];
      });
      return [build, { ...earlier[build], ...Object.fromEntries(rows) }];
    }),
  );
}

/** One line for each row that exceeds its baseline by more than its tolerance. */
export function regressions(measures: readonly Measure[], baseline: Baseline): string[] {
  return measures.flatMap((measure) =>
    builds.flatMap((build) => {
      const [value, before] = [judgedFigure(measure, build), baseline[build]?.[measure.title]];
      if (value === undefined || before === undefined || measure.tolerance === undefined) return [];
      if (value <= before * measure.tolerance) return [];
      return [`${measure.title}, ${build}: ${figure(value)}, baseline ${figure(before)}`];
    }),
  );
}
