/** Runs `tenantform compare`. */
import { exitCodes } from "../text/exit-codes";
import { firstLines } from "../text/excerpt";
import { withoutPasswords } from "../text/masked";
import { withCommandPage } from "../text/page";
import { oneLine, print } from "../text/printable";
import { version } from "../version";
import type { Edge } from "../review/input/input";
import { formatVersion, toJson } from "../review/json";
import { pagesOf } from "../review/render/layout";
import { asPages, outputsOf, write, type OutputFlags } from "../review/render/output";
import { compareSides, type Comparison } from "./comparison";
import { readSide } from "./files";
import { isTenantName, readTenant, type Wanted } from "./remote";
import type { Side } from "./side";

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

/** Reads only the organizations that the other side lists, unless both sides are tenants. */
export async function sidesOf(first: string, second: string, edge: Edge): Promise<[Side, Side]> {
  const names = [first, second];
  const files = await Promise.all(names.map((name) => (isTenantName(name) ? undefined : readSide(name, edge))));
  const wanted = files.some((side) => side) ? organizationsIn(files) : undefined;
  const sides = names.map(async (name, index) => files[index] ?? readTenant(name, edge.environment, wanted));
  return (await Promise.all(sides)) as [Side, Side];
}

function organizationsIn(sides: readonly (Side | undefined)[]): Wanted {
  const sets = sides.flatMap((side) => side?.objects.filter(({ kind }) => kind.list) ?? []);
  return {
    ids: new Set(sets.map(({ values: { organization_id: id } }) => id).filter((id) => typeof id === "string")),
    names: new Set(sets.flatMap(({ organization }) => organization ?? [])),
  };
}

async function rendered(format: (typeof formats)[number], comparison: Comparison): Promise<string> {
  const { verdict, one, other, unknown, pairing, review } = comparison;
  if (format !== "json") return asPages(format, pagesOf([review]));
  const shown = { verdict, one, other, unknown, paired_by: pairing, difference: toJson(review) };
  return `${JSON.stringify({ format_version: formatVersion, ...shown }, undefined, 2)}\n`;
}
