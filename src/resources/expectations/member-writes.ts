/** Refuses a write of the members of an organization that breaks an expectation. */
import type { Context } from "../../sdk/resource";
import type { Client } from "../client";
import type { Operation } from "../network-acl/guard-words";
import { enforced } from "./expectations";
import { memberState } from "./member-review";

interface Write {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Throws if the write breaks an expectation that held before. Members are added before others are removed. */
export async function demandMembers(
  { client }: Pick<Context<Client>, "client">,
  organization: string,
  { added, removed }: Write,
  operation: Operation,
): Promise<void> {
  const isNamed = (id: unknown) => id === organization;
  const own = enforced(client.expectations.all, "members").filter(
    ({ statement }) => statement.kind === "members" && isNamed(statement.organization_id),
  );
  if (own.length === 0 || added.length + removed.length === 0) return;
  const { refusalOfStep } = await import("./writes.js");
  const present = await client.tenant.organizationMembers.list(organization);
  const grown = [...new Set([...present, ...added])];
  const gone = new Set(removed);
  const steps = [
    { members: grown, isFinal: false },
    { members: grown.filter((id) => !gone.has(id)), isFinal: operation !== "replace" },
  ];
  for (const { members, isFinal } of steps) {
    const states = { before: memberState(organization, present), after: memberState(organization, members) };
    const refusal = refusalOfStep(own, states, { operation, isFinal, attribute: "organization_id" });
    if (refusal) throw refusal;
  }
}
