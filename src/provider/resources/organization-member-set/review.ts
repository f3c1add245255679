/** Checks a change of a member set against the tenant and the other sets of the plan. */
import type { Titled } from "../../../judge/codes/codes";
import { attributePath, type Path } from "../../../formats/cty/path";
import { judgeMembers } from "../../../judge/impact/organization-member-set/effects";
import { type Effect, isAtLeast } from "../../../judge/impact/effect";
import type { MemberFacts, People } from "../../../judge/impact/organization-member-set/facts";
import type { PlannedObject, Remote } from "../../../judge/impact/model";
import { few } from "../../../judge/impact/words/members";
import { brief, sentence } from "../../../judge/impact/words/words";
import { openAttributes, setFrom } from "../../../judge/impact/organization-member-set/set";
import type { Change } from "../../sdk/definition";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { ReviewContext } from "../../sdk/resource";
import { organizationMemberSet as kind } from "../../../judge/kinds/organization-member-set";
import type { Client } from "../client";
import { unlessGone } from "../../../tenant/error";
import { canLookUp, ifReadable, noteScopes } from "../scopes";
import { isOver, statementsAbout } from "../statements/statements";
import { importCommandOf } from "../claim";
import { addObject, judgeWhenQuiet, plannedObject } from "../judge-plan";
import { keyAtSet } from "../plan-report";
import { type MemberSet, membersOf, type organizationMemberSet } from "./definition";

type Definition = typeof organizationMemberSet;
type Review = ReviewContext<Client>;

const { type } = kind;

/** Terraform prints every line of the attribute that a message names, so it does not name the members. */
const place: Path = attributePath("organization_id");

export async function reviewMemberSet(change: Change<Definition>, context: Review): Promise<void> {
  const isStated = !!context.client?.statements.expectations.length && (await noteStatements(change, context));
  await reviewSet(change, context);
  await judgeWhenQuiet(context, isStated);
}

/** Notes the expectations about the organizations of the set, and reads their members. Whether there are any. */
async function noteStatements(change: Change<Definition>, context: Review): Promise<boolean> {
  const { client } = context;
  if (!client || isOver(change, context)) return false;
  const { action, prior, planned } = change;
  const organizations = [prior, planned].flatMap((set) => {
    const id: unknown = set?.organization_id;
    return typeof id === "string" ? [id] : [];
  });
  const found = statementsAbout(client.statements, "organization_members").flatMap((one) => {
    const named = one.statement.kind === "members" ? one.statement.organization_id : undefined;
    const own = [...new Set(organizations)].filter((id) => typeof named !== "string" || named === id);
    return own.map((organization) => ({ one, organization }));
  });
  for (const { one } of found) client.statements.asked.add(one);
  for (const organization of new Set(found.map((one) => one.organization))) {
    const endpoint = client.tenant.organizationMembers;
    // The state of an exclusive set has all members, and was refreshed just now.
    const isKnown = action === "keep" && prior?.exclusive;
    const present = isKnown ? membersOf(prior) : await ifReadable(() => unlessGone(() => endpoint.list(organization)));
    if (present) keepMembers(client, new Map([[organization, present]]));
  }
  return found.length > 0;
}

function keepMembers({ remote }: Client, members: NonNullable<Remote["organization_members"]>): void {
  remote.organization_members = new Map([...(remote.organization_members ?? []), ...members]);
}

async function reviewSet(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned } = change;
  const { client, report } = context;
  const { organization_id: id } = (planned ?? prior) as MemberSet;
  const title = `the member set of ${typeof id === "string" ? id : "an organization that is not known yet"}`;
  const next = change.action === "destroy" ? change.successor : planned;
  // The set that takes its place stands for both.
  const isSucceeded = action === "destroy" && next?.organization_id === id;
  const object = plannedObject(type, change);
  if (!isSucceeded) await addObject(title, object, context);
  // The new set of the same organization does the removals of the old one.
  const isEnd = action === "destroy" || action === "replace";
  const isLeft = isEnd && (prior!.on_destroy === "keep" || next?.organization_id === prior!.organization_id);
  const organization: unknown = isEnd ? prior!.organization_id : id;
  if (action === "keep" || isLeft || (!prior && !client)) return;

  const present = typeof organization === "string" ? await presentIn(organization, change, context) : undefined;
  if (present === null) {
    const found = `\`organization_id\` is ${JSON.stringify(organization)}: No organization found by that id.`;
    const advice =
      "Check the id, and check that domain or endpoint names the right tenant. If somebody deleted the organization, remove this resource " +
      "from the configuration; to destroy the whole configuration, run `terraform destroy -refresh=false`.";
    return report({ severity: "error", code: "TNF-NO-ORGANIZATION", detail: `${found} ${advice}`, path: place });
  }
  const remote = present && new Map([[organization as string, present]]);
  await noteScopes(object, context, remote);
  for (const effect of judgeMembers([object], remote).effects) tellEffect(effect, object, change, context);
  if (client && remote) keepMembers(client, remote);
}

/** All members of the organization if they decide, or are worth a request. null: the tenant has no such organization. */
async function presentIn(
  organization: string,
  change: Change<Definition>,
  context: Review,
): Promise<readonly string[] | null | undefined> {
  const { action, prior, planned } = change;
  const endpoint = context.client?.tenant.organizationMembers;
  if (!endpoint || prior?.exclusive) return undefined;
  // If `exclusive` is not known, the set may become exclusive.
  const mayRemoveAll = !prior || (action === "update" && planned!.exclusive !== false);
  // A set that is not exclusive does not show how many members the organization has.
  const hasShare = () => canLookUp(context) && judgeMembers([plannedObject(type, change)]).effects.some(isLoss);
  if (!mayRemoveAll && !hasShare()) return undefined;
  return (await unlessGone(() => endpoint.list(organization))) ?? (prior ? undefined : null);
}

const isLoss = ({ facts }: Effect): boolean => facts.kind === "members" && facts.loses !== undefined;

/** Throws unless the settings of the set permit that it removes all its members, because no plan judged that. */
export function demandRemovable(set: MemberSet): void {
  const object = plannedObject(type, { action: "destroy", prior: set } as unknown as Change<Definition>);
  const loss = judgeMembers([object]).effects.find(({ refuses }) => refuses);
  if (loss?.facts.kind !== "members" || !loss.facts.refusedBy) return;
  const { loses, refusedBy } = loss.facts;
  const isMany = refusedBy.setting === "max_removals";
  throw new DiagnosticError(
    titleOf(loss, loss.facts),
    `${brief(loss)} ${named(loses!)} The \`organization_id\` of the set that replaces this one is known only after the apply, so the plan ` +
      `could not know ${isMany ? "how many of them the new set lists" : "whether anybody stays"}. Nobody was removed. ` +
      "Apply the resource that `organization_id` comes from first, with -target. If this is meant, apply " +
      `\`${isMany ? `max_removals = ${loses!.count}` : "allow_empty = true"}\`, or \`on_destroy = "keep"\`, first. [${loss.code}]`,
    place,
  );
}

/** The title of a warning has the numbers, because Terraform shows only the first of several warnings with one title. */
const titleOf = (effect: Effect, { refusedBy }: MemberFacts): Titled =>
  !effect.refuses
    ? ["TNF-MEMBERS-LOST", brief(effect)]
    : refusedBy?.setting === "max_removals"
      ? ["TNF-MAX-REMOVALS", brief(effect)]
      : refusedBy
        ? "TNF-MEMBERS-EMPTIED"
        : effect.code;

/** A provider does not know which notes are sensitive, so it shows ids. */
const named = ({ count, some }: People): string =>
  `The ${count === 1 ? "member" : "members"}: ${few(
    some.map(({ id }) => id),
    count,
  )}.`;

/** Reports a refusal, and a loss that is large or that Terraform's plan does not show. The apply knows all values, and checks the limits again. */
function tellEffect(effect: Effect, object: PlannedObject, change: Change<Definition>, { plan, report }: Review): void {
  const { facts, code, refuses, level } = effect;
  const { action, prior } = change;
  const isEnd = action === "destroy" || action === "replace";
  const own: unknown = isEnd ? prior!.organization_id : change.planned!.organization_id;
  if (facts.kind !== "members" || facts.organization.id !== (typeof own === "string" ? own : null)) return;
  const { loses, others, mayLose, refusedBy } = facts;
  const shown = isEnd ? Infinity : prior ? membersOf(prior).length : 0;
  // A set that is not exclusive removes only whom it listed, and the plan shows these.
  const isExclusive = [prior, change.planned].some((set) => set !== undefined && set["exclusive"] !== false);
  const isHidden = isExclusive && facts.before !== null && facts.before > shown;
  const isOpen = mayLose !== undefined && openAttributes(setFrom(object)).length > 0;
  if (!refuses && !isOpen && !(loses && (isHidden || isAtLeast(level, "high")))) return;
  const people = loses ?? others;
  const title = titleOf(effect, facts);
  // The other titles are the sentence itself.
  const why = isOpen ? [sentence(effect)] : typeof title === "string" ? [brief(effect)] : [];
  const detail = [
    ...why,
    ...(people ? [named(people)] : []),
    ...remediesOf(facts, change, isHidden),
    ...(isEnd ? ['To leave them in the organization, apply `on_destroy = "keep"` first.'] : []),
    ...(action === "destroy" ? ["If the resource only has another name, write `moved`."] : []),
    `[${code}]`,
  ].join(" ");
  const path = !isEnd ? (refusedBy?.most === undefined ? place : attributePath("max_removals")) : [];
  report({ severity: refuses ? "error" : "warning", code: title, detail, path });
  plan.reported.add(keyAtSet(effect));
}

function remediesOf(
  { others, refusedBy, loses, organization }: MemberFacts,
  { action, replaced }: Change<Definition>,
  isHidden: boolean,
): string[] {
  if (others) {
    // An apply does not know that the new set replaces another one.
    const first =
      replaced?.organization_id === organization.id
        ? "The set also takes the place of another one: apply the change of its members first, and replace it then."
        : `To see the removals in the plan, import the set first: ${importCommandOf(kind, organization.id!)}. If Terraform has it already, as tainted, run \`terraform untaint\`.`;
    return [
      `List them too, or set \`exclusive = false\` to keep them, or \`remove_existing = true\` to remove them. ${first}`,
    ];
  }
  if (refusedBy) {
    const setting = refusedBy.setting === "max_removals" ? "raise `max_removals`" : "set `allow_empty = true`";
    return [`If this is meant, ${setting}${action === "destroy" ? ", and apply this setting first" : ""}.`];
  }
  if (!loses) return ["Give a value that is known while planning, or set `max_removals`, which the apply checks."];
  if (isHidden) return ["The plan does not list them, because the set did not list them before."];
  if (action === "destroy" || action === "replace") return [];
  return ["The plan lists them. To have the provider refuse such a plan, set `max_removals`."];
}
