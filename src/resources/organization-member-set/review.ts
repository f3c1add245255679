/** Checks a change of a member set against the tenant and the other sets of the plan. */
import { attributePath } from "../../cty/path";
import {
  few,
  judgeMembers,
  type Loss,
  type MemberJudgement,
  openWords,
  type PossibleLoss,
} from "../../impact/organization-member-set/effects";
import { openAttributes, setFrom } from "../../impact/organization-member-set/set";
import type { PlannedObject, Remote } from "../../impact/model";
import type { Change, Planned } from "../../sdk/definition";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { ReviewContext } from "../../sdk/resource";
import { organizationMemberSet as kind } from "../../kinds/organization-member-set";
import type { Client } from "../client";
import { canLookUp, listOrNothing } from "../lookup";
import { demandScopes, endingIfReplaced, plannedObject, tellEffect, type ToldChange } from "../review";
import { reviewMemberExpectations } from "../expectations/member-review";
import { reportRename } from "../identical";
import { type MemberSet, membersOf, organizationMemberSet, without } from "./definition";
import { isAtLeast } from "../../impact/effect";
import { type RemovalLimits, removalsRefusedBy } from "../../impact/refusals";

type Definition = typeof organizationMemberSet;
type Review = ReviewContext<Client>;

const { type } = kind;

/** Terraform prints every line of the attribute that a message names, so it does not name the members. */
const place = attributePath("organization_id");

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

const endpointOf = ({ client }: Review) => client?.tenant.organizationMembers;

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
    path: place,
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
    path: place,
  });
}

function reportMissing(organizationId: string, { report }: Review): void {
  report({
    severity: "error",
    code: "TNF-NO-ORGANIZATION",
    detail: `\`organization_id\` is ${JSON.stringify(organizationId)}: No organization found by that id. Check the id, and check that domain or endpoint names the right tenant.`,
    path: place,
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
    path: place,
  });
}

interface Manner {
  /** The set itself is destroyed, or moves to another organization. */
  readonly end?: "destroy" | "replace";
  /** How many members Terraform's plan shows; it does not show the removal of others. */
  readonly shown?: number;
}

export function limitsOf({
  max_removals: limit,
  allow_empty,
  exclusive,
}: Planned<typeof organizationMemberSet>): RemovalLimits {
  const most = typeof limit === "number" ? limit : undefined;
  // A value that is not known yet may permit it. The apply checks again.
  const mayEmpty = limit !== undefined || (allow_empty ?? false) !== false || exclusive !== true;
  return { most, mayEmpty };
}

/** Throws unless the settings of the set permit that it removes all its members, because no plan judged that. */
export function demandRemovable(set: MemberSet): void {
  const members = membersOf(set);
  const limits = limitsOf(set as Planned<Definition>);
  const refusedBy = removalsRefusedBy(members.length, set.exclusive === true && members.length > 0, limits);
  if (refusedBy === undefined) return;
  throw new DiagnosticError(
    "TNF-MEMBERS-EMPTIED",
    `Organization ${set.organization_id} would lose ${membersWord(members.length)}: ${few(members)}. The \`organization_id\` of the ` +
      "set that replaces this one is known only after the apply, so the plan could not know whether anybody is left. Nobody was " +
      "removed. Apply the resource that `organization_id` comes from first, with -target. If this is meant, apply " +
      `${refusedBy === "max_removals" ? `\`max_removals = ${members.length}\`` : "`allow_empty = true`"}, or \`on_destroy = "keep"\`, first. [TNF-MEMBERS-EMPTIED]`,
    place,
  );
}

/** Reports the losses of one organization; `organization` undefined: the one that is known only after the apply. */
function reportLosses(
  { losses, possibleLosses }: MemberJudgement,
  organization: string | undefined,
  limits: RemovalLimits,
  manner: Manner,
  context: Review,
): void {
  const isHere = (one: Loss | PossibleLoss) => one.organization === organization;
  for (const loss of losses.filter(isHere)) reportLoss(loss, limits, manner, context);
  for (const loss of possibleLosses.filter(isHere)) reportPossibleLoss(loss, context);
}

function reportLoss(
  { organization, leaving, of, isWhole, code, level }: Loss,
  limits: RemovalLimits,
  { end, shown = Infinity }: Manner,
  { report }: Review,
): void {
  const isHidden = of > shown;
  const count = isWhole ? `${leaving.length} of ${membersWord(of)}` : membersWord(leaving.length);
  const lost = `${count}: ${few(leaving)}`;
  const loss = `Organization ${organization} would lose ${lost}`;
  const first = end === "destroy" ? ", and apply that first" : "";
  const stay = end ? ' To leave them in the organization, apply `on_destroy = "keep"` first.' : "";
  const refusedBy = removalsRefusedBy(leaving.length, code === "TNF-MEMBERS-EMPTIED", limits);
  if (refusedBy === "max_removals") {
    report({
      severity: "error",
      code: "TNF-MAX-REMOVALS",
      detail: `${loss}. \`max_removals\` is ${limits.most}: raise it${first && `${first},`} if this is meant.${stay} [${code}]`,
      path: end ? [] : attributePath("max_removals"),
    });
  } else if (refusedBy === "allow_empty") {
    report({
      severity: "error",
      code: "TNF-MEMBERS-EMPTIED",
      detail:
        `${loss}. Nobody would be left. If this is meant, set \`allow_empty = true\`, or \`max_removals\` to ${leaving.length} or ` +
        `more${first}.${stay} [${code}]`,
      path: place,
    });
  } else if (isHidden || isAtLeast(level, "high")) {
    const known = isHidden
      ? "The plan does not list them, because the set did not list them before."
      : "The plan lists them. To refuse such a plan, set `max_removals`.";
    const how = end && `The set ${end === "destroy" ? "is destroyed" : "moves to another organization"}.`;
    report({
      severity: "warning",
      // Terraform shows only the first of several warnings with one title, so the title has the numbers.
      code: ["TNF-MEMBERS-LOST", organization, lost],
      detail: `${how ?? known}${stay} [${code}]`,
      path: end ? [] : place,
    });
  }
}

/** The apply knows the values, and checks the limits again. */
function reportPossibleLoss(loss: PossibleLoss, { report }: Review): void {
  const { organization, atMost, of, open } = loss;
  if (atMost === 0 || open.length === 0) return;
  const why =
    `${openWords(open)}, and the set removes every member that it does not list. ` +
    `Give a value that is known while planning, or set \`max_removals\`, which the apply checks. [TNF-MEMBERS-UNKNOWN]`;
  if (organization !== undefined && atMost !== null) {
    const code = ["TNF-MEMBERS-LOST", organization, `up to ${atMost} of ${membersWord(of)}`] as const;
    report({ severity: "warning", code, detail: why, path: place });
  } else {
    const who = atMost === null ? "Any number of members" : `Up to ${atMost} members`;
    report({
      severity: "warning",
      code: "TNF-MEMBERS-UNKNOWN",
      detail: `${who} may lose access: ${why}`,
      path: place,
    });
  }
}

export const membersWord = (count: number) => `${count} member${count === 1 ? "" : "s"}`;
