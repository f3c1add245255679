/** Refuses facts of requests in a configuration that cannot be read. */
import * as z from "zod";
import { type FactName, hasForm, problemOf } from "../access/access";
import { rule, type Report } from "../sdk/attribute";

type Severity = Parameters<Report>[2];

function refuse(name: FactName, value: unknown, report: Report, ofDoubtful?: Severity): void {
  if (typeof value !== "string" && typeof value !== "number") return;
  const problem = problemOf(name, value);
  if (problem !== undefined) report(`\`${name}\`: ${problem}`, [], hasForm(name, value) ? ofDoubtful : undefined);
}

/** `ofDoubtful`: the severity for a value that has the right form but no meaning, such as the country UK. */
export const readable = (name: FactName, ofDoubtful?: Severity) =>
  rule(z.unknown(), (value, report) => refuse(name, value, report, ofDoubtful));

export const allReadable = (name: FactName) =>
  rule(z.array(z.unknown()), (values, report) => {
    for (const value of values) refuse(name, value, report);
  });
