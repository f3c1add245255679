/** Reads the tenants of tenants.csv, and the values in which they differ. */
import { readFileSync } from "node:fs";
import type { FleetTenant } from "tenantform";

export interface Customer extends FleetTenant {
  /** Nobody can sign in from these countries. */
  readonly countries: readonly string[];
  /** Requests per second for each third-party client. */
  readonly limit: number;
}

export function readCustomers(file: string): Customer[] {
  const lines = readFileSync(file, "utf8").trim().split(/\r?\n/);
  const [header = [], ...rows] = lines.map((line) => line.split(",").map((cell) => cell.trim()));
  return rows.map((row, index) => {
    const cells = Object.fromEntries(header.map((column, position) => [column, row[position]]));
    const cell = (column: string) => {
      const value = cells[column];
      if (value) return value;
      throw new Error(`${file}, line ${index + 2}: \`${column}\` is missing. Give a value in each column.`);
    };
    const limit = Number(cell("limit"));
    if (!Number.isInteger(limit)) {
      throw new Error(
        `${file}, line ${index + 2}: \`limit\` is ${JSON.stringify(cell("limit"))}. Give a whole number.`,
      );
    }
    return {
      name: cell("name"),
      domain: cell("domain"),
      // Only a fleet of embedded tenants has this column.
      ...(header.includes("endpoint") && { endpoint: cell("endpoint") }),
      countries: cell("countries").split(" "),
      limit,
    };
  });
}
