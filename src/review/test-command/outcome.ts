/** The result of one run of `tenantform test`, and its texts for the terminal, as JSON and as JUnit XML. */
import { exitCodes } from "../../text/exit-codes";
import { oneLine, printable } from "../../text/printable";
import type { ReviewedExpectation } from "../expectations/judged";
import { causeWords, signs } from "../expectations/rows";
import { expectationJson } from "../json";
import type { Review } from "../review";

export interface TestedTenant {
  /** The stacks, the files, or the host. */
  readonly name: string;
  readonly judged: readonly ReviewedExpectation[];
  readonly places: Review["places"];
  /** Expectations that the plan does not show, in sentences. */
  readonly notes: readonly string[];
}

export interface TestRun {
  readonly tenants: readonly TestedTenant[];
  /** Which objects count, in sentences. */
  readonly scope: string;
  readonly at: Date;
}

export const judgedIn = ({ tenants }: TestRun): ReviewedExpectation[] => tenants.flatMap(({ judged }) => judged);

/** Whether it fails the run. An undecided warning does not. */
const isFailure = ({ verdict, expectation }: ReviewedExpectation): boolean =>
  verdict === "broken" || (verdict === "undecided" && expectation.severity !== "warning");

/** The exit code. */
export const exitCodeOf = (run: TestRun): number =>
  judgedIn(run).some(isFailure) || run.tenants.some(({ notes }) => notes.length > 0) ? exitCodes.no : exitCodes.fine;

function countsOf(all: readonly ReviewedExpectation[]) {
  const count = (verdict: ReviewedExpectation["verdict"]) => all.filter((one) => one.verdict === verdict).length;
  return { held: count("held"), broken: count("broken"), undecided: count("undecided") };
}

/** One line for each expectation. */
export function toText(run: TestRun): string {
  const { held, broken, undecided } = countsOf(judgedIn(run));
  const isOne = run.tenants.length === 1;
  const lines = run.tenants.flatMap((tenant) => [...(isOne ? [] : [`${tenant.name}:`]), ...textLines(tenant), ""]);
  return [...lines, `${held} ${held === 1 ? "holds" : "hold"}, ${broken} broken, ${undecided} undecided. ${run.scope}`]
    .map((line) => `${oneLine(line)}\n`)
    .join("");
}

function textLines({ judged, places, notes }: TestedTenant): string[] {
  return [
    ...judged.flatMap((one) => {
      const { verdict, expectation, text, uncovered } = one;
      const head = `${signs[verdict]} ${expectation.name}${expectation.severity === "warning" ? " (warning)" : ""}`;
      if (verdict === "held") return [head, ...(uncovered === undefined ? [] : [`    ${uncovered}`])];
      const details = [text, causeWords(one, places)].filter((line) => line !== "");
      return [head, ...details.map((line) => `    ${line}`)];
    }),
    ...notes.map((note) => `? ${note}`),
  ];
}

/** The expectations have the form that they have in a review. */
export function toJson(run: TestRun): string {
  const { tenants, scope } = run;
  const written = {
    format_version: "1.0",
    passed: exitCodeOf(run) === 0,
    ...countsOf(judgedIn(run)),
    scope,
    tenants: tenants.map(({ name, judged, places, notes }) => ({
      name,
      expectations: judged.map((one) => expectationJson(one, places)),
      ...(notes.length > 0 && { notes }),
    })),
  };
  return `${JSON.stringify(written, undefined, 2)}\n`;
}

/** In the form that Jenkins, GitHub and GitLab read. */
export function toJunit({ tenants, scope, at }: TestRun): string {
  // Schemas know no fraction of a second and no zone.
  const timestamp = at.toISOString().slice(0, 19);
  const suites = tenants.map((tenant, index) => suiteOf(tenant, { index, timestamp, scope }));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

interface Head {
  readonly index: number;
  readonly timestamp: string;
  readonly scope: string;
}

function suiteOf(tenant: TestedTenant, { index, timestamp, scope }: Head): string {
  const { name, judged, notes } = tenant;
  const failures = judged.filter(isFailure).length + notes.length;
  const skipped = judged.filter((one) => one.verdict !== "held" && !isFailure(one)).length;
  const head = attributes({
    name: name || "tenant",
    package: "tenantform",
    id: index,
    timestamp,
    hostname: "localhost",
    tests: judged.length + notes.length,
    failures,
    errors: 0,
    skipped,
    time: 0,
  });
  const cases = [...judged.map((one) => caseOf(one, tenant)), ...notes.map((note) => noteOf(note, name))];
  return `<testsuite ${head}>\n<properties/>\n${cases.join("")}<system-out>${escaped(scope)}</system-out>\n<system-err/>\n</testsuite>\n`;
}

function caseOf(one: TestedTenant["judged"][number], { name, places }: TestedTenant): string {
  const { expectation, verdict, text } = one;
  const head = attributes({ name: expectation.name || "expectation", classname: name || "tenant", time: 0 });
  if (verdict === "held") return `<testcase ${head}/>\n`;
  const details = [text, causeWords(one, places)].filter((line) => line !== "").map(escaped);
  const found = isFailure(one)
    ? `<failure ${attributes({ message: text, type: verdict })}>${details.join("\n")}</failure>`
    : `<skipped ${attributes({ message: text })}/>`;
  return `<testcase ${head}>${found}</testcase>\n`;
}

const noteOf = (note: string, tenant: string) =>
  `<testcase ${attributes({ name: "dynamic expectations", classname: tenant || "tenant", time: 0 })}>` +
  `<failure ${attributes({ message: note, type: "undecided" })}>${escaped(note)}</failure></testcase>\n`;

const attributes = (all: Readonly<Record<string, string | number>>) =>
  Object.entries(all)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(" ");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** XML has no form for control characters and for these two code points. */
function escaped(text: string): string {
  return printable(text)
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"']/g, (sign) => entities[sign]!);
}
