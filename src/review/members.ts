/** Finds the members that gain, lose, or may lose access, over all member sets of the plans. */
import { finding, type Finding } from "../impact/finding";
import { hidden } from "../impact/hidden";
import { departuresOf, doubtsOf, setFrom, types, type MemberSet, type Side } from "./member-set";
import { objectsOf } from "./objects";
import type { Plan } from "./plan";

export interface MemberReview {
  readonly address: string;
  /** The name of its plan, of several. */
  readonly plan?: string;
  /** null: not known yet. */
  readonly organization_id: string | null;
  readonly gains: readonly string[];
  /** Whether more members, known only after the apply, may gain access. */
  readonly may_gain: boolean;
  readonly loses: readonly string[];
  /** How many more may lose access, because a value that decides is not known; null: any number. */
  readonly may_lose: number | null;
  /** How many the set has; null: not known. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface MembersReview {
  readonly sets: readonly MemberReview[];
  readonly findings: readonly Finding[];
}

type Living = ReadonlyMap<string, readonly string[]>;
type People = ReadonlySet<string>;

/** More people than this, or a larger share, are many. */
const many = 10;
const largeShare = 0.25;

/** Organizations that the plans are about, as far as they are known. */
export function organizationsOf(plans: readonly Plan[]): string[] {
  return organizationsIn(setsOf(plans)).filter((organization) => organization !== undefined);
}

const setsOf = (plans: readonly Plan[]) => plans.flatMap((plan) => objectsOf(plan, types)).map(setFrom);

const sidesOf = ({ before, after }: MemberSet) => [before, after].filter((side) => side !== undefined);

function organizationsIn(sets: readonly MemberSet[]): (string | undefined)[] {
  return [...new Set(sets.flatMap(sidesOf).map(({ organization }) => organization))];
}

/** `living`: who is in which organization, where that is known. */
export function reviewMembers(plans: readonly Plan[], living: Living = new Map()): MembersReview {
  const sets = setsOf(plans);
  const organizations = organizationsIn(sets).map((id) => inOrganization(id, sets, living));
  const secret = secretOrganizations(sets);
  const rows = sets.flatMap((set) =>
    organizations
      .filter(({ id }) => sidesOf(set).some(({ organization }) => organization === id))
      .map((one) => ({ set, one, row: rowOf(set, one, secret) })),
  );
  return {
    sets: rows.map(({ row }) => row),
    findings: [
      ...organizations.flatMap((one) => lossFinding(one, secret)),
      ...rows.flatMap(({ set, one, row }) => openFinding(set, one, row)),
    ],
  };
}

/** Organizations whose ids are sensitive, because a set marks them. */
function secretOrganizations(sets: readonly MemberSet[]): ReadonlySet<unknown> {
  return new Set(sets.flatMap(sidesOf).flatMap((side) => (side.isSecretOrganization ? side.organization : [])));
}

/** The members that one set removes, after the changes of the other sets are considered. */
interface Fate {
  readonly certain: readonly string[];
  readonly possible: readonly string[];
  /** Any number of other members may lose access. */
  readonly isUncounted: boolean;
}

interface Organization {
  /** undefined: known only after the apply. */
  readonly id: string | undefined;
  readonly sets: readonly MemberSet[];
  /** Those who are in it before, as far as the plans and the tenant tell. */
  readonly were: People;
  /** All members before the apply; undefined: not known. */
  readonly all: People | undefined;
  readonly fates: ReadonlyMap<MemberSet, Fate>;
  readonly lost: People;
}

function inOrganization(id: string | undefined, all: readonly MemberSet[], living: Living): Organization {
  const at = (side: Side | undefined) => (side && side.organization === id ? side : undefined);
  const sets = all.filter((set) => sidesOf(set).some(at));
  const present = id === undefined ? undefined : presentIn(id, sets, living);
  const were = new Set([...sets.flatMap(({ before }) => at(before)?.members ?? []), ...(present ?? [])]);
  // Another set may add a member that this set removes. The order of the two is not known.
  const isAdded = (person: string, by: MemberSet) =>
    sets.some((set) => {
      const isNew = set !== by && set.acts && !at(set.before)?.members.includes(person);
      return isNew && at(set.after)?.members.includes(person) === true;
    });
  const found = sets.map((set) => {
    const { certain, possible, others } = departuresOf(set, id);
    const listed = new Set(at(set.after)?.members);
    const beside = others === "no" ? [] : [...were].filter((person) => !listed.has(person));
    const sure = new Set(others === "yes" ? [...certain, ...beside] : certain);
    return { set, sure, open: new Set([...possible, ...beside]), isUncounted: others !== "no" && !present };
  });
  const lost = new Set(found.flatMap(({ set, sure }) => [...sure].filter((person) => !isAdded(person, set))));
  const fates = found.map(({ set, sure, open, isUncounted }): [MemberSet, Fate] => [
    set,
    {
      certain: [...sure].filter((person) => lost.has(person)),
      possible: [...new Set([...sure, ...open])].filter((person) => !lost.has(person)),
      isUncounted,
    },
  ]);
  return { id, sets, were, all: present, fates: new Map(fates), lost };
}

/** All members, from the tenant, or from the state of a set that lists all of them. */
function presentIn(id: string, sets: readonly MemberSet[], living: Living): People | undefined {
  const whole = sets.map(({ before }) => before).find((side) => side?.organization === id && side.exclusive !== false);
  const known = living.get(id) ?? whole?.members;
  return known && new Set(known);
}

function rowOf(set: MemberSet, { id, were, fates }: Organization, secret: ReadonlySet<unknown>): MemberReview {
  const [before, after] = [set.before, set.after].map((side) => (side?.organization === id ? side : undefined));
  const { certain, possible, isUncounted } = fates.get(set)!;
  const shown = (ids: readonly string[]) =>
    before?.isSecret || after?.isSecret ? ids.map(() => hidden) : ids.toSorted();
  const isOpen = after !== undefined && (after.isOpen || id === undefined);
  return {
    address: set.address,
    ...(set.plan !== undefined && { plan: set.plan }),
    organization_id: id === undefined ? null : secret.has(id) ? hidden : id,
    gains: shown((after?.members ?? []).filter((person) => !were.has(person))),
    may_gain: isOpen,
    loses: shown(certain),
    may_lose: isUncounted ? null : possible.length,
    before: before?.members.length ?? 0,
    after: isOpen ? null : (after?.members.length ?? 0),
  };
}

function lossFinding({ id, sets, were, fates, lost }: Organization, secret: ReadonlySet<unknown>): Finding[] {
  const leaving = [...lost].toSorted();
  if (id === undefined || leaving.length === 0) return [];
  const isSecret = sets.some((set) => sidesOf(set).some((side) => side.isSecret));
  const share = Math.round((leaving.length / were.size) * 100);
  const who = secret.has(id) ? hidden : id;
  const text = `${who} loses ${leaving.length} of ${were.size} members (${share} %): ${names(leaving, isSecret)}.`;
  const first = [...fates].find(([, { certain }]) => certain.length > 0)?.[0] ?? sets[0];
  const to = sets.flatMap(({ after }) => (after?.organization === id ? after : []));
  const left = [...were, ...to.flatMap(({ members }) => members)].filter((person) => !lost.has(person));
  if (left.length === 0 && !to.some(({ isOpen }) => isOpen))
    return [finding("TF-MEMBERS-EMPTIED", `Nobody is left. ${text}`, first)];
  const isMany = leaving.length > many || (leaving.length > 1 && leaving.length / were.size > largeShare);
  return [finding(isMany ? "TF-MEMBERS-MANY" : "TF-MEMBERS-REMOVED", text, first)];
}

function openFinding(set: MemberSet, { all, fates }: Organization, row: MemberReview): Finding[] {
  const { address, organization_id: id, may_gain: mayGain, may_lose: mayLose } = row;
  if (mayLose === 0 && !mayGain) return [];
  if (mayLose === 0) {
    const text = `The members of ${address} are known only after the apply. The unknown part can only add members.`;
    return [finding("TF-MEMBERS-UNKNOWN", text, { ...set, level: "info" })];
  }
  const where = id === null ? "an organization that is not known yet" : id;
  const doubts = doubtsOf(set);
  const why = [
    ...doubts,
    ...(fates.get(set)!.isUncounted ? [uncounted] : []),
    ...(doubts.length === 0 && mayLose !== null
      ? ["another set adds them in the same apply, and the order is not known"]
      : []),
  ].join("; ");
  const count = mayLose === null ? "Any number of members" : `Up to ${mayLose} of ${all?.size ?? mayLose} members`;
  return [finding("TF-MEMBERS-UNKNOWN", `${count} of ${where} may lose access through ${address}: ${why}.`, set)];
}

const uncounted =
  "the set removes every member that it does not list, and the number of members is not known (give --tenant, or read " +
  "data.tenant_organization_members)";

function names(ids: readonly string[], isSecret: boolean): string {
  if (isSecret) return "their names are sensitive";
  const rest = ids.length - 5;
  return ids.slice(0, 5).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** `2 gain access`. Never "0 gain access" while somebody may. */
export function gainWords({ gains, may_gain: mayGain }: MemberReview): string {
  if (!mayGain) return `${gains.length} gain access`;
  return gains.length > 0 ? `${gains.length} gain access and others may` : "an unknown number may gain access";
}

/** `2 lose it`, or how many may. */
export function lossWords({ loses, may_lose: mayLose }: MemberReview): string {
  if (mayLose === 0) return `${loses.length} lose it`;
  if (loses.length > 0)
    return `${loses.length} lose it, and ${mayLose === null ? "any number" : `up to ${mayLose}`} more may`;
  return mayLose === null ? "any number may lose it" : `up to ${mayLose} may lose it`;
}
