/** The table of what changes of the provider auth0/auth0 do to people, and the lookup of the rows for a type. */
import { apis } from "./rows/apis";
import { clients } from "./rows/clients";
import { connections } from "./rows/connections";
import { looks } from "./rows/looks";
import { pages } from "./rows/pages";
import { organizations } from "./rows/organizations";
import { protection } from "./rows/protection";
import { tenant } from "./rows/tenant";
import { keyOf, type Row } from "./row";

/** The rows, by the heading of their types on the page of docs. */
export const areas = {
  Connections: connections,
  Applications: clients,
  Organizations: organizations,
  "APIs, roles and users": apis,
  "Attack protection and factors": protection,
  "Pages and messages": pages,
  Tenant: [...tenant, ...looks],
} as const;

export const table: readonly Row[] = Object.values(areas).flat();

export interface Table {
  readonly rowsFor: (type: string) => readonly Row[];
}

/** `own`: the rows of the person, which come first. One with the key of a row of the table, and without a text, has its text. */
export function tableWith(own: readonly Row[] = []): Table {
  const known = new Map(table.map((row) => [keyOf(row), row]));
  // A condition belongs to its text.
  const codeOf = (row: Row) => {
    const { code } = known.get(keyOf(row)) ?? {};
    return code && { code };
  };
  const byType = new Map<string, Row[]>();
  const all = [
    ...own.map((row) => ({ ...(row.text === undefined ? known.get(keyOf(row)) : codeOf(row)), ...row })),
    ...table,
  ];
  for (const row of all) byType.set(row.type, [...(byType.get(row.type) ?? []), row]);
  const forAll = byType.get("*") ?? [];
  const merged = new Map([...byType].map(([type, rows]) => [type, [...rows, ...forAll]]));
  return { rowsFor: (type) => merged.get(type) ?? [] };
}
