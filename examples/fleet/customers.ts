/** Reads the tenants of tenants.csv, and the values in which they differ. */
import { readFileSync } from "node:fs";

export interface Customer {
  /** Name of the stack, of its state and, in capitals, of its environment variables. */
  readonly name: string;
  readonly domain: string;
  /** Root URL of an embedded tenant, in place of the domain. */
  readonly endpoint?: string;
  /** Nobody can sign in from these countries. */
  readonly countries: readonly string[];
  /** Requests per second for each third-party client. */
  readonly limit: number;
}

/** `acme-eu` becomes `ACME_EU`. */
export const prefixOf = (name: string): string => name.toUpperCase().replaceAll("-", "_");

export function readCustomers(file: string): Customer[] {
  const [header = [], ...rows] = readFileSync(file, "utf8")
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(",").map((cell) => cell.trim()));
  const customers = rows.map((row, index) => {
    const place = `${file}, line ${index + 2}`;
    const cells = Object.fromEntries(header.map((column, position) => [column, row[position]]));
    const cell = (column: string) => {
      const value = cells[column];
      if (value) return value;
      throw new Error(`${place}: \`${column}\` is missing. Give a value in each column.`);
    };
    const name = cell("name");
    if (!/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(name)) {
      throw new Error(`${place}: \`name\` is ${JSON.stringify(name)}. Give lower-case letters, digits and hyphens.`);
    }
    const limit = Number(cell("limit"));
    if (!Number.isInteger(limit)) {
      throw new Error(`${place}: \`limit\` is ${JSON.stringify(cell("limit"))}. Give a whole number.`);
    }
    const { endpoint } = cells;
    return {
      name,
      domain: cell("domain"),
      ...(endpoint && { endpoint }),
      countries: cell("countries").split(" "),
      limit,
    };
  });
  // Two states must not manage one tenant. A stack with a name that exists is an error of cdktf.
  for (const [index, { domain }] of customers.entries()) {
    if (customers.findIndex((other) => other.domain === domain) === index) continue;
    throw new Error(
      `${file}, line ${index + 2}: another line has the \`domain\` ${domain}. Give each tenant one line.`,
    );
  }
  return customers;
}
