/** Runs `tenantform compare`. */
import { exitCodes } from "../text/exit-codes";
import { firstLines } from "../text/excerpt";
import { withoutPasswords } from "../text/masked";
import { withCommandPage } from "../text/page";
import { oneLine, print } from "../text/printable";
import { version } from "../version";
import type { Edge } from "../review/input/input";
import { effectJson, formatVersion } from "../review/json";
import { asPages, outputsOf, write, type OutputFlags } from "../review/render/output";
import { compareSides, pageOf, type Comparison } from "./comparison";
import { isTenantName, readSide, readTenant, type Side } from "./side";

const formats = ["text", "markdown", "json", "html"] as const;
const mostOfError = 4_000;

/** Returns the exit code. Different, or not known, is a no. */
export async function compare(first: string, second: string, flags: OutputFlags, edge: Edge): Promise<number> {
  try {
    const outputs = outputsOf(flags, formats);
    const comparison = compareSides(...(await sidesOf(first, second, edge)));
    await write(outputs, (format) => rendered(format, comparison));
    return comparison.verdict === "equal" ? exitCodes.fine : exitCodes.no;
  } catch (error) {
    // A damaged state or plan may have values of any form.
    const isStrange = error instanceof TypeError || error instanceof RangeError;
    const { message } = isStrange
      ? new Error(`${first} or ${second} has a form that cannot be read.`)
      : (error as Error);
    const shown = oneLine(firstLines(withoutPasswords(message), mostOfError));
    print(process.stderr, withCommandPage(shown, "compare", version));
    return exitCodes.error;
  }
}

/** Of a tenant, reads only the organizations that the other side lists, unless both sides are tenants. */
export async function sidesOf(first: string, second: string, edge: Edge): Promise<[Side, Side]> {
  const names = [first, second];
  const files = await Promise.all(names.map((name) => (isTenantName(name) ? undefined : readSide(name, edge))));
  const sides = names.map(async (name, index) => files[index] ?? readTenant(name, edge.environment, files[1 - index]));
  return (await Promise.all(sides)) as [Side, Side];
}

async function rendered(format: (typeof formats)[number], comparison: Comparison): Promise<string> {
  if (format !== "json") return asPages(format, { pages: [pageOf(comparison)] });
  const { verdict, one, other, unknown, effects, objects } = comparison;
  const shown = { verdict, one, other, unknown, effects: effects.map((each) => effectJson(each, new Map())) };
  const differing = objects.map(([object, how]) => ({ object, how }));
  return `${JSON.stringify({ format_version: formatVersion, ...shown, objects: differing }, undefined, 2)}\n`;
}
