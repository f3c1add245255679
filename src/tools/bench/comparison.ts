/** The table that compares our builds with the other provider: medians, ratios and goals. Pure. */
import { operations, type Life } from "./life";
import type { StartUp } from "./start-up";
import { figure, median, table } from "./table";

export interface Comparison {
  readonly startUp: readonly StartUp[];
  readonly lives: readonly Life[];
  /** Providers that are missing, and why. */
  readonly absent: readonly string[];
}

/** The figure, as a multiple of the peer's or absolute, must be at most this. */
interface Goal {
  readonly native: number;
  readonly script: number;
}

interface Measure {
  readonly title: string;
  readonly of: ReadonlyMap<string, number>;
  readonly goal?: Goal;
  readonly absolute?: true;
}

const goals = {
  handshake: { native: 1, script: 3 },
  schema: { native: 0.75, script: 2 },
  "plan of 1": { native: 1, script: 1.4 },
  "change of 1": { native: 1, script: 1.5 },
  many: { native: 0.9, script: 0.9 },
  end: { native: 10, script: 10 },
  memory: { native: 65, script: 80 },
};

function measuresOf({ startUp, lives }: Comparison): Measure[] {
  const providers = startUp.filter(({ schema }) => schema.length > 0);
  const of = <T>(list: readonly T[], name: (one: T) => string, value: (one: T) => number | undefined) =>
    new Map(
      list.flatMap((one) => {
        const number = value(one);
        return number === undefined ? [] : [[name(one), number] as const];
      }),
    );
  const nameOf = ({ name }: { readonly name: string }) => name;
  const measures: Measure[] = [
    {
      title: "start to handshake, ms",
      of: of(startUp, nameOf, ({ handshake }) => median(handshake)),
      goal: goals.handshake,
    },
    { title: "start to schema, ms", of: of(providers, nameOf, ({ schema }) => median(schema)), goal: goals.schema },
    {
      title: "Shutdown to exit, ms",
      of: of(providers, nameOf, ({ end }) => median(end)),
      goal: goals.end,
      absolute: true,
    },
    { title: "memory for the schema, MB", of: of(providers, nameOf, ({ peak }) => peak) },
  ];
  for (const size of new Set(lives.map((life) => life.size))) {
    const these = lives.filter((life) => life.size === size);
    const { latency } = these[0]!;
    for (const operation of operations) {
      const name = `${operation} of ${size}`;
      measures.push({
        title: `${name}, ${latency} ms latency, s`,
        of: of(these, nameOf, ({ seconds }) => median(seconds[operation])),
        goal: name === "plan of 1" || name === "change of 1" ? goals[name] : size >= 10 ? goals.many : undefined,
      });
    }
    measures.push({
      title: `memory to create ${size}, MB`,
      of: of(these, nameOf, ({ peak }) => peak),
      ...(size === 100 && { goal: goals.memory, absolute: true }),
    });
  }
  return measures.filter((measure) => measure.of.size > 0);
}

function verdict({ of, goal, absolute }: Measure, name: "native" | "script"): string {
  const [ours, peer] = [of.get(name), of.get("peer")];
  if (ours === undefined) return "-";
  const number = absolute ? ours : peer === undefined ? undefined : ours / peer;
  if (number === undefined) return "-";
  const shown = absolute ? "" : figure(number);
  return goal ? `${shown} (${number <= goal[name] ? "within" : "above"} ${goal[name]})`.trim() : shown;
}

export function comparisonTable(comparison: Comparison): string {
  const measures = measuresOf(comparison);
  const names = [...new Set(measures.flatMap(({ of }) => [...of.keys()]))];
  const optional = (value: number | undefined) => (value === undefined ? "-" : figure(value));
  const requests = comparison.lives.map(
    (life) =>
      `requests of ${life.name}, ${life.size}: ${operations.map((operation) => `${operation} ${life.requests[operation]}`).join(", ")}\n`,
  );
  const rows = measures.map((measure) => [
    measure.title,
    ...names.map((name) => optional(measure.of.get(name))),
    verdict(measure, "script"),
    verdict(measure, "native"),
  ]);
  const head = ["medians", ...names, "script/peer (goal)", "native/peer (goal)"];
  return table(head, rows) + requests.join("") + comparison.absent.map((what) => `missing: ${what}\n`).join("");
}
