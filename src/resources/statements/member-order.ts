/** Finds the order in which members are added and removed so that no expectation is broken on the way, or refuses the change. */
import { membersAfter, stateOf, type MembershipChange } from "../../impact/state";
import type { Expectation, JudgedExpectation } from "../../impact/statement/statement";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { without } from "../organization-member-set/definition";
import { enforced, type Statements } from "./statements";
import { memberOrderDetailOf, type Operation } from "./words";
import type { brokenBy } from "./write";

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
  { tenant, statements }: Pick<Client, "tenant" | "statements">,
  organization: string,
  write: Write,
  { operation, isOpen }: { readonly operation: Operation; readonly isOpen: boolean },
): Promise<First> {
  const own = expectationsOf(statements, organization);
  if (own.length === 0 || write.added.length + write.removed.length === 0) return "add";
  const { brokenBy, refusalFor } = await import("./write.js");
  const present = await tenant.organizationMembers.list(organization);
  const order = orderOf(own, { organization, present, write, isFinal: true }, brokenBy);
  if (typeof order === "string") return order;
  throw refusalFor(order, { operation, attribute: "organization_id", isOpen });
}

/** The expectations about the members of the organization that the provider enforces. */
const expectationsOf = (statements: Statements, organization: string): Expectation[] =>
  enforced(statements, "members").filter(
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
function orderOf(
  expectations: readonly Expectation[],
  { organization, present, write: { added, removed }, isFinal }: MemberChange,
  broken: typeof brokenBy,
): First | JudgedExpectation {
  const grown = [...new Set([...present, ...added])];
  const stateWith = (members: readonly string[]) => stateOf({ members: { [organization]: members } });
  const brokenWith = (members: readonly string[], isEnd: boolean) =>
    broken(expectations, { before: stateWith(present), after: stateWith(members) }, isEnd);
  const atEnd = brokenWith(without(grown, removed), isFinal);
  if (atEnd) return atEnd;
  const withMore = brokenWith(grown, false);
  if (!withMore) return "add";
  return brokenWith(without(present, removed), false) ? withMore : "remove";
}

interface Planned {
  readonly organization: string;
  readonly present: readonly string[];
  /** Whether no other set of the plan may change these members. */
  isAlone(): boolean;
}

/** Refuses a plan whose members cannot be changed in any order, because an expectation always holds. */
export async function reviewMemberOrder(
  change: MembershipChange,
  { organization, present, isAlone }: Planned,
  { client, plan, report }: ReviewContext<Client>,
): Promise<void> {
  const own = expectationsOf(client!.statements, organization).filter(({ always }) => always === true);
  const members = membersAfter(organization, present, change);
  if (own.length === 0 || !members) return;
  const { brokenBy } = await import("./write.js");
  const write = { added: without(members, present), removed: without(present, members) };
  const order = orderOf(own, { organization, present, write, isFinal: false }, brokenBy);
  // The review of the expectations refuses a plan whose result breaks one.
  const after = stateOf({ members: { [organization]: members } });
  const isBrokenAtEnd = () =>
    brokenBy(own, { before: stateOf({ members: { [organization]: present } }), after }, false);
  if (typeof order === "string" || isBrokenAtEnd()) return;
  const refusal = { code: "TNF-PLANNED-STEP-BREAKS-EXPECTATION" as const, detail: memberOrderDetailOf(order) };
  const find = () => (isAlone() ? refusal : undefined);
  const { found, isComplete } = await plan.gathered(`order of members of ${organization}`, find, () => true);
  if (!isComplete) return;
  for (const one of found) report({ severity: "error", ...one, path: [] });
}
