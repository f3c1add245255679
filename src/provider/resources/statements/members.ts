/** Reviews the change of a member set by the expectations about the members of its organizations. */
import { apply, stateOf, type MembershipChange } from "../../../judge/impact/state";
import type { Expectation } from "../../../judge/impact/statement/statement";
import { isKnown, type Change, type Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { ifReadable, listOrNothing } from "../lookup";
import { membersOf, organizationMemberSet, without } from "../organization-member-set/definition";
import { expectationProblems } from "./problem";
import { isOver, review } from "./review";
import { enforced, statementsAbout } from "./statements";
import type { Operation } from "./words";

const attached = "changed member sets";

type MemberChange = Change<typeof organizationMemberSet>;

export async function reviewMemberStatements(change: MemberChange, context: ReviewContext<Client>): Promise<void> {
  const { action, prior, planned } = change;
  const { client, plan } = context;
  if (!client || isOver(change, context)) return;
  const isKept = action === "keep";
  const own: MembershipChange = { kind: "memberships", prior, planned };
  if (!isKept) plan.attach(attached, own);
  for (const organization of organizationsIn(own)) {
    const expectations = statementsAbout(client.statements, "members").filter((one) => mayName(one, organization));
    if (expectations.length === 0) continue;
    const changes = () =>
      (plan.attached(attached) as readonly MembershipChange[]).filter((one) => mayConcern(one, organization));
    const read = () => listOrNothing(client.tenant.organizationMembers, organization);
    // The state of an exclusive set has all members, and was refreshed just now.
    const present = isKept && prior?.exclusive ? membersOf(prior) : await ifReadable(read);
    const before = stateOf(present ? { members: { [organization]: present } } : {});
    const judge = (all: readonly MembershipChange[]) =>
      expectationProblems(expectations, { before, after: all.reduce(apply, before) }, all.some(isOpen));
    await review(
      {
        topic: `statements about the members of ${organization}`,
        isKept,
        attribute: "organization_id",
        present: present ?? [],
        changes,
        isThis: (one) => one === own,
        judge,
        isMine: () => true,
      },
      context,
    );
  }
}

const isOpen = ({ planned }: MembershipChange): boolean =>
  planned !== undefined && !isKnown(organizationMemberSet, planned as Planned<typeof organizationMemberSet>);

/** The organizations that are known. */
const organizationsIn = (change: MembershipChange): string[] => [
  ...new Set(idsOf(change).filter((id) => typeof id === "string")),
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
  const { refusalOf } = await import("./write.js");
  const present = await tenant.organizationMembers.list(organization);
  const stateWith = (members: readonly string[]) => stateOf({ members: { [organization]: members } });
  const after = stateWith(without([...new Set([...present, ...added])], removed));
  const refusal = refusalOf(own, { before: stateWith(present), after }, { operation, attribute: "organization_id" });
  if (refusal) throw refusal;
}
