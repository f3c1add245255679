/** The report of the benchmark: its figures, and its text. */
import { aclChangeTable, type AclChange } from "./acl-changes";
import { comparisonTable } from "./comparison";
import { deployCliTable, type DeployCli } from "./deploy-cli";
import { embeddedTable, type Embedded } from "./embedded";
import { expectationTable, type ExpectationTime } from "./expectations";
import type { Life } from "./life";
import type { Comparison } from "./measures";
import { parallelTable, type Parallel } from "./parallel";
import { figure } from "./table";
import { timelineText, type Timeline } from "./timeline";
import { underLimitTable, type UnderLimit } from "./under-limit";
import { stackTable, type LeftOut, type Row } from "./terraform";

export interface Report {
  versions: { product: string; node: string; terraform?: string };
  /** `load`: average number of processes that were ready to run in the last minute. */
  machine: { platform: string; processors: number; load: number };
  /** Milliseconds that each response of the tenant takes. */
  latency: number;
  terraform: Row[];
  comparison?: Omit<Comparison, "lives"> & { lives: Life[] };
  embedded?: Embedded;
  expectations?: ExpectationTime[];
  parallel?: Parallel[];
  underLimit?: UnderLimit[];
  aclChanges?: AclChange[];
  timelines?: Timeline[];
  deployCli?: DeployCli;
  leftOut: LeftOut[];
}

export function textOf({ versions, machine, latency, leftOut, ...parts }: Report): string {
  const { terraform, comparison, embedded, expectations, parallel, underLimit, aclChanges, timelines, deployCli } =
    parts;
  const { product, node, terraform: engine = "unknown" } = versions;
  const sections = [
    `tenantform ${product}, Node ${node}, Terraform ${engine}, ${machine.processors} processors at a load of ${machine.load.toFixed(1)}\n`,
    terraform.length > 0 && `each response after ${latency} ms\n${stackTable(terraform)}`,
    comparison && comparisonTable(comparison),
    embedded && embeddedTable(embedded),
    expectations && expectationTable(expectations),
    parallel && parallelTable(parallel),
    underLimit && underLimitTable(underLimit),
    aclChanges && aclChangeTable(aclChanges),
    timelines && timelines.map(timelineText).join("\n"),
    deployCli && deployCliTable(deployCli),
    leftOut.length > 0 &&
      `left out without --full:\n${leftOut.map(({ what, least }) => `  ${what}: at least ${figure(least)} s\n`).join("")}`,
  ];
  return sections.filter(Boolean).join("\n");
}
