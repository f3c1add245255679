/** What only the tenant and the other sets of a plan can tell about a change of a member set: above all, who would be removed. */
import { attributePath } from "../../cty/path";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { demandScopes } from "../scopes";
import { reportRename } from "../twins";
import type { organizationMemberSet } from "./definition";
import { listOrNothing, ownedBefore, without, type MemberSet } from "./wire";

type Definition = typeof organizationMemberSet;
type Review = ReviewContext<Client>;

export async function reviewMemberSet(change: Change<Definition>, context: Review): Promise<void> {
  if (change.action === "destroy" || change.action === "replace") return reviewEnd(change, context);
  const { action, prior, planned, replaced } = change;
  const { organization_id: organizationId } = planned;
  if (typeof organizationId !== "string") return;
  // What takes the place of a set of the same organization is neither a second one nor a rename.
  const isNew = action === "create" && replaced?.organization_id !== organizationId;
  if (prior || isNew) claimOrganization(organizationId, planned, prior !== undefined, context);
  if (isNew) reportRename("member set", { organization_id: organizationId }, undefined, context);
  const wanted = knownMembers(planned);
  if (action === "keep" || !wanted) return;
  if (prior) return reviewUpdate(prior, planned, wanted, context);
  await reviewCreation(organizationId, planned, wanted, isNew, context);
}

async function reviewEnd({ action, prior }: { action: string; prior: MemberSet }, context: Review): Promise<void> {
  const { organization_id, members, on_destroy, max_removals } = prior;
  if (on_destroy === "keep") return;
  if (action === "destroy") reportRename("member set", { organization_id }, organization_id, context);
  await demandScopes(["delete:organization_members"], context);
  sayRemovals(context, organization_id, members, [], { limit: max_removals, whole: true });
}

async function reviewUpdate(
  prior: MemberSet,
  planned: Planned<Definition>,
  wanted: readonly string[],
  context: Review,
): Promise<void> {
  const before = await ownedBefore(prior, wanted, planned.exclusive, endpointOf(context));
  await demandScopesFor(before, wanted, context);
  const unseen = before.length > prior.members.length;
  sayRemovals(context, prior.organization_id, before, wanted, { limit: limitOf(planned), unseen });
}

async function reviewCreation(
  organizationId: string,
  planned: Planned<Definition>,
  wanted: readonly string[],
  isNew: boolean,
  context: Review,
): Promise<void> {
  await demandScopesFor([], wanted, context);
  const endpoint = endpointOf(context);
  if (!endpoint) return;
  const present = await listOrNothing(endpoint, organizationId);
  if (!present) return reportMissing(organizationId, context);
  if (planned.exclusive !== true) return;
  const others = without(present, wanted);
  if (others.length > 0 && planned.adopt_existing === false && isNew) {
    return reportOthers(organizationId, others, context);
  }
  sayRemovals(context, organizationId, present, wanted, { limit: limitOf(planned), unseen: true });
}

/** Undefined while one of them is not known. */
function knownMembers({ members = [] }: Planned<Definition>): readonly string[] | undefined {
  if (typeof members === "symbol") return undefined;
  const known = members.filter((member) => typeof member === "string");
  return known.length === members.length ? known : undefined;
}

function limitOf({ max_removals: limit }: Planned<Definition>): number | undefined {
  return typeof limit === "number" ? limit : undefined;
}

function endpointOf({ client }: Review) {
  return client?.tenant.organizationMembers;
}

async function demandScopesFor(before: readonly string[], wanted: readonly string[], context: Review): Promise<void> {
  const verbs = [
    ...(without(wanted, before).length > 0 ? ["create"] : []),
    ...(without(before, wanted).length > 0 ? ["delete"] : []),
  ];
  await demandScopes(
    verbs.map((verb) => `${verb}:organization_members`),
    context,
  );
}

function claimOrganization(
  organizationId: string,
  { exclusive }: Planned<Definition>,
  exists: boolean,
  { plan, report }: Review,
): void {
  const title = `a set ${exists ? "that stands in the state" : "that is new"}`;
  const other = plan.claim(["organization", organizationId], title, { shared: exclusive === false });
  if (other === undefined) return;
  report({
    severity: "error",
    summary: "Two sets for one organization",
    detail:
      `\`organization_id\` is "${organizationId}" here (${title}) and in another tenant_organization_member_set of this plan ` +
      `(${other}): each would remove the members of the other. Put all members into one of them, or set \`exclusive = false\` in both.`,
    path: attributePath("organization_id"),
  });
}

function reportMissing(organizationId: string, { report }: Review): void {
  report({
    severity: "error",
    summary: "No such organization",
    detail: `\`organization_id\` is ${JSON.stringify(organizationId)}: No organization found by that id. Check it, and that domain or endpoint names the right tenant.`,
    path: attributePath("organization_id"),
  });
}

function reportOthers(organizationId: string, others: readonly string[], { report }: Review): void {
  report({
    severity: "error",
    summary: "The organization has other members",
    detail:
      `Organization ${organizationId} has ${count(others)} that \`members\` does not list, and a new set would remove ` +
      `them: ${few(others)}. List them too; or import the set first to see the removals in the plan ` +
      `(terraform import tenant_organization_member_set.NAME ${organizationId}); or set \`adopt_existing = true\` to ` +
      "have them removed; or `exclusive = false` to leave them alone.",
    path: attributePath("members"),
  });
}

interface Removals {
  /** The most that may be removed. */
  readonly limit?: number;
  /** The set itself goes. */
  readonly whole?: boolean;
  /** Terraform's plan does not show who is removed. */
  readonly unseen?: boolean;
}

function sayRemovals(
  { report }: Review,
  organizationId: string,
  present: readonly string[],
  wanted: readonly string[],
  { limit, whole = false, unseen = false }: Removals,
): void {
  const leaving = without(present, wanted);
  if (leaving.length === 0) return;
  const loss = `Organization ${organizationId} would lose ${count(leaving)}: ${few(leaving)}.`;
  const stay = whole ? ' To leave them in the organization, apply `on_destroy = "keep"` first.' : "";
  if (limit !== undefined && leaving.length > limit) {
    report({
      severity: "error",
      summary: "More removals than max_removals allows",
      detail: `${loss} \`max_removals\` is ${limit}: raise it${whole ? ", and apply that first," : ""} if this is meant.${stay}`,
      path: whole ? [] : attributePath("max_removals"),
    });
  } else if (wanted.length === 0 || unseen) {
    report({
      severity: "warning",
      summary: unseen ? "Members are removed whom the plan does not list" : "The set empties an organization",
      detail: `${loss}${stay}`,
      path: whole ? [] : attributePath("members"),
    });
  }
}

const shown = 5;

function few(ids: readonly string[]): string {
  const rest = ids.length - shown;
  return ids.toSorted().slice(0, shown).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function count(ids: readonly string[]): string {
  return `${ids.length} member${ids.length === 1 ? "" : "s"}`;
}
