/** Lists the statements of plans and files, to find out which objects of the tenant matter. */
import type { Expectation } from "../../impact/statement/statement";
import type { Family } from "../remote";
import type { Tenant } from "../tenants";
import type { ExpectationFile } from "./file";
import { expectationsIn } from "./read";

type Statement = Expectation["statement"];

/** The objects that decide each kind of statement. */
export const familyOf = {
  requests: "network_acls",
  policy: "rate_limit_policies",
  members: "organization_members",
} as const satisfies Record<Statement["kind"], Family>;

export function statementsOf(tenants: readonly Tenant[], files: readonly ExpectationFile[]): Statement[] {
  const own = tenants.flatMap(({ plans }) => plans.flatMap(expectationsIn));
  return [...own, ...files.flatMap(({ read }) => read)].map(({ expectation }) => expectation.statement);
}

/** The organizations whose members the statements are about. */
export function organizationsIn(statements: readonly Statement[]): string[] {
  const ids = statements.flatMap((one) => (one.kind === "members" ? [one.organization_id] : []));
  return [...new Set(ids.filter((id) => typeof id === "string"))];
}
