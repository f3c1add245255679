/** Checks a planned change of a member set against the expectations about members. */
import { unknown } from "../../cty/value";
import type { Expectation } from "../../impact/expectation/expectation";
import type { TenantState } from "../../impact/expectation/judge";
import { isKnown, type Change, type Planned, type State } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { ifReadable } from "../lookup";
import { organizationMemberSet } from "../organization-member-set/definition";
import { listOrNothing, membersOf, without } from "../organization-member-set/wire";
import { isAbout } from "./expectations";
import type { States } from "./subject";

type Definition = typeof organizationMemberSet;
type PlannedSet = Planned<Definition>;
type MemberSet = State<Definition>;

const attached = "changed member sets";

export async function reviewMemberExpectations(
  change: Change<Definition>,
  context: ReviewContext<Client>,
): Promise<void> {
  const { client, plan } = context;
  const { action, prior, planned } = change;
  const isKept = action === "keep";
  // An apply judges its writes.
  if (!client || plan.phase === "apply" || (isKept && plan.phase !== "plan")) return;
  const { expectations, tenant } = client;
  if (!expectations.all.some((one) => isAbout(one, "members"))) return;
  if (!isKept) plan.attach(attached, { prior, planned });
  const changes = () => setChanges(context);
  for (const organization of organizationsOf(change)) {
    const concerns = (one: Expectation) => isAbout(one, "members") && mayName(one, organization);
    if (!expectations.all.some(concerns)) continue;
    const read = () => listOrNothing(tenant.organizationMembers, organization);
    // The state of an exclusive set has all members, and was refreshed just now.
    const present = isKept && prior?.exclusive ? membersOf(prior) : await ifReadable(read);
    await expectations.review(
      {
        topic: `expectations about the members of ${organization}`,
        isKept,
        attribute: "organization_id",
        concerns,
        version: () => [...(present ?? []), ...changes()],
        states: () => (present ? memberStates(organization, present, changes()) : { before: {}, after: {} }),
        isOpen: () => changes().some((one) => one.planned && !isKnown(organizationMemberSet, one.planned)),
        size: changes().length,
        isMine: () => true,
      },
      context,
    );
  }
}

/** The member sets that the plan changes so far. */
export const setChanges = ({ plan }: Pick<ReviewContext<unknown>, "plan">): readonly SetChange[] =>
  plan.attached(attached) as readonly SetChange[];

/** The organizations that are known. */
function organizationsOf({ prior, planned }: Change<Definition>): string[] {
  const found = [prior?.organization_id, planned?.organization_id].filter((id) => typeof id === "string");
  return [...new Set(found)];
}

function mayName({ statement }: Expectation, organization: string): boolean {
  if (statement.kind !== "members") return true;
  const { organization_id: named } = statement;
  return named === organization || typeof named === "symbol";
}

/** The change of one set. `planned` undefined: the plan destroys the set. */
export interface SetChange {
  readonly prior?: MemberSet | undefined;
  readonly planned?: PlannedSet | undefined;
}

/** Undefined: known only after the apply. */
type Members = readonly string[] | undefined;

/** `present`: the members that the tenant has. */
export function memberStates(organization: string, present: readonly string[], changes: readonly SetChange[]): States {
  const after = changes.reduce<Members>(
    (members, change) => members && membersAfter(organization, members, change),
    present,
  );
  return { before: memberState(organization, present), after: memberState(organization, after ?? unknown) };
}

export function memberState(organization: string, members: readonly string[] | symbol): TenantState {
  return { members: [{ values: { organization_id: organization, members } }] };
}

/** The members of the organization once the set has changed. */
export function membersAfter(organization: string, members: readonly string[], { prior, planned }: SetChange): Members {
  const old = prior?.organization_id === organization ? prior : undefined;
  const now = planned?.organization_id === organization ? planned : undefined;
  // The set may come to this organization, or stay in it.
  if (planned?.organization_id === unknown && (old || !prior)) return undefined;
  if (!now) return old ? without(members, leavingAtEnd(old)) : members;
  const wanted = wantedIn(now);
  if (!wanted || now.exclusive === unknown) return undefined;
  if (now.exclusive !== false) return wanted;
  const gone = old && !old.exclusive ? without(membersOf(old), wanted) : [];
  return [...new Set([...without(members, gone), ...wanted])];
}

const leavingAtEnd = (set: MemberSet) => (set.on_destroy === "keep" ? [] : membersOf(set));

function wantedIn({ members, members_with_notes: notes, expired_members: expired = [] }: PlannedSet): Members {
  const listed: unknown = members ?? (typeof notes === "object" ? Object.keys(notes) : notes);
  const areKnown = (ids: unknown): ids is readonly string[] =>
    Array.isArray(ids) && ids.every((id) => typeof id === "string");
  return areKnown(listed) && areKnown(expired) ? without(listed, expired) : undefined;
}
