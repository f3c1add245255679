/** Judges the changes of members: who loses access to an organization, who gains it, and who may. */
import { levelOf } from "../../codes/codes";
import type { Cause } from "../cause";
import { effect, type Effect } from "../effect";
import { hidden } from "../../../formats/text/lists";
import type { PlannedObject, Remote } from "../model";
import { removalsRefusedBy } from "../refusals";
import type { Assumption } from "../words/assumption";
import { memberChange, organizationsIn, type MemberChange, type Organization, type Directory } from "./changes";
import type { MemberFacts, People, Refusal } from "./facts";
import { changeOf, openAttributes, setsIn, type MemberSet, type Side } from "./set";

export interface MemberJudgement {
  /** One for each set and organization. */
  readonly changes: readonly MemberChange[];
  /** For each organization: the certain loss, the gain, and then all that is not known. */
  readonly effects: readonly Effect[];
  /** Members that stay although a set no longer lists them. */
  readonly kept: readonly Effect[];
}

export function judgeMembers(
  objects: readonly PlannedObject[],
  remote?: Remote["organization_members"],
  directory: Directory = {},
): MemberJudgement {
  const sets = setsIn(objects);
  const organizations = organizationsIn(sets, remote, directory);
  const rows = organizations.map((about) =>
    about.sets.map((set) => ({ set, about, change: memberChange(set, about) })),
  );
  const places = new Map(sets.map((set, index) => [set, index]));
  const inOrder = rows.flat().toSorted((one, other) => places.get(one.set)! - places.get(other.set)!);
  return {
    changes: inOrder.map(({ change }) => change),
    effects: organizations.flatMap((about, index) => [
      ...lossEffects(about),
      ...gainEffects(about),
      ...rows[index]!.flatMap(({ set, change: { may_lose: atMost, may_gain: mayGain } }) => [
        ...othersEffects(set, about),
        ...(atMost === 0 ? [] : [possibleLossEffect(set, about, atMost)]),
        ...(mayGain ? [possibleGainEffect(set, about)] : []),
      ]),
    ]),
    kept: inOrder.flatMap(({ set, about }) => keptBy(set, about)),
  };
}

/** More members than this, or a larger share, are many. */
const many = 10;
const largeShare = 0.25;
/** In a smaller organization, any member who leaves is a large share. */
const fewPeople = 5;

const isMany = ({ all, were }: Organization, count: number) =>
  count > many || (all !== undefined && count > largeShare * were.size);

/** The members that the organization certainly loses. */
function lossEffects(about: Organization): Effect[] {
  const { id, sets, were, all, lost, removalsBySet, basis, words: place } = about;
  const leaving = [...lost].toSorted();
  if (id === undefined || leaving.length === 0) return [];
  const own = sets.flatMap(({ after }) => (after?.organization === id ? after : []));
  const left = [...were, ...own.flatMap(({ members }) => members)].filter((person) => !lost.has(person));
  // A set that moves to an organization that is not known yet may come back with its members.
  const mayReturn = sets.some(({ after }) => after && after.organization === undefined && listsAnyone(after));
  // Newcomers do not give access back to the people who are there now.
  const losesAll = all !== undefined && leaving.length === were.size;
  const code = losesAll
    ? "TNF-MEMBERS-EMPTIED"
    : isMany(about, leaving.length)
      ? "TNF-MEMBERS-MANY"
      : "TNF-MEMBERS-REMOVED";
  const isSmall = isFew(about) && leaving.length < were.size;
  const causes = [...removalsBySet]
    .filter(([, { certain }]) => certain.length > 0)
    .toSorted(([, one], [, other]) => other.certain.length - one.certain.length);
  // The provider judges each set by itself. It does not judge sets of other providers.
  const [sole, ...more] = sets;
  const refusedBy = more.length === 0 ? refusalOf(about, leaving.length, losesAll) : undefined;
  const isOpen = refusedBy === undefined && sole!.limits?.isOpen === true;
  const isJudged = more.length === 0 ? !isOpen : sets.every(({ limits }) => !limits);
  const isWhole = all !== undefined && !own.some(({ open }) => open) && !mayReturn;
  const after = isWhole ? new Set(left).size : null;
  return [
    effect(
      code,
      { ...factsOf(about), loses: peopleOf(about, leaving), after, ...(refusedBy && { refusedBy }) },
      {
        level: isSmall && code === "TNF-MEMBERS-MANY" ? "medium" : levelOf(code),
        share: all ? { value: leaving.length / were.size, of: `members of ${place}`, basis } : null,
        cause: causes.map(([set]) => causeOf(set)),
        ...(isJudged && { refuses: refusedBy !== undefined }),
      },
    ),
  ];
}

/** The members that a new set does not list and may not remove, so that its plan is refused. */
function othersEffects(set: MemberSet, about: Organization): Effect[] {
  const { before, after, isCreated, limits } = set;
  const { id, all } = about;
  const isRefusing = after?.exclusive === true && after.removesExisting === false && !after.open;
  if (!isRefusing || !limits || !isCreated || !all || after.organization !== id || before?.organization === id)
    return [];
  const listed = new Set(after.members);
  const others = [...all].filter((person) => !listed.has(person));
  if (others.length === 0) return [];
  const facts = { ...factsOf(about), others: peopleOf(about, others) };
  return [effect("TNF-OTHER-MEMBERS", facts, { cause: [causeOf(set)], refuses: true })];
}

function refusalOf({ id, sets: [set] }: Organization, removed: number, losesAll: boolean): Refusal | undefined {
  const { before, after, limits } = set!;
  if (!limits) return undefined;
  // A set that leaves the organization, and did not manage all members, did not promise that some remain.
  const isPart = before?.organization === id && after?.organization !== id && before?.exclusive !== true;
  const setting = removalsRefusedBy(removed, losesAll, { ...limits, mayEmpty: limits.mayEmpty || isPart });
  return setting && { setting, ...(setting === "max_removals" && { most: limits.most! }) };
}

/** Whether the organization has few members. */
const isFew = ({ all, were }: Organization) => all !== undefined && were.size < fewPeople;

const listsAnyone = ({ members, open }: Side) => members.length > 0 || open !== undefined;

const factsOf = ({ id, isSecret, words, all, were }: Organization): MemberFacts => ({
  kind: "members",
  organization: { id: isSecret ? hidden : (id ?? null), words },
  before: all ? were.size : null,
  after: null,
});

/** More people are not named. */
const mostNamed = 20;

function peopleOf(about: Organization, ids: readonly string[], isHidden = hidesNames(about)): People {
  const { names } = about;
  const some = isHidden ? [] : names.inOrder(ids).slice(0, mostNamed);
  return { count: ids.length, some: some.map((id) => ({ id, words: names.words(id) })) };
}

/** Whether one of the sets lists members that must not be shown. */
const hidesNames = ({ sets }: Organization) => sets.some(({ before, after }) => before?.isSecret || after?.isSecret);

/** The members that a set lists before the apply only, if no set removes or lists them. */
function keptBy(set: MemberSet, organization: Organization): Effect[] {
  const { id, listed, leaving } = organization;
  if (!set.acts || id === undefined || set.before?.organization !== id) return [];
  const staying = set.before.members.filter((person) => !leaving.has(person) && !listed.has(person));
  if (staying.length === 0 || openAttributes(set).length > 0) return [];
  const stays = peopleOf(organization, staying, set.before.isSecret);
  return [
    effect(
      "TNF-MEMBERS-REMOVED",
      { ...factsOf(organization), stays },
      { ...set, level: "info", cause: [causeOf(set)] },
    ),
  ];
}

function reasonsOf(set: MemberSet, { removalsBySet }: Organization): Assumption[] {
  const attributes = openAttributes(set);
  const open = attributes.length > 0 ? [{ is: "open attributes", attributes } as const] : [];
  const reasons: Assumption[] = set.isUnseen ? [{ is: "imported set" }] : open;
  if (removalsBySet.get(set)!.isUncounted) return [...reasons, { is: "number of members" }];
  return reasons.length > 0 ? reasons : [{ is: "order of sets" }];
}

function gainEffects(about: Organization): Effect[] {
  const { id, sets, all, joins } = about;
  if (joins.length === 0) return [];
  const joining = new Set(joins);
  const listing = sets.filter(
    ({ after }) => after && after.organization === id && after.members.some((person) => joining.has(person)),
  );
  const assumptions: Assumption[] = [
    ...(id === undefined ? [{ is: "organization" } as const] : all ? [] : [{ is: "members already" } as const]),
    ...(mayBeRemoved(about) ? [{ is: "removed again" } as const] : []),
  ];
  const isCertain = assumptions.length === 0;
  return [
    effect(
      "TNF-MEMBERS-ADDED",
      { ...factsOf(about), gains: peopleOf(about, joins) },
      {
        level: isCertain ? "low" : "info",
        cause: listing.map(causeOf),
        certainty: isCertain ? "certain" : "possible",
        assumptions,
      },
    ),
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

function possibleEffect(set: MemberSet, about: Organization, facts: Partial<MemberFacts>, more: object): Effect {
  return effect(
    "TNF-MEMBERS-UNKNOWN",
    { ...factsOf(about), ...facts },
    { cause: [causeOf(set)], certainty: "possible", assumptions: reasonsOf(set, about), ...more },
  );
}

/** `atMost`: null for any number. */
function possibleLossEffect(set: MemberSet, about: Organization, atMost: number | null): Effect {
  const { all, basis, words: place, lost, were } = about;
  const sum = atMost === null ? Infinity : atMost + lost.size;
  const level = isMany(about, sum) ? (isFew(about) && sum < were.size ? "medium" : "high") : "low";
  const whole = all && atMost !== null && atMost <= all.size ? all.size : undefined;
  const share = atMost && whole ? { value: atMost / whole, of: `members of ${place}`, basis } : null;
  return possibleEffect(set, about, { mayLose: atMost, before: whole ?? null }, { level, share });
}

const possibleGainEffect = (set: MemberSet, about: Organization): Effect =>
  possibleEffect(set, about, { mayGain: true }, { level: "info" });

function causeOf(set: MemberSet): Cause {
  const { address, plan } = set;
  return { address, ...(plan !== undefined && { plan }), change: changeOf(set) };
}
