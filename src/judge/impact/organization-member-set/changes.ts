/** Finds the members that gain, lose, or may lose access, over all member sets of a change. */
import { clipped, hidden } from "../../../formats/text/lists";
import type { Remote } from "../model";
import { removalsBy, type MemberSet, type Side } from "./set";

export interface MemberChange {
  readonly address: string;
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
  /** User id -> words for people with a name or a note. */
  readonly people?: { readonly [id: string]: string };
}

/** Names a person of a change. */
export const personWords = ({ people = {} }: MemberChange, id: string): string =>
  Object.hasOwn(people, id) ? people[id]! : id;

export type People = ReadonlySet<string>;

/** The members that one set removes, after the changes of the other sets are considered. */
interface Removal {
  readonly certain: readonly string[];
  readonly possible: readonly string[];
  /** Any number of other members may lose access. */
  readonly isUncounted: boolean;
}

export interface Organization {
  /** undefined: known only after the apply. */
  readonly id: string | undefined;
  /** Its id must not be shown. */
  readonly isSecret: boolean;
  readonly sets: readonly MemberSet[];
  /** The members before the apply that the plans and the tenant show. */
  readonly were: People;
  /** All members before the apply; undefined: not known. */
  readonly all: People | undefined;
  /** How they were counted. */
  readonly basis: string;
  /** The people who join. */
  readonly joins: readonly string[];
  /** Whom a set lists after the apply. */
  readonly listed: People;
  /** Whom a set removes or may remove. */
  readonly leaving: People;
  readonly removalsBySet: ReadonlyMap<MemberSet, Removal>;
  readonly lost: People;
  /** `"Acme" (org_1)` */
  readonly words: string;
  readonly names: Names;
}

type ReadMembers = NonNullable<Remote["organization_members"]>;

const sidesOf = ({ before, after }: MemberSet) => [before, after].filter((side) => side !== undefined);

/** undefined: the one that is known only after the apply. */
export const organizationIds = (sets: readonly MemberSet[]): (string | undefined)[] => [
  ...setsByOrganization(sets).keys(),
];

/** Each set once for each of its organizations. */
function setsByOrganization(sets: readonly MemberSet[]): ReadonlyMap<string | undefined, readonly MemberSet[]> {
  const found = new Map<string | undefined, MemberSet[]>();
  for (const set of sets) {
    for (const { organization } of sidesOf(set)) {
      const own = found.get(organization) ?? [];
      if (own.at(-1) !== set) own.push(set);
      found.set(organization, own);
    }
  }
  return found;
}

/** `remote`: the members of organizations, if they were read. */
export function organizationsIn(
  sets: readonly MemberSet[],
  remote: ReadMembers = new Map(),
  directory: Directory = {},
): Organization[] {
  const namesWith = directoryOf(directory);
  return [...setsByOrganization(sets)].map(([id, own]): Organization => {
    const one = organizationFrom(id, own, remote);
    const sides = one.sets.flatMap(sidesOf).filter(({ organization }) => organization === id);
    const notes = new Map(sides.flatMap((side) => [...side.notes]));
    return { ...one, words: wordsOf(one, directory), names: namesWith(notes) };
  });
}

function organizationFrom(
  id: string | undefined,
  sets: readonly MemberSet[],
  remote: ReadMembers,
): Omit<Organization, "words" | "names"> {
  const at = (side: Side | undefined) => (side && side.organization === id ? side : undefined);
  const present = id === undefined ? undefined : presentIn(id, sets, remote);
  const were = new Set([...sets.flatMap(({ before }) => at(before)?.members ?? []), ...(present ?? [])]);
  // Another set may add a member that this set removes. The order of the two is not known.
  const added = new Set(
    sets.flatMap((set) => {
      const listed = new Set(at(set.before)?.members);
      return set.acts ? (at(set.after)?.members ?? []).filter((person) => !listed.has(person)) : [];
    }),
  );
  // Whom the apply of a set spares because another set lists them. It may not know a set that does not change.
  const [acting, idle] = [listedBeside(sets, true, id), listedBeside(sets, false, id)];
  const found = sets.map((set) => {
    const { certain, possible, others } = removalsBy(set, id);
    const listed = new Set(at(set.after)?.members);
    const unlisted = others === "no" ? [] : [...were].filter((person) => !listed.has(person));
    const sure = new Set(others === "yes" ? [...certain, ...unlisted] : certain);
    const open = new Set([...possible, ...unlisted]);
    return { set, sure, open, isUncounted: others !== "no" && !present };
  });
  const lost = new Set(
    found.flatMap(({ set, sure }) =>
      [...sure].filter((person) => !added.has(person) && !acting(set, person) && !idle(set, person)),
    ),
  );
  const removalsBySet = found.map(({ set, sure, open, isUncounted }): [MemberSet, Removal] => [
    set,
    {
      certain: [...sure].filter((person) => lost.has(person) && !acting(set, person)),
      possible: [...new Set([...sure, ...open])].filter((person) => !lost.has(person) && !acting(set, person)),
      isUncounted,
    },
  ]);
  const isSecret = sets.some((set) => sidesOf(set).some((side) => at(side)?.isSecretOrganization));
  const basis = `the members that the ${id !== undefined && remote.has(id) ? "tenant" : "set"} lists`;
  const listed = new Set(sets.flatMap(({ after }) => at(after)?.members ?? []));
  const joins = [...listed].filter((person) => !were.has(person)).toSorted();
  const leaving = new Set(removalsBySet.flatMap(([, { certain, possible }]) => [...certain, ...possible]));
  const people = { were, all: present, joins, listed, leaving, lost };
  return { id, isSecret, sets, basis, ...people, removalsBySet: new Map(removalsBySet) };
}

/** Whether the apply changes, or leaves, another set that lists the person. */
function listedBeside(all: readonly MemberSet[], acts: boolean, id: string | undefined) {
  const listing = new Map<string, MemberSet[]>();
  for (const set of all.length > 1 ? all : []) {
    if (!set.defers || set.acts !== acts || !set.after || set.after.organization !== id) continue;
    for (const person of set.after.members) {
      const own = listing.get(person);
      if (own) own.push(set);
      else listing.set(person, [set]);
    }
  }
  return (set: MemberSet, person: string) => set.defers && listing.get(person)?.some((one) => one !== set) === true;
}

function wordsOf({ id, isSecret }: Pick<Organization, "id" | "isSecret">, directory: Directory): string {
  if (id === undefined) return "an organization that is not known yet";
  return isSecret ? hidden : organizationWords(id, directory);
}

/** All members, from the tenant, or from the state of a set that lists all of them. */
function presentIn(id: string, sets: readonly MemberSet[], remote: ReadMembers): People | undefined {
  const whole = sets.map(({ before }) => before).find((side) => side?.organization === id && side.exclusive !== false);
  const known = remote.get(id) ?? whole?.members;
  return known && new Set(known);
}

/** The change of one set in one of its organizations. */
export function memberChange(set: MemberSet, { id, isSecret, were, removalsBySet, names }: Organization): MemberChange {
  const [before, after] = [set.before, set.after].map((side) => (side?.organization === id ? side : undefined));
  const { certain, possible, isUncounted } = removalsBySet.get(set)!;
  const areSecret = before?.isSecret || after?.isSecret;
  const shown = (ids: readonly string[]) => (areSecret ? ids.map(() => hidden) : ids.toSorted());
  const isOpen = after !== undefined && (after.open !== undefined || id === undefined);
  // The apply refuses to remove more members than `max_removals`.
  const most = Math.max((set.after?.maxRemovals ?? Infinity) - certain.length, 0);
  const gains = (after?.members ?? []).filter((person) => !were.has(person));
  const named = areSecret ? [] : [...gains, ...certain].map((person) => [person, names.words(person)] as const);
  const people = named.filter(([person, words]) => words !== person);
  const mayLose = Math.min(isUncounted ? Infinity : possible.length, most);
  return {
    address: set.address,
    ...(set.plan !== undefined && { plan: set.plan }),
    organization_id: id === undefined ? null : isSecret ? hidden : id,
    gains: shown(gains),
    may_gain: isOpen,
    loses: shown(certain),
    may_lose: mayLose === Infinity ? null : mayLose,
    before: before?.members.length ?? 0,
    after: isOpen ? null : (after?.members.length ?? 0),
    ...(people.length > 0 && { people: Object.fromEntries(people) }),
  };
}

/** Left out: the tenant was not asked. */
export type Directory = Pick<Remote, "people" | "organization_names">;

type Person = NonNullable<Remote["people"]> extends ReadonlyMap<string, infer One> ? One : never;

export interface Names {
  /** `Ada Lovelace (example.org, "on call")`; the id of an unknown person. */
  words(id: string): string;
  /** People with a note first, then by id. */
  inOrder(ids: readonly string[]): string[];
}

/** Reads the directory once, and then names people with the notes of each organization (user id -> note). */
export function directoryOf({ people = new Map() }: Directory): (notes: ReadonlyMap<string, string>) => Names {
  const calls = new Map([...people].map(([id, person]) => [id, callOf(id, person)]));
  const sharing = new Map<string, number>();
  for (const call of calls.values()) sharing.set(call.join(" "), (sharing.get(call.join(" ")) ?? 0) + 1);
  return (notes) => ({
    words(id) {
      const call = calls.get(id) ?? callOf(id, {});
      const [name, ...about] = call;
      const isShared = (sharing.get(call.join(" ")) ?? 0) > 1;
      const note = notes.get(id);
      const details = [...about, ...(isShared ? [clipped(id, 64)] : []), ...(note ? [quoted(note)] : [])];
      return details.length > 0 ? `${name} (${details.join(", ")})` : name;
    },
    inOrder(ids) {
      const [noted, others] = [ids.filter((id) => notes.has(id)), ids.filter((id) => !notes.has(id))];
      return [...noted.toSorted(), ...others.toSorted()];
    },
  });
}

/** Users choose their names, so a name must not read like a sentence of the review. */
const plainName = /^[\p{L}\p{M}\p{N} .'\u2019+_@-]{1,60}$/u;

/** The name and the domain of the email address, or the address if there is no other name, or the id. */
function callOf(id: string, { name, email = "" }: Person): [string, ...string[]] {
  const domain = /^[^@\s]+@([\p{L}\p{N}.-]+)$/u.exec(email)?.[1];
  const isName = name !== undefined && name.trim() !== "" && plainName.test(name) && name !== email;
  if (isName) return [name.trim(), ...(domain === undefined ? [] : [clipped(domain)])];
  return [domain !== undefined && plainName.test(email) ? email : clipped(id, 64)];
}

/** `"Acme" (org_1)`, or the id alone. */
export function organizationWords(id: string, { organization_names: names }: Directory): string {
  const name = names?.get(id);
  return name === undefined || name === id ? clipped(id, 64) : `${quoted(name)} (${clipped(id, 64)})`;
}

/** A text between quotes that it cannot end. */
const quoted = (text: string) => `"${clipped(text.replaceAll('"', "'").replaceAll(/\s+/g, " "), 60)}"`;
