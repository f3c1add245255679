/** Writes the result of `tenantform test` as JUnit XML, in the form that Jenkins, GitHub and GitLab read. */
import { printable } from "../../text/printable";
import { causeWords } from "../expectations/rows";
import type { Overdue } from "./overdue";
import { isFailure, type TestedTenant, type TestRun } from "./outcome";

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
  const {
    name,
    judged,
    notes,
    ends: { overdue },
  } = tenant;
  const failures = judged.filter(isFailure).length + overdue.length + notes.length;
  const skipped = judged.filter((one) => one.verdict !== "held" && !isFailure(one)).length;
  const head = attributes({
    name: name || "tenant",
    package: "tenantform",
    id: index,
    timestamp,
    hostname: "localhost",
    tests: judged.length + overdue.length + notes.length,
    failures,
    errors: 0,
    skipped,
    time: 0,
  });
  const cases = [
    ...judged.map((one) => caseOf(one, tenant)),
    ...overdue.map((one) => overdueCase(one, name)),
    ...notes.map((note) => noteOf(note, name)),
  ];
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

const overdueCase = ({ subject, text, address }: Overdue, tenant: string) =>
  `<testcase ${attributes({ name: subject, classname: tenant || "tenant", time: 0 })}>` +
  `<failure ${attributes({ message: text, type: "overdue" })}>${escaped(`${text}\n${address}`)}</failure></testcase>\n`;

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
