/** The table of what changes of the provider auth0/auth0 do to people, and the lookup of the rows for a type. */
import { canonical } from "../../../formats/cty/value";
import { grouped } from "../model";
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

/** The rows for a type. */
export type Table = (type: string) => readonly Row[];

/** The built-in row of the same type, path, change and condition. */
export const overridden = (row: Row): Row | undefined =>
  table.find((other) => keyOf(other) === keyOf(row) && canonical(other.when ?? {}) === canonical(row.when ?? {}));

/**
 * A row of the person stands before the one that it overrides. Without a condition, it stands after built-in rows with a condition, and any other
 * comes first. One without a text has that of the built-in row.
 */
export function tableWith(own: readonly Row[] = []): Table {
  const first: Row[] = [];
  const all = [...table];
  for (const row of own) {
    const exact = overridden(row);
    const like = exact ?? table.findLast((other) => keyOf(other) === keyOf(row));
    const code = exact?.code && { code: exact.code };
    const whole = { ...(row.text === undefined ? like : code), ...row };
    if (exact) all.splice(all.indexOf(exact), 0, whole);
    else if (like && row.when === undefined) all.splice(all.indexOf(like) + 1, 0, whole);
    else first.push(whole);
  }
  const byType = grouped([...first, ...all], ({ type }) => type);
  const forAll = byType.get("*") ?? [];
  const merged = new Map([...byType].map(([type, rows]) => [type, [...rows, ...forAll]]));
  return (type) => merged.get(type) ?? forAll;
}
