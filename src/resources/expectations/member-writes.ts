/** Refuses a change of the members of an organization that breaks an expectation. */
import type { Expectation } from "../../impact/expectation/expectation";
import type { JudgedExpectation } from "../../impact/expectation/judged";
import type { Client } from "../client";
import type { Operation } from "../network-acl/guard-words";
import { enforced } from "./expectations";
import { memberState } from "./member-review";
import type { brokenBy } from "./writes";

interface Write {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What the provider does first. */
export type First = "add" | "remove";

/**
 * Returns the order of the two steps in which no expectation that held before is broken, or throws. Members are added before others are
 * removed, unless an expectation that always holds forbids so many members.
 */
export async function demandMembers(
  { tenant, expectations }: Pick<Client, "tenant" | "expectations">,
  organization: string,
  write: Write,
  { operation, isOpen }: { readonly operation: Operation; readonly isOpen: boolean },
): Promise<First> {
  const own = expectationsOf(expectations.all, organization);
  if (own.length === 0 || write.added.length + write.removed.length === 0) return "add";
  const { brokenBy, refusalFor } = await import("./writes.js");
  const present = await tenant.organizationMembers.list(organization);
  const order = orderOf(own, { organization, present, write, isFinal: true }, brokenBy);
  if (typeof order === "string") return order;
  throw refusalFor(order, { operation, attribute: "organization_id", isOpen });
}

/** The expectations about the members of the organization that the provider enforces. */
export const expectationsOf = (all: readonly Expectation[], organization: string): Expectation[] =>
  enforced(all, "members").filter(
    ({ statement }) => statement.kind === "members" && statement.organization_id === organization,
  );

interface MemberChange {
  readonly organization: string;
  readonly present: readonly string[];
  readonly write: Write;
  /** Whether the members stay so. */
  readonly isFinal: boolean;
}

/** An expectation: it is broken in every order. `broken`: given, because only a configuration with expectations loads it. */
export function orderOf(
  expectations: readonly Expectation[],
  { organization, present, write: { added, removed }, isFinal }: MemberChange,
  broken: typeof brokenBy,
): First | JudgedExpectation {
  const gone = new Set(removed);
  const without = (ids: readonly string[]) => ids.filter((id) => !gone.has(id));
  const grown = [...new Set([...present, ...added])];
  const before = memberState(organization, present);
  const brokenWith = (members: readonly string[], isEnd: boolean) =>
    broken(expectations, { before, after: memberState(organization, members) }, isEnd);
  const atEnd = brokenWith(without(grown), isFinal);
  if (atEnd) return atEnd;
  const withMore = brokenWith(grown, false);
  if (!withMore) return "add";
  return brokenWith(without(present), false) ? withMore : "remove";
}
