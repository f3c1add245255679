/** What was measured, as text. */
import { besideTable, type Beside } from "./beside";
import { parallelTable, type Parallel } from "./parallel";
import type { Embedded } from "./embedded";
import type { DeployCli } from "./deploy-cli";
import type { Life } from "./life";
import type { Reviewing } from "./review";
import type { Synthesis } from "./synth";
import { figure, table } from "./table";
import type { LeftOut, Row } from "./terraform";

export interface Report {
  /** Of what it was measured with. */
  versions: { product: string; node: string; terraform?: string };
  /** `load`: processes that wanted to run in the minute before. */
  machine: { platform: string; processors: number; load: number };
  /** Milliseconds of every answer. */
  latency: number;
  terraform: Row[];
  beside?: Omit<Beside, "lives"> & { lives: Life[] };
  embedded?: Embedded;
  parallel?: Parallel[];
  reviewing?: Reviewing;
  synthesis?: Synthesis;
  deployCli?: DeployCli;
  leftOut: LeftOut[];
}

const optional = (value: number | undefined) => (value === undefined ? "-" : figure(value));

function stackTable(rows: readonly Row[]): string {
  const head = ["", "", "tier", "requests", "(least)", "429s", "limit s", "asking s", "ratio", "wall s", "ratio"];
  return table(
    [...head, "alone s", "beside", "unasked s"],
    rows.map((row) => [
      row.operation,
      row.stack,
      row.tier,
      String(row.requests),
      `(${row.needed})`,
      String(row.throttled),
      figure(row.limit),
      figure(row.asking),
      figure(row.ratio.asking),
      figure(row.seconds),
      figure(row.ratio.wall),
      figure(row.alone),
      figure(row.ratio.wallBesideAlone),
      optional(row.unasked),
    ]),
    3,
  );
}

const legend = `
limit    the least time in which the least requests can be made and answered, by round trips and the tier's quota
asking   from the first request's arrival at the tenant to the last answer; and its ratio to the limit
wall     from Terraform's start to its end, of the fastest run where there were several; and its ratio to the limit
alone    wall of Terraform for the same values in its own terraform_data (members as one text), without provider and tenant
beside   ratio of wall to the sum of limit and alone
unasked  wall of the plan with the provider and without refresh, so that nothing is asked
`;

function deployCliTable({ name, version, rows, missing }: DeployCli): string {
  const lines = rows.map(({ operation, resources, tier, mistaken, ours, ...run }) => [
    operation,
    `${resources} resources`,
    tier,
    ...[run, ours].flatMap((of) =>
      of ? [String(of.requests), String(of.throttled), figure(of.asking), figure(of.seconds)] : ["-", "-", "-", "-"],
    ),
    mistaken === undefined ? "" : String(mistaken),
  ]);
  const columns = ["requests", "429s", "asking s", "wall s"];
  const head = ["", "", "tier", ...columns, ...columns.map((column) => `ours: ${column}`), "mistaken"];
  const beside =
    "ours: apply beside create, and plan beside preview and again (an apply of an unchanged stack asks the same)\n" +
    "asking: of the other from the request after its token, as it compiles its schemas in between\n" +
    "mistaken: changes that the preview announces where there are none\n";
  return `${name} ${version}\n${table(head, lines, 3)}${beside}${missing.map((what) => `not compared: ${what}\n`).join("")}`;
}

export function textOf({ versions, machine, latency, leftOut, ...parts }: Report): string {
  const { terraform, beside, embedded, parallel, reviewing, synthesis, deployCli } = parts;
  const sections = [
    `tenantform ${versions.product}, Node ${versions.node}, Terraform ${versions.terraform ?? "unknown"}, ${machine.processors} processors at a load of ${machine.load.toFixed(1)}\n`,
  ];
  if (terraform.length > 0) sections.push(`every answer after ${latency} ms\n${stackTable(terraform)}${legend}`);
  if (beside) sections.push(besideTable(beside));
  if (embedded) {
    const { members, megabytes, filledIn, page, ratio, perSecond } = embedded;
    sections.push(
      table(
        ["the embedded tenant", ""],
        [
          [`memory of ${members.many} members, MB`, figure(megabytes)],
          ["filled in, ms", figure(filledIn)],
          [`page of 100 among ${members.few}, us`, figure(page.few)],
          [`page of 100 among ${members.many}, us`, figure(page.many)],
          ["ratio of the two", figure(ratio)],
          ["pages of 100 a second", figure(perSecond.pages)],
          ["single reads a second", figure(perSecond.reads)],
        ],
      ),
    );
  }
  if (parallel) sections.push(parallelTable(parallel));
  if (reviewing) {
    const { acls, pairs, proven, difference, comment } = reviewing;
    const found = `${pairs} pairs, ${proven ? "all proven" : "not all of them certain"}`;
    const rows = [
      ["one in ten changes, ms of processor time at most", figure(difference.some)],
      [`every one changes (${found}), ms`, figure(difference.all)],
      [`comment of ${comment.characters} characters on a plan of ${comment.plan}, ms`, figure(comment.took)],
    ];
    sections.push(table([`reviews of ${acls} ACLs with all 13 fields`, ""], rows));
  }
  if (synthesis) {
    const { constructs, bare, ours } = synthesis;
    const rows = [
      ["bare bindings, ms of processor time", figure(bare)],
      ["ours, checked and shipped, ms", figure(ours)],
      ["ratio of the two", figure(ours / bare)],
    ];
    sections.push(table([`synthesis of ${constructs} constructs`, ""], rows));
  }
  if (deployCli) sections.push(deployCliTable(deployCli));
  if (leftOut.length > 0) {
    const lines = leftOut.map(({ what, least }) => `  ${what}: at least ${figure(least)} s\n`);
    sections.push(`left out, as --full was not given:\n${lines.join("")}`);
  }
  return sections.join("\n");
}
