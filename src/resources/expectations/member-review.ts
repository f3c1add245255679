/** Checks a planned change of a member set against the expectations about members. */
import { apply, stateOf, type MembershipChange } from "../../impact/state";
import type { Expectation } from "../../impact/statement/statement";
import { isKnown, type Change, type Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { ifReadable, listOrNothing } from "../lookup";
import { membersOf, organizationMemberSet } from "../organization-member-set/definition";
import { isAbout } from "./expectations";
import { reviewMemberOrder } from "./member-order";
import type { PlanStates } from "./states";

type Definition = typeof organizationMemberSet;
type Review = ReviewContext<Client>;

const attached = "changed member sets";

export async function reviewMemberExpectations(change: Change<Definition>, context: Review): Promise<void> {
  const { client, plan } = context;
  const { action, prior, planned, replaced } = change;
  const isKept = action === "keep";
  // An apply judges its writes.
  if (!client || plan.phase === "apply" || (isKept && plan.phase !== "plan")) return;
  const { expectations, tenant } = client;
  if (!expectations.all.some((one) => isAbout(one, "members"))) return;
  const own: MembershipChange = { kind: "memberships", prior, planned };
  if (!isKept) plan.attach(attached, own);
  for (const organization of organizationsIn([own])) {
    const concerns = (one: Expectation) => isAbout(one, "members") && mayName(one, organization);
    if (!expectations.all.some(concerns)) continue;
    const changes = () =>
      (plan.attached(attached) as readonly MembershipChange[]).filter((one) => mayConcern(one, organization));
    const read = () => listOrNothing(tenant.organizationMembers, organization);
    // The state of an exclusive set has all members, and was refreshed just now.
    const present = isKept && prior?.exclusive ? membersOf(prior) : await ifReadable(read);
    const isOpen = ({ planned: next }: MembershipChange) =>
      next && !isKnown(organizationMemberSet, next as Planned<Definition>);
    await expectations.review(
      {
        topic: `expectations about the members of ${organization}`,
        isKept,
        attribute: "organization_id",
        concerns,
        version: () => [...(present ?? []), ...changes()],
        states: () => (present ? memberStates(organization, present, changes()) : { before: {}, after: {} }),
        isOpen: () => changes().some(isOpen),
        isMine: () => true,
      },
      context,
    );
    const isAlone = () => changes().length === 1;
    const isInPlace = planned && !replaced && action !== "keep" && action !== "replace";
    if (present && isInPlace) await reviewMemberOrder(own, { organization, present, isAlone }, context);
  }
}

/** The organizations that are known. */
const organizationsIn = (changes: readonly MembershipChange[]): string[] => [
  ...new Set(changes.flatMap(idsOf).filter((id) => typeof id === "string")),
];

const idsOf = ({ prior, planned }: MembershipChange): unknown[] =>
  [prior, planned].map((set) => (set as { readonly organization_id?: unknown } | undefined)?.organization_id);

const mayConcern = (change: MembershipChange, organization: string) =>
  idsOf(change).some((id) => id === organization || typeof id === "symbol");

function mayName({ statement }: Expectation, organization: string): boolean {
  if (statement.kind !== "members") return true;
  const { organization_id: named } = statement;
  return named === organization || typeof named === "symbol";
}

/** `present`: the members that the tenant has. */
function memberStates(
  organization: string,
  present: readonly string[],
  changes: readonly MembershipChange[],
): PlanStates {
  const before = stateOf({ members: { [organization]: present } });
  return { before, after: changes.reduce(apply, before) };
}
