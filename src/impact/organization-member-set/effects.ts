/** Words the changes of members for the people that they affect. */
import { levelOf } from "../../codes/codes";
import type { Cause } from "../cause";
import { effect, type Effect } from "../effect";
import { amount, counted, hidden } from "../phrases";
import type { PlannedObject, Remote } from "../model";
import { removalsRefusedBy } from "../refusals";
import { memberChange, organizationsIn, type MemberChange, type Organization, type Directory } from "./changes";
import { changeOf, openAttributes, setsIn, type MemberSet, type Side } from "./set";

export interface MemberJudgement {
  /** One for each set and organization. */
  readonly changes: readonly MemberChange[];
  readonly losses: readonly Loss[];
  readonly possibleLosses: readonly PossibleLoss[];
  /** For each organization: the certain loss, the gain, and then all that is not known. */
  readonly effects: readonly Effect[];
  /** Members that stay although a set no longer lists them. */
  readonly kept: readonly Effect[];
}

/** The members that an organization certainly loses. */
export interface Loss {
  readonly about: Organization;
  readonly leaving: readonly string[];
  readonly effect: Effect;
  /** The setting of the only set of the organization that forbids the loss. */
  readonly refusedBy?: Refusal | undefined;
}

/** The members that an organization may lose through one set, because a value is not known. */
export interface PossibleLoss {
  readonly about: Organization;
  readonly set: MemberSet;
  /** null: any number. */
  readonly atMost: number | null;
}

export function judgeMembers(
  objects: readonly PlannedObject[],
  remote?: Remote["organization_members"],
  directory: Directory = {},
): MemberJudgement {
  const sets = setsIn(objects);
  const organizations = organizationsIn(sets, remote, directory);
  const rows = sets.flatMap((set) =>
    organizations
      .filter((organization) => organization.sets.includes(set))
      .map((about) => ({ set, about, change: memberChange(set, about) })),
  );
  const losses = organizations.flatMap(lossOf);
  return {
    changes: rows.map(({ change }) => change),
    losses,
    possibleLosses: rows.flatMap(({ set, about, change: { may_lose: atMost } }) =>
      atMost === 0 ? [] : { about, set, atMost },
    ),
    effects: organizations.flatMap((about) => [
      ...losses.flatMap((loss) => (loss.about === about ? loss.effect : [])),
      ...gainEffects(about),
      ...rows.flatMap(({ set, about: own, change }) => (own === about ? possibleEffects(set, about, change) : [])),
    ]),
    kept: rows.flatMap(({ set, about }) => keptBy(set, about)),
  };
}

/** More members than this, or a larger share, are many. */
const many = 10;
const largeShare = 0.25;
/** In a smaller organization, any member who leaves is a large share. */
const fewPeople = 5;

const isMany = ({ all, were }: Organization, count: number) =>
  count > many || (all !== undefined && count > largeShare * were.size);

function lossOf(about: Organization): Loss[] {
  const { id, sets, were, all, lost, fates, basis, words: place } = about;
  const leaving = [...lost].toSorted();
  if (id === undefined || leaving.length === 0) return [];
  const own = sets.flatMap(({ after }) => (after?.organization === id ? after : []));
  const left = [...were, ...own.flatMap(({ members }) => members)].filter((person) => !lost.has(person));
  // A set that moves to an organization that is not known yet may come back with its members.
  const mayReturn = sets.some(({ after }) => after && after.organization === undefined && listsAnyone(after));
  const isEmptied = all !== undefined && left.length === 0 && !own.some(({ open }) => open) && !mayReturn;
  const code = isEmptied
    ? "TNF-MEMBERS-EMPTIED"
    : isMany(about, leaving.length)
      ? "TNF-MEMBERS-MANY"
      : "TNF-MEMBERS-REMOVED";
  const isSmall = isFew(about) && leaving.length < were.size;
  const isOne = leaving.length === 1;
  const count = all
    ? leaving.length === were.size && !isOne
      ? `All ${membersWord(were.size)}`
      : `${amount(leaving.length)} of ${membersWord(were.size)}`
    : `${membersWord(leaving.length)} (the number of all members is not known)`;
  const end = isEmptied ? ", so nobody is left" : "";
  const words = `${count} ${isOne ? "loses" : "lose"} access to ${place}${end}`;
  const causes = [...fates]
    .filter(([, { certain }]) => certain.length > 0)
    .toSorted(([, one], [, other]) => other.certain.length - one.certain.length);
  // The provider judges each set by itself. It does not judge sets of other providers.
  const [sole, ...more] = sets;
  const refusedBy = more.length === 0 ? refusalOf(about, leaving.length, isEmptied) : undefined;
  const isOpen = refusedBy === undefined && sole!.limits?.isOpen === true;
  const isJudged = more.length === 0 ? !isOpen : sets.every(({ limits }) => !limits);
  const told = effect(code, `${words}${namesOf(about, leaving)}.`, {
    level: isSmall && code === "TNF-MEMBERS-MANY" ? "medium" : levelOf(code),
    share: all ? { value: leaving.length / were.size, of: `members of ${place}`, basis } : null,
    who: whoOf(about, leaving),
    brief: `${words}.`,
    cause: causes.map(([set]) => causeOf(set)),
    ...(isJudged && { refuses: refusedBy !== undefined }),
  });
  return [{ about, leaving, effect: told, refusedBy }];
}

interface Refusal {
  readonly setting: "max_removals" | "allow_empty";
  /** `max_removals`. */
  readonly most: number | undefined;
}

function refusalOf({ id, sets: [set] }: Organization, removed: number, isEmptied: boolean): Refusal | undefined {
  const { before, after, limits } = set!;
  if (!limits) return undefined;
  // A set that leaves the organization, and did not manage all members, did not promise that some remain.
  const isPart = before?.organization === id && after?.organization !== id && before?.exclusive !== true;
  const setting = removalsRefusedBy(removed, isEmptied, { ...limits, mayEmpty: limits.mayEmpty || isPart });
  return setting && { setting, most: limits.most };
}

/** Whether the organization has few members. */
const isFew = ({ all, were }: Organization) => all !== undefined && were.size < fewPeople;

const listsAnyone = ({ members, open }: Side) => members.length > 0 || open !== undefined;

/** The first people, those with a note first. */
function fewOf({ names }: Organization, ids: readonly string[], most = 5): string {
  return firstOf(names.inOrder(ids), most, names.words);
}

/** Whether one of the sets lists members that must not be shown. */
const hidesNames = ({ sets }: Organization) => sets.some(({ before, after }) => before?.isSecret || after?.isSecret);

/** The members that a set lists before the apply only, if no set removes or lists them. */
function keptBy(set: MemberSet, organization: Organization): Effect[] {
  const { id, sets, fates, words: place } = organization;
  if (!set.acts || id === undefined || set.before?.organization !== id) return [];
  const leaving = new Set([...fates.values()].flatMap(({ certain, possible }) => [...certain, ...possible]));
  const listed = new Set(sets.flatMap(({ after }) => (after?.organization === id ? after.members : [])));
  const staying = set.before.members.filter((person) => !leaving.has(person) && !listed.has(person));
  if (staying.length === 0 || openAttributes(set).length > 0) return [];
  const are = staying.length === 1 ? "1 member stays" : `${staying.length} members stay`;
  const names = set.before.isSecret ? "" : `: ${fewOf(organization, staying)}`;
  const text = `${are} in ${place}, although ${set.address} no longer lists them${names}.`;
  return [effect("TNF-MEMBERS-REMOVED", text, { ...set, level: "info" })];
}

function reasonsOf(set: MemberSet, { fates }: Organization): string[] {
  const open = openAttributes(set);
  const reasons = set.isUnseen
    ? ["the set is imported, and the plan does not show its members"]
    : open.length > 0
      ? [openWords(open)]
      : [];
  if (fates.get(set)!.isUncounted) return [...reasons, uncounted];
  return reasons.length > 0 ? reasons : ["another set adds them in the same apply, and the order is not known"];
}

/** `members` and `exclusive` are known only after the apply */
export function openWords(attributes: readonly string[]): string {
  const names = attributes.map((name) => `\`${name}\``).join(" and ");
  return `${names} ${attributes.length > 1 ? "are" : "is"} known only after the apply`;
}

/** Why the number of members that may lose access is not known. */
const uncounted =
  "the set removes every member that it does not list, and the number of members is not known (give --tenant, or read " +
  "data.tenant_organization_members)";

export const few = (ids: readonly string[]): string => firstOf(ids.toSorted(), 5);

function firstOf(ids: readonly string[], most: number, words = (id: string) => id): string {
  // A count of one would take the place of the name.
  const shown = ids.length === most + 1 ? ids.length : most;
  const rest = ids.length - shown;
  return ids.slice(0, shown).map(words).join(", ") + (rest > 0 ? ` and ${amount(rest)} more` : "");
}

/** `2 gain access`, or how many may. */
export function gainWords({ gains, may_gain: mayGain }: MemberChange): string {
  const some = `${gains.length} ${gains.length === 1 ? "gains" : "gain"} access`;
  if (!mayGain) return some;
  return gains.length > 0 ? `${some} and others may` : "an unknown number may gain access";
}

/** `2 lose access`, or how many may. */
export function lossWords({ loses, may_lose: mayLose }: MemberChange): string {
  const some = `${loses.length} ${loses.length === 1 ? "loses" : "lose"} access`;
  if (mayLose === 0) return some;
  const most = mayLose === null ? "any number" : `up to ${mayLose}`;
  return loses.length > 0 ? `${some}, and ${most} more may` : `${most} may lose access`;
}

function gainEffects(about: Organization): Effect[] {
  const { id, sets, all, joins } = about;
  if (joins.length === 0) return [];
  const joining = new Set(joins);
  const listing = sets.filter(
    ({ after }) => after && after.organization === id && after.members.some((person) => joining.has(person)),
  );
  const assumptions = [
    ...(id === undefined ? ["the organization is known only after the apply"] : []),
    ...(id !== undefined && all === undefined ? ["whether they are members already is not known"] : []),
    ...(mayBeRemoved(about) ? ["another set may remove them in the same apply"] : []),
  ];
  const isCertain = assumptions.length === 0;
  const verb = isCertain ? (joins.length === 1 ? "gains" : "gain") : "may gain";
  const words = `${membersWord(joins.length)} ${verb} access to ${about.words}`;
  return [
    effect("TNF-MEMBERS-ADDED", `${words}${namesOf(about, joins)}.`, {
      level: isCertain ? "low" : "info",
      who: whoOf(about, joins),
      brief: `${words}.`,
      cause: listing.map(causeOf),
      certainty: isCertain ? "certain" : "possible",
      assumptions,
    }),
  ];
}

/** Whether an exclusive set that the apply changes does not list everyone who joins through other sets. */
function mayBeRemoved({ id, sets, joins }: Organization): boolean {
  return sets.some(({ after, acts }) => {
    if (!acts || !after || after.organization !== id || after.exclusive === false) return false;
    const listed = new Set(after.members);
    return joins.some((person) => !listed.has(person));
  });
}

function possibleEffects(
  set: MemberSet,
  about: Organization,
  { may_gain: mayGain, may_lose: atMost }: MemberChange,
): Effect[] {
  const { all, basis, words: place, lost, were } = about;
  const reasons = reasonsOf(set, about);
  const possible = (words: string, rest: Parameters<typeof effect>[2]) =>
    effect("TNF-MEMBERS-UNKNOWN", `${words}: ${shortReason(reasons)}.`, {
      cause: [causeOf(set)],
      certainty: "possible",
      assumptions: reasons,
      ...rest,
    });
  const sum = atMost === null ? Infinity : atMost + lost.size;
  const level = isMany(about, sum) ? (isFew(about) && sum < were.size ? "medium" : "high") : "low";
  const whole = all && atMost !== null && atMost <= all.size ? all.size : undefined;
  const most = whole === undefined ? membersWord(atMost ?? 0) : `${amount(atMost!)} of ${membersWord(whole)}`;
  const count = atMost === null ? "Any number of members" : `Up to ${most}`;
  const share = atMost && whole ? { value: atMost / whole, of: `members of ${place}`, basis } : null;
  const loss = { level, who: `${count} of ${place}`, share } as const;
  const gain = { level: "info", who: "people who are not known yet" } as const;
  return [
    ...(atMost === 0 ? [] : [possible(`${count} may lose access to ${place}`, loss)]),
    ...(mayGain ? [possible(`More members may gain access to ${place}`, gain)] : []),
  ];
}

/** The first reason, up to its hint. */
const shortReason = (reasons: readonly string[]) => reasons[0]!.split(" (")[0]!;

function causeOf(set: MemberSet): Cause {
  const { address, plan } = set;
  return { address, ...(plan !== undefined && { plan }), change: changeOf(set) };
}

const whoOf = (about: Organization, people: readonly string[]) =>
  hidesNames(about) ? `${membersWord(people.length)} ${hidden}` : fewOf(about, people);

/** `: ada, bob`, or the first two of many. */
function namesOf(about: Organization, people: readonly string[]): string {
  if (hidesNames(about)) return people.length === 1 ? " (the name is sensitive)" : " (their names are sensitive)";
  return `: ${fewOf(about, people, people.length > 3 ? 2 : 3)}`;
}

export const membersWord = (count: number) => counted(count, "member");
