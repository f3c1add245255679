/** Refuses writes of a member set that break an expectation about its organization. */
import { stateOf } from "../../../judge/impact/state";
import type { Client } from "../client";
import { without } from "../organization-member-set/definition";
import { enforced } from "./statements";
import type { Operation } from "./words";
import { refusalOf } from "./write";

/** Throws if the change of the members breaks an expectation that held before. */
export async function demandMembers(
  { tenant, statements }: Pick<Client, "tenant" | "statements">,
  organization: string,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
  operation: Operation,
): Promise<void> {
  const own = enforced(statements, "members").filter(
    ({ statement }) => statement.kind === "members" && statement.organization_id === organization,
  );
  if (own.length === 0 || added.length + removed.length === 0) return;
  const present = await tenant.organizationMembers.list(organization);
  const stateWith = (members: readonly string[]) => stateOf({ members: { [organization]: members } });
  const after = stateWith(without([...new Set([...present, ...added])], removed));
  const refusal = refusalOf(own, { before: stateWith(present), after }, { operation, attribute: "organization_id" });
  if (refusal) throw refusal;
}
