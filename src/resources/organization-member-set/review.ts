/** What only the tenant and the other sets of a plan can tell about a change of a member set: above all, who would be removed. */
import { attributePath } from "../../cty/path";
import { isKnown, type Change, type Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { tellEffect } from "../effects";
import { demandScopes } from "../scopes";
import { reportRename } from "../twins";
import { organizationMemberSet } from "./definition";
import { effectOf } from "./effect";
import { count, few, limitsOf, reportLoss, reportOpenLoss } from "./loss";
import { listOrNothing, membersOf, ownedBefore, without, type MemberSet } from "./wire";

type Definition = typeof organizationMemberSet;
type Review = ReviewContext<Client>;

export async function reviewMemberSet(change: Change<Definition>, context: Review): Promise<void> {
  if (change.action === "destroy" || change.action === "replace") return reviewEnd(change, context);
  const { action, prior, planned, replaced } = change;
  const { organization_id: organizationId } = planned;
  if (typeof organizationId !== "string") return reviewOpenOrganization(planned, context);
  // What takes the place of a set of the same organization is neither a second one nor a rename.
  const isNew = action === "create" && replaced?.organization_id !== organizationId;
  if (prior || isNew) claimOrganization(organizationId, planned, prior !== undefined, context);
  if (isNew) reportRename("member set", { organization_id: organizationId }, undefined, context);
  if (action === "keep") return;
  if (prior) return reviewUpdate(prior, planned, context);
  await reviewCreation(organizationId, planned, isNew, context);
}

/** A new set in an organization that is known only after the apply, so its members cannot be read. */
function reviewOpenOrganization(planned: Planned<Definition>, context: Review): void {
  if (planned.exclusive === false || planned.adopt_existing === false) return;
  const open = ["organization_id", ...openIn(planned)];
  reportOpenLoss({ organizationId: undefined, present: undefined, wanted: [], open }, limitsOf(planned), context);
}

async function reviewEnd({ action, prior, planned }: Change<Definition>, context: Review): Promise<void> {
  const { organization_id, exclusive, on_destroy, max_removals } = prior as MemberSet;
  if (on_destroy === "keep") return;
  if (action === "destroy") claimEnd(organization_id, context);
  if (action === "destroy") reportRename("member set", { organization_id }, organization_id, context);
  await demandScopes(["delete:organization_members"], context);
  const limits = planned ? limitsOf(planned) : { most: max_removals, mayEmpty: true };
  const loss = { organizationId: organization_id, present: membersOf(prior as MemberSet), wanted: [] };
  reportLoss(loss, { ...limits, mayEmpty: limits.mayEmpty || !exclusive }, { end: action }, context);
}

async function reviewUpdate(prior: MemberSet, planned: Planned<Definition>, context: Review): Promise<void> {
  const wanted = knownMembers(planned);
  // If `exclusive` is not known, the set may become exclusive.
  const exclusive = planned.exclusive !== false;
  const before = await ownedBefore(prior, wanted, exclusive, endpointOf(context));
  const open = openIn(planned);
  if (open.length > 0) {
    const loss = { organizationId: prior.organization_id, present: before, wanted, open };
    return reportOpenLoss(loss, limitsOf(planned), context);
  }
  await demandScopesFor(before, wanted, context);
  const loss = { organizationId: prior.organization_id, present: before, wanted };
  reportLoss(loss, limitsOf(planned), { unseen: before.length > membersOf(prior).length }, context);
  if (isKnown(organizationMemberSet, planned)) await tellEffect(effectOf(prior, planned), context);
}

async function reviewCreation(
  organizationId: string,
  planned: Planned<Definition>,
  isNew: boolean,
  context: Review,
): Promise<void> {
  const wanted = knownMembers(planned);
  await demandScopesFor([], wanted, context);
  const endpoint = endpointOf(context);
  if (!endpoint) return;
  const present = await listOrNothing(endpoint, organizationId);
  if (!present) return reportMissing(organizationId, context);
  if (planned.exclusive === false) return;
  const [others, open] = [without(present, wanted), openIn(planned)];
  const refuses = planned.adopt_existing === false && isNew;
  if (open.length > 0) {
    // The apply knows the values, and refuses to remove members that the set does not list.
    if (!refuses) reportOpenLoss({ organizationId, present, wanted, open }, limitsOf(planned), context);
    return;
  }
  if (others.length > 0 && refuses) return reportOthers(organizationId, others, context);
  reportLoss({ organizationId, present, wanted }, limitsOf(planned), { unseen: true }, context);
}

/** As far as they are known. */
function knownMembers({ members = [], members_with_notes: notes }: Planned<Definition>): readonly string[] {
  if (notes && typeof notes === "object") return Object.keys(notes);
  return typeof members === "symbol" ? [] : members.filter((member) => typeof member === "string");
}

/** The attributes that decide the removals and are known only after the apply. */
function openIn({ members = [], members_with_notes: notes, exclusive }: Planned<Definition>): string[] {
  const isOpen = typeof members === "symbol" || members.some((member) => typeof member !== "string");
  return [
    ...(isOpen ? ["members"] : []),
    ...(typeof notes === "symbol" ? ["members_with_notes"] : []),
    ...(typeof exclusive === "symbol" ? ["exclusive"] : []),
  ];
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
  const title = exists ? "a set in the state" : "a new set";
  const options = { shared: exclusive === false };
  const other =
    plan.claim(["organization", organizationId], title, options) ??
    (exists ? plan.claim(["set of organization", organizationId], title, options) : undefined);
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

/** A set that is destroyed removes its members, even those that another set of the organization lists. */
function claimEnd(organizationId: string, { plan, report }: Review): void {
  const other = plan.claim(["set of organization", organizationId], "a set that is destroyed", { shared: true });
  if (other === undefined) return;
  report({
    severity: "error",
    summary: "Two sets for one organization",
    detail:
      `\`organization_id\` is "${organizationId}" in a set that is destroyed and in ${other}. The destroyed set would remove members ` +
      "that the other set lists. Take the destroyed set out of the state with a removed block (destroy = false) or terraform state " +
      'rm, or apply on_destroy = "keep" for it first.',
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

function reportOthers(organizationId: string, others: readonly string[], { client, report }: Review): void {
  const importCommand = client!.importCommand("tenant_organization_member_set", organizationId);
  report({
    severity: "error",
    summary: "The organization has other members",
    detail:
      `Organization ${organizationId} has ${count(others)} that the set does not list, and a new set would remove ` +
      `them: ${few(others)}. List them too; or import the set first to see the removals in the plan ` +
      `(${importCommand}); or set \`adopt_existing = true\` to ` +
      "have them removed; or `exclusive = false` to leave them alone.",
    path: attributePath("organization_id"),
  });
}
