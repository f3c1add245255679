/** The table of our builds beside the other provider, and its comparison with earlier figures. Pure. */
import { operations, type Life } from "./life";
import type { StartUp } from "./start-up";
import { figure, median, table } from "./table";

export interface Comparison {
  readonly startUp: readonly StartUp[];
  readonly lives: readonly Life[];
}

const builds = ["native", "script"] as const;
type Build = (typeof builds)[number];

export interface Measure {
  readonly title: string;
  /** Figures by the name of a provider. */
  readonly of: ReadonlyMap<string, number>;
  /** Judged by itself, not as a multiple of the other provider's figure. */
  readonly absolute?: boolean;
  /** By how much a figure may exceed the baseline, as a factor. Left out: it has no baseline, because chance decides it. */
  readonly tolerance?: number;
}

const relative = { tolerance: 1.1 };
const absolute = { absolute: true };

export function measuresOf({ startUp, lives }: Comparison): Measure[] {
  const rows = [
    row("start to handshake, ms", startUp, ({ handshake }) => median(handshake), relative),
    row("start to schema, ms", startUp, ({ schema }) => median(schema), relative),
    row("Shutdown to exit, ms", startUp, ({ end }) => median(end), absolute),
    row("memory for the schema, MB", startUp, ({ memory }) => median(memory), absolute),
    ...[...new Set(lives.map(({ stack }) => stack))].flatMap((stack) => {
      const of = lives.filter((life) => life.stack === stack);
      return [
        ...operations.map((one) => row(`${one} of ${stack}, s`, of, ({ seconds }) => median(seconds[one]), relative)),
        row(`memory to create ${stack}, MB`, of, ({ memory }) => memory, { ...absolute, ...relative }),
        ...operations.map((one) =>
          row(`requests, ${one} of ${stack}`, of, ({ requests }) => requests[one], { ...absolute, tolerance: 1 }),
        ),
      ];
    }),
  ];
  return rows.filter(({ of }) => of.size > 0);
}

function row<T extends { readonly name: string }>(
  title: string,
  providers: readonly T[],
  figureOf: (provider: T) => number | undefined,
  settings: Pick<Measure, "absolute" | "tolerance">,
): Measure {
  const figures = providers.map((provider) => [provider.name, figureOf(provider)] as const);
  return { title, of: new Map(figures.filter((one): one is [string, number] => one[1] !== undefined)), ...settings };
}

/** The figure that is judged; undefined if it, or the other provider's, is missing. */
function judgedFigure({ of, absolute: byItself }: Measure, build: Build): number | undefined {
  const [ours, peer] = [of.get(build), of.get("peer")];
  if (ours === undefined || byItself) return ours;
  return peer === undefined ? undefined : ours / peer;
}

export function comparisonTable(comparison: Comparison): string {
  const measures = measuresOf(comparison);
  const names = [...new Set(measures.flatMap(({ of }) => [...of.keys()]))];
  const optional = (value: number | undefined) => (value === undefined ? "-" : figure(value));
  const rows = measures.map((measure) => [
    measure.title,
    ...names.map((name) => optional(measure.of.get(name))),
    ...builds.map((build) => (measure.absolute ? "" : optional(judgedFigure(measure, build)))),
  ]);
  return table(["medians", ...names, ...builds.map((build) => `${build}/peer`)], rows);
}

/** Figures by build and title of the row. */
export type Baseline = Readonly<Partial<Record<Build, Readonly<Record<string, number>>>>>;

/** Keeps the earlier figures of rows that were not measured. */
export function baselineOf(measures: readonly Measure[], earlier: Baseline = {}): Baseline {
  return Object.fromEntries(
    builds.map((build) => {
      const rows = measures.flatMap((measure) => {
        const value = measure.tolerance === undefined ? undefined : judgedFigure(measure, build);
        return value === undefined ? [] : [[measure.title, Number(value.toFixed(2))] as const];
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
