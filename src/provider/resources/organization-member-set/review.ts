/** Checks a change of a member set against the tenant and the other sets of the plan. */
import type { Titled } from "../../../judge/codes/codes";
import { attributePath, type Path } from "../../../formats/cty/path";
import {
  judgeMembers,
  type Loss,
  type MemberJudgement,
  openWords,
  type PossibleLoss,
} from "../../../judge/impact/organization-member-set/effects";
import { few, membersWord } from "../../../judge/impact/words/members";
import { brief } from "../../../judge/impact/words/words";
import { openAttributes, setFrom } from "../../../judge/impact/organization-member-set/set";
import type { Expectation } from "../../../judge/impact/statement/statement";
import type { PlannedObject, Remote } from "../../../judge/impact/model";
import type { Change, Planned } from "../../sdk/definition";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { ReviewContext } from "../../sdk/resource";
import { organizationMemberSet as kind } from "../../../judge/kinds/organization-member-set";
import type { Client } from "../client";
import { canLookUp, ifReadable, listOrNothing } from "../lookup";
import { noteScopes } from "../scopes";
import { isOver, statementsAbout } from "../statements/statements";
import { importCommandOf } from "../claim";
import { addObject, judgeWhenQuiet, plannedObject } from "../judge-plan";
import { type MemberSet, membersOf, organizationMemberSet, without } from "./definition";
import { isAtLeast } from "../../../judge/impact/effect";

type Definition = typeof organizationMemberSet;
type Review = ReviewContext<Client>;

const { type } = kind;

/** Terraform prints every line of the attribute that a message names, so it does not name the members. */
const place: Path = attributePath("organization_id");

export async function reviewMemberSet(change: Change<Definition>, context: Review): Promise<void> {
  const { client } = context;
  const expectations = client ? statementsAbout(client.statements, "members") : [];
  const isStated = expectations.length > 0 && (await noteStatements(expectations, change, context));
  await reviewSet(change, context);
  if (isStated) await judgeWhenQuiet(context, isStated);
}

/** Notes the expectations about the organizations of the set, and reads their members. Whether there are any. */
async function noteStatements(
  expectations: readonly Expectation[],
  change: Change<Definition>,
  context: Review,
): Promise<boolean> {
  const { client } = context;
  if (!client || isOver(change, context)) return false;
  const { action, prior, planned } = change;
  const organizations = [prior, planned].flatMap((set) => {
    const id: unknown = set?.organization_id;
    return typeof id === "string" ? [id] : [];
  });
  const found = expectations.flatMap((one) => {
    const named = one.statement.kind === "members" ? one.statement.organization_id : undefined;
    const own = [...new Set(organizations)].filter((id) => typeof named !== "string" || named === id);
    return own.map((organization) => ({ one, organization }));
  });
  for (const { one, organization } of found) {
    client.statements.asked.add(one);
    const endpoint = client.tenant.organizationMembers;
    // The state of an exclusive set has all members, and was refreshed just now.
    const isKnown = action === "keep" && prior?.exclusive;
    const present = isKnown ? membersOf(prior) : await ifReadable(() => listOrNothing(endpoint, organization));
    if (present) keepMembers(client, new Map([[organization, present]]));
  }
  return found.length > 0;
}

function keepMembers({ remote }: Client, members: NonNullable<Remote["organization_members"]>): void {
  remote.organization_members = new Map([...(remote.organization_members ?? []), ...members]);
}

async function reviewSet(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned, replaced } = change;
  const { organization_id: id } = (planned ?? prior) as MemberSet;
  const title = `the member set of ${typeof id === "string" ? id : "an organization that is not known yet"}`;
  // The set that takes its place stands for both.
  const isSucceeded = action === "destroy" && change.successor?.organization_id === id;
  if (!isSucceeded) await addObject(title, plannedObject(type, change), context);
  if (action === "destroy" || action === "replace") return reviewEnd(change, context);
  if (typeof id !== "string") {
    // The members of an organization that is not known yet cannot be read.
    return reportLosses(judgeMembers([plannedObject(type, change)]), undefined, {}, context);
  }
  if (action === "keep") return;
  if (prior) return reviewUpdate(change, prior, context);
  // A set that replaces another set of the same organization is no second set.
  await reviewCreation(id, change, replaced?.organization_id !== id, context);
}

async function reviewEnd(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned } = change;
  const { organization_id: organization, exclusive, on_destroy } = prior as MemberSet;
  if (on_destroy === "keep") return;
  // The new set of the same organization does the removals.
  const next = action === "destroy" ? change.successor : planned;
  if (next?.organization_id === organization) return;
  const remote = exclusive ? undefined : await remoteOf(organization, context);
  const end = action === "destroy" ? action : "replace";
  await reviewLosses({ change, remote, manner: { end } }, context);
}

async function reviewUpdate(change: Change<Definition>, prior: MemberSet, context: Review): Promise<void> {
  const { planned } = change as { readonly planned: Planned<Definition> };
  const { organization_id: organization } = prior;
  const endpoint = endpointOf(context);
  // If `exclusive` is not known, the set may become exclusive.
  const becomesExclusive = planned.exclusive !== false && !prior.exclusive;
  const present = becomesExclusive && endpoint ? await listOrNothing(endpoint, organization) : undefined;
  const isShare = !prior.exclusive && judgeMembers([plannedObject(type, change)]).losses.length > 0;
  const known = present && new Map([[organization, present]]);
  const remote = known ?? (isShare ? await remoteOf(organization, context) : undefined);
  const manner = { shown: membersOf(prior).length };
  await reviewLosses({ change, remote, manner }, context);
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
  const others = without(present, setFrom(object).after!.members);
  const isRefused = isNew && planned.remove_existing === false && planned.exclusive === true;
  if (isRefused && others.length > 0 && openAttributes(setFrom(object)).length === 0) {
    await noteScopes(object, context, remote);
    reportOthers(organization, others, context);
    return judgeWhenQuiet(context);
  }
  await reviewLosses({ change, object, remote, manner: { shown: 0 } }, context);
}

const endpointOf = ({ client }: Review) => client?.tenant.organizationMembers;

/** A set that is not exclusive does not show how many members the organization has. */
async function remoteOf(organization: string, context: Review): Promise<Remote["organization_members"]> {
  const endpoint = endpointOf(context);
  const present = endpoint && canLookUp(context) ? await listOrNothing(endpoint, organization) : undefined;
  return present && new Map([[organization, present]]);
}

const refusal = (code: Titled, detail: string, path = place) => ({ severity: "error", code, detail, path }) as const;

function reportMissing(organizationId: string, { report }: Review): void {
  const found = `\`organization_id\` is ${JSON.stringify(organizationId)}: No organization found by that id.`;
  const advice = "Check the id, and check that domain or endpoint names the right tenant.";
  report(refusal("TNF-NO-ORGANIZATION", `${found} ${advice}`));
}

function reportOthers(organizationId: string, others: readonly string[], { report }: Review): void {
  const importCommand = importCommandOf(kind, organizationId);
  const detail =
    `Organization ${organizationId} has ${membersWord(others.length)} that the set does not list, and a new set would remove ` +
    `them: ${few(others)}. List them too, or set \`exclusive = false\` to keep them, or \`remove_existing = true\` to remove them. ` +
    `To see the removals in the plan, import the set first: ${importCommand}`;
  report(refusal("TNF-OTHER-MEMBERS", detail));
}

interface Manner {
  /** The set itself is destroyed, or moves to another organization. */
  readonly end?: "destroy" | "replace";
  /** How many members Terraform's plan shows; it does not show the removal of others. */
  readonly shown?: number;
}

interface Losing {
  readonly change: Change<Definition>;
  /** The change as the review judges it, if it differs. */
  readonly object?: PlannedObject;
  readonly remote: Remote["organization_members"];
  readonly manner: Manner;
}

async function reviewLosses({ change, remote, manner, ...rest }: Losing, context: Review): Promise<void> {
  const object = rest.object ?? plannedObject(type, change);
  const { organization_id: organization } = (change.prior ?? change.planned)! as MemberSet;
  await noteScopes(object, context, remote);
  reportLosses(judgeMembers([object], remote), organization, manner, context);
  const { client } = context;
  if (client && remote) keepMembers(client, remote);
  await judgeWhenQuiet(context);
}

/** Throws unless the settings of the set permit that it removes all its members, because no plan judged that. */
export function demandRemovable(set: MemberSet): void {
  const [loss] = judgeMembers([
    plannedObject(type, { action: "destroy", prior: set } as unknown as Change<Definition>),
  ]).losses;
  if (!loss?.refusedBy) return;
  const { leaving, refusedBy } = loss;
  const [setting, code, unknown] =
    refusedBy.setting === "max_removals"
      ? [
          `max_removals = ${leaving.length}`,
          ["TNF-MAX-REMOVALS", brief(loss.effect)] as const,
          "how many of them the new set lists",
        ]
      : ["allow_empty = true", "TNF-MEMBERS-EMPTIED" as const, "whether anybody stays"];
  throw new DiagnosticError(
    code,
    `Organization ${set.organization_id} would lose ${membersWord(leaving.length)}: ${few(leaving)}. The \`organization_id\` of the ` +
      "set that replaces this one is known only after the apply, so the plan could not know " +
      `${unknown}. Nobody was removed. ` +
      "Apply the resource that `organization_id` comes from first, with -target. If this is meant, apply " +
      `\`${setting}\`, or \`on_destroy = "keep"\`, first. [${loss.effect.code}]`,
    place,
  );
}

/** Reports the losses of one organization; `organization` undefined: the one that is known only after the apply. */
function reportLosses(
  { losses, possibleLosses }: MemberJudgement,
  organization: string | undefined,
  manner: Manner,
  context: Review,
): void {
  const isHere = ({ about }: Loss | PossibleLoss) => about.id === organization;
  for (const loss of losses.filter(isHere)) reportLoss(loss, manner, context);
  for (const loss of possibleLosses.filter(isHere)) reportPossibleLoss(loss, context);
}

function reportLoss(
  { about, leaving, effect, refusedBy }: Loss,
  { end, shown = Infinity }: Manner,
  { report }: Review,
): void {
  const { code, level } = effect;
  const isHidden = about.were.size > shown;
  // A provider does not know which notes are sensitive, so it shows ids.
  const lost = `${few(leaving)}.`;
  const loss = `${brief(effect)} ${leaving.length === 1 ? "The member" : "The members"}: ${lost}`;
  const first = end === "destroy" ? ", and apply that first" : "";
  const stay = end ? ' To leave them in the organization, apply `on_destroy = "keep"` first.' : "";
  if (refusedBy?.setting === "max_removals") {
    const detail = `\`max_removals\` is ${refusedBy.most}: raise it${first && `${first},`} if this is meant.${stay} ${loss} [${code}]`;
    report(refusal(["TNF-MAX-REMOVALS", brief(effect)], detail, end ? [] : attributePath("max_removals")));
  } else if (refusedBy) {
    const detail = `If this is meant, set \`allow_empty = true\`${first}.${stay} ${loss} [${code}]`;
    report(refusal("TNF-MEMBERS-EMPTIED", detail));
  } else if (isHidden || isAtLeast(level, "high")) {
    const known = isHidden
      ? "The plan does not list them, because the set did not list them before."
      : "The plan lists them. To refuse such a plan, set `max_removals`.";
    const how = end && `The set ${end === "destroy" ? "is destroyed" : "moves to another organization"}.`;
    report({
      severity: "warning",
      // Terraform shows only the first of several warnings with one title, so the title has the numbers.
      code: ["TNF-MEMBERS-LOST", brief(effect)],
      detail: `${leaving.length === 1 ? "The member" : "The members"}: ${lost} ${how ?? known}${stay} [${code}]`,
      path: end ? [] : place,
    });
  }
}

/** The apply knows the values, and checks the limits again. */
function reportPossibleLoss({ set, effect }: PossibleLoss, { report }: Review): void {
  const open = openAttributes(set);
  if (open.length === 0) return;
  const why =
    `The set removes every member that it does not list, and ${openWords(open)}. ` +
    `Give a value that is known while planning, or set \`max_removals\`, which the apply checks. [TNF-MEMBERS-UNKNOWN]`;
  report({ severity: "warning", code: ["TNF-MEMBERS-LOST", brief(effect)], detail: why, path: place });
}
