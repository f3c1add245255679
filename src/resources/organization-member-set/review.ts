/** Checks a change of a member set against the tenant and the other sets of the plan. */
import { attributePath } from "../../cty/path";
import { few, judgeMembers } from "../../impact/organization-member-set/effects";
import { openAttributes, setFrom } from "../../impact/organization-member-set/set";
import type { PlannedObject, Remote } from "../../impact/model";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import { organizationMemberSet as kind } from "../../kinds/organization-member-set";
import type { Client } from "../client";
import { canLookUp, listOrNothing } from "../lookup";
import { demandScopes, endingIfReplaced, plannedObject, tellEffect, type ToldChange } from "../review";
import { reviewMemberExpectations } from "../expectations/member-review";
import { reportRename } from "../identical";
import { type MemberSet, membersOf, organizationMemberSet, without } from "./definition";
import { limitsOf, membersWord, reportLosses } from "./loss";

type Definition = typeof organizationMemberSet;
type Review = ReviewContext<Client>;

const { type } = kind;

export async function reviewMemberSet(change: Change<Definition>, context: Review): Promise<void> {
  if (change.planned?.expires_at !== undefined) {
    const { reviewEnds } = await import("../expiry.js");
    await reviewEnds(plannedObject(type, change), context);
  }
  await reviewSet(change, context);
  await reviewMemberExpectations(change, context);
}

async function reviewSet(change: Change<Definition>, context: Review): Promise<void> {
  if (change.action === "destroy" || change.action === "replace") return reviewEnd(change, context);
  const { action, prior, planned, replaced } = change;
  const { organization_id: organizationId } = planned;
  if (typeof organizationId !== "string") {
    // The members of an organization that is not known yet cannot be read.
    return reportLosses(judgeMembers([plannedObject(type, change)]), undefined, limitsOf(planned), {}, context);
  }
  // A set that replaces another set of the same organization is neither a second set nor a rename.
  const isNew = action === "create" && replaced?.organization_id !== organizationId;
  if (prior || isNew) claimOrganization(organizationId, planned, prior !== undefined, context);
  if (isNew) reportRename("member set", { organization_id: organizationId }, undefined, context);
  if (action === "keep") return;
  if (prior) return reviewUpdate(change, prior, context);
  await reviewCreation(organizationId, change, isNew, context);
}

async function reviewEnd(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned } = change;
  const { organization_id: organization, exclusive, on_destroy } = prior as MemberSet;
  if (on_destroy === "keep") return;
  if (action === "destroy") {
    claimEnd(organization, context);
    reportRename("member set", { organization_id: organization }, organization, context);
  }
  // The new set of the same organization does the removals.
  const next = action === "destroy" ? change.successor : planned;
  if (next?.organization_id === organization) return;
  const object = plannedObject(type, change);
  await demandScopes(object, context);
  const remote = exclusive ? undefined : await remoteOf(organization, context);
  const limits = limitsOf(planned ?? (prior as MemberSet));
  const mayEmpty = limits.mayEmpty || !exclusive;
  const end = action === "destroy" ? action : "replace";
  reportLosses(judgeMembers([object], remote), organization, { ...limits, mayEmpty }, { end }, context);
  await tellEffect(toldChange(change, object, remote), context);
}

/** Its review announces the removed members itself. `object`: the change as the review judges it. */
function toldChange(
  { prior, planned }: Change<Definition>,
  object: PlannedObject,
  members?: Remote["organization_members"],
): ToldChange {
  return {
    title: `The member set of ${String((prior ?? planned)!.organization_id)}`,
    object: endingIfReplaced(object),
    ...(members && { members }),
    mayMatter: false,
  };
}

/** A set that is not exclusive does not show how many members the organization has. */
async function remoteOf(organization: string, context: Review): Promise<Remote["organization_members"]> {
  const endpoint = endpointOf(context);
  const present = endpoint && canLookUp(context) ? await listOrNothing(endpoint, organization) : undefined;
  return present && new Map([[organization, present]]);
}

async function reviewUpdate(change: Change<Definition>, prior: MemberSet, context: Review): Promise<void> {
  const { planned } = change as { readonly planned: Planned<Definition> };
  const { organization_id: organization } = prior;
  const endpoint = endpointOf(context);
  // If `exclusive` is not known, the set may become exclusive.
  const becomesExclusive = planned.exclusive !== false && !prior.exclusive;
  const object = plannedObject(type, change);
  const present = becomesExclusive && endpoint ? await listOrNothing(endpoint, organization) : undefined;
  const isShare = !prior.exclusive && judgeMembers([object]).losses.length > 0;
  const known = present && new Map([[organization, present]]);
  const remote = known ?? (isShare ? await remoteOf(organization, context) : undefined);
  await demandScopes(object, context, remote);
  const manner = { shown: membersOf(prior).length };
  reportLosses(judgeMembers([object], remote), organization, limitsOf(planned), manner, context);
  await tellEffect(toldChange(change, object, remote), context);
}

async function reviewCreation(
  organization: string,
  change: Change<Definition>,
  isNew: boolean,
  context: Review,
): Promise<void> {
  const { planned } = change as { readonly planned: Planned<Definition> };
  const endpoint = endpointOf(context);
  if (!endpoint) return;
  const present = await listOrNothing(endpoint, organization);
  if (!present) return reportMissing(organization, context);
  const created = plannedObject(type, change);
  const replaced = { actions: ["delete", "create"], before: { organization_id: organization, members: present } };
  const object = isNew ? created : { ...created, ...replaced };
  const remote = new Map([[organization, present]]);
  await demandScopes(object, context, remote);
  const others = without(present, setFrom(object).after!.members);
  const isRefused = isNew && planned.remove_existing === false && planned.exclusive === true;
  if (isRefused && others.length > 0 && openAttributes(setFrom(object)).length === 0) {
    return reportOthers(organization, others, context);
  }
  reportLosses(judgeMembers([object], remote), organization, limitsOf(planned), { shown: 0 }, context);
  await tellEffect(toldChange(change, object, remote), context);
}

function endpointOf({ client }: Review) {
  return client?.tenant.organizationMembers;
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
    code: "TNF-SET-SAME-ORGANIZATION",
    detail:
      `\`organization_id\` is "${organizationId}" here (${title}) and in another tenant_organization_member_set of this plan ` +
      `(${other}): each would remove the members of the other. Put all members into one of them, or set \`exclusive = false\` in both. [TNF-DUPLICATE]`,
    path: attributePath("organization_id"),
  });
}

/** A set that is destroyed removes its members, even those that another set of the organization lists. */
function claimEnd(organizationId: string, { plan, report }: Review): void {
  const other = plan.claim(["set of organization", organizationId], "a set that is destroyed", { shared: true });
  if (other === undefined) return;
  report({
    severity: "error",
    code: "TNF-SET-SAME-ORGANIZATION",
    detail:
      `\`organization_id\` is "${organizationId}" in a set that is destroyed and in ${other}. The destroyed set would remove members ` +
      "that the other set lists. Take the destroyed set out of the state with a removed block (destroy = false) or terraform state " +
      'rm, or apply on_destroy = "keep" for it first. [TNF-DUPLICATE]',
    path: attributePath("organization_id"),
  });
}

function reportMissing(organizationId: string, { report }: Review): void {
  report({
    severity: "error",
    code: "TNF-NO-ORGANIZATION",
    detail: `\`organization_id\` is ${JSON.stringify(organizationId)}: No organization found by that id. Check the id, and check that domain or endpoint names the right tenant.`,
    path: attributePath("organization_id"),
  });
}

function reportOthers(organizationId: string, others: readonly string[], { client, report }: Review): void {
  const importCommand = client!.importCommand(type, organizationId);
  report({
    severity: "error",
    code: "TNF-OTHER-MEMBERS",
    detail:
      `Organization ${organizationId} has ${membersWord(others.length)} that the set does not list, and a new set would remove ` +
      `them: ${few(others)}. List them too. Or import the set first, so that the plan shows the removals: ` +
      `${importCommand}. Or set \`remove_existing = true\` to remove them, or \`exclusive = false\` to keep them.`,
    path: attributePath("organization_id"),
  });
}
