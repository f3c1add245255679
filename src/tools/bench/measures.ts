/** The rows of the comparison of our builds with the other provider: figures and targets. Pure. */
import { operations, titleOf, type Life } from "./life";
import type { StartUp } from "./start-up";
import { median } from "./table";

export interface Comparison {
  readonly startUp: readonly StartUp[];
  readonly lives: readonly Life[];
  /** Providers that are missing, and why. */
  readonly absent: readonly string[];
}

export const builds = ["native", "script"] as const;
export type Build = (typeof builds)[number];

/** The figure of a build must be at most this. */
type Target = Readonly<Partial<Record<Build, number>>>;

export interface Measure {
  readonly title: string;
  /** Figures by the name of a provider. */
  readonly of: ReadonlyMap<string, number>;
  readonly target?: Target | undefined;
  /** Judged by itself, not as a multiple of the other provider's figure. */
  readonly absolute?: boolean;
  /** By how much a figure may exceed the baseline, as a factor. Left out: it has no baseline, because chance decides it. */
  readonly tolerance?: number;
}

const targets: Readonly<Record<string, Target>> = {
  "start to handshake, ms": { native: 1, script: 3 },
  "start to schema, ms": { native: 0.75, script: 2 },
  "Shutdown to exit, ms": { native: 10, script: 10 },
  "create of 1 policy, s": { native: 0.75 },
  "plan of 1 policy, s": { native: 0.9, script: 1.25 },
  "change of 1 policy, s": { native: 0.9, script: 1.25 },
  "destroy of 1 policy, s": { native: 0.9 },
  ...forEach(["create", "plan", "change", "destroy"], "10 policies", { native: 0.85, script: 0.9 }),
  ...forEach(["create", "plan", "destroy"], "10 ACLs", { native: 0.9 }),
  ...forEach(["create", "plan", "change", "destroy"], "100 policies", { native: 0.7, script: 0.9 }),
  "memory to create 10 ACLs, MB": { native: 60 },
  "memory to create 100 policies, MB": { native: 60, script: 80 },
};

function forEach(names: readonly string[], stack: string, target: Target): Record<string, Target> {
  return Object.fromEntries(names.map((name) => [`${name} of ${stack}, s`, target]));
}

const usual = 1.1;

export function measuresOf({ startUp, lives }: Comparison): Measure[] {
  const providers = startUp.filter(({ schema }) => schema.length > 0);
  const rows = [
    row("start to handshake, ms", startUp, ({ handshake }) => median(handshake), { tolerance: usual }),
    row("start to schema, ms", providers, ({ schema }) => median(schema), { tolerance: usual }),
    row("Shutdown to exit, ms", providers, ({ end }) => median(end), { absolute: true }),
    row("memory for the schema, MB", providers, ({ peak }) => peak?.resident, { absolute: true }),
    row("its share, MB", providers, ({ peak }) => peak?.proportional, { absolute: true }),
    ...[...new Set(lives.map(titleOf))].flatMap((stack) =>
      measuresOfStack(
        stack,
        lives.filter((life) => titleOf(life) === stack),
      ),
    ),
  ];
  return rows.filter((measure) => measure.of.size > 0);
}

function measuresOfStack(stack: string, lives: readonly Life[]): Measure[] {
  return [
    ...operations.map((operation) =>
      row(`${operation} of ${stack}, s`, lives, ({ seconds }) => median(seconds[operation]), { tolerance: usual }),
    ),
    row(`memory to create ${stack}, MB`, lives, ({ peak }) => peak?.resident, { absolute: true, tolerance: usual }),
    row(`share of it, ${stack}, MB`, lives, ({ peak }) => peak?.proportional, { absolute: true }),
    ...operations.map((operation) =>
      row(`requests, ${operation} of ${stack}`, lives, ({ requests }) => requests[operation], {
        absolute: true,
        tolerance: 1,
      }),
    ),
  ];
}

function row<T extends { readonly name: string }>(
  title: string,
  providers: readonly T[],
  figureOf: (provider: T) => number | undefined,
  settings: Pick<Measure, "absolute" | "tolerance">,
): Measure {
  const of = new Map<string, number>();
  for (const provider of providers) {
    const found = figureOf(provider);
    if (found !== undefined) of.set(provider.name, found);
  }
  return { title, of, target: targets[title], ...settings };
}

/** The figure that is judged; undefined if it, or the other provider's, is missing. */
export function judgedFigure({ of, absolute }: Measure, build: Build): number | undefined {
  const [ours, peer] = [of.get(build), of.get("peer")];
  if (ours === undefined || absolute) return ours;
  return peer === undefined ? undefined : ours / peer;
}
