/** Judges statements about the members of an organization. */
import { isWhollyKnown } from "../../../formats/cty/value";
import { clipped, hidden, andWords } from "../phrases";
import { isMarked } from "../value";
import { sideFrom } from "../organization-member-set/set";
import type { TenantObject, TenantState } from "../state";
import { held, objectOf, measured, undecided, type MemberStatement, type Measured } from "./statement";

/** The members of one organization, as far as they are known. */
interface Members {
  readonly known: ReadonlySet<string>;
  /** The most further members, and why it may have them. */
  readonly further: number;
  readonly why: string;
  readonly sets: readonly TenantObject[];
  readonly isSecret: boolean;
}

export function judgeMembers(statement: MemberStatement, { memberships: sets }: TenantState): Measured {
  if (!isWhollyKnown(statement)) return measured(undecided("The plan does not show every value of this expectation."));
  const organization = statement.organization_id as string;
  if (!sets) return measured(undecided("The members of organizations were not read."));
  const members = membersOf(organization, sets);
  if (!members)
    return measured(undecided(`The members of the organization ${clipped(organization, 64)} were not read.`));
  const problems = problemsOf(statement, members);
  const broken = problems.filter(({ isSure }) => isSure);
  const named = broken.length > 0 ? broken : problems;
  if (named.length === 0) return measured(held);
  const text = named.map(({ words }) => words).join(" ");
  const isBroken = broken.length > 0;
  return {
    verdict: isBroken ? "broken" : "undecided",
    text: isBroken ? text : `${text} ${members.why}`,
    cause: members.sets.map((one) => causeOf(one, organization)),
    assumptions: isBroken ? [] : [members.why],
    offences: new Map(named.flatMap(({ offences }) => offences)),
  };
}

/** Undefined: no set has members of the organization. */
function membersOf(organization: string, all: readonly TenantObject[]): Members | undefined {
  const own = all.filter(({ values }) => values["organization_id"] === organization);
  if (own.length === 0) return undefined;
  const exclusive = own.filter((one) => !isRead(one) && sideFrom(one.values).exclusive === true);
  // An exclusive set removes all other members. The members that were read are older.
  const sets = exclusive.length > 0 ? exclusive : own;
  const sides = sets.map(({ values, sensitive }) => sideFrom(values, sensitive));
  const open = sides.reduce((sum, { further }) => sum + further, 0);
  const isUnread = exclusive.length === 0 && !own.some(isRead);
  const mayBeMeant = exclusive.length === 0 && all.some(({ values }) => typeof values["organization_id"] === "symbol");
  const why = isUnread
    ? "The other members of the organization were not read."
    : mayBeMeant
      ? "A member set whose organization is known only after the apply may change these members."
      : exclusive.length > 1
        ? "Several member sets manage the organization."
        : "Some members are known only after the apply.";
  return {
    known: new Set(sides.flatMap(({ members }) => members)),
    further: isUnread || mayBeMeant || exclusive.length > 1 ? Infinity : open,
    why,
    sets,
    isSecret: sides.some((side) => side.isSecret),
  };
}

/** The members that the tenant has. */
const isRead = ({ address }: TenantObject) => address === undefined;

interface Problem {
  readonly isSure: boolean;
  readonly words: string;
  readonly offences: readonly (readonly [name: string, amount: number])[];
}

function problemsOf(statement: MemberStatement, members: Members): Problem[] {
  return [...problemsOfNames(statement, members), ...problemsOfNumber(statement, members)];
}

function problemsOfNames(statement: MemberStatement, { known, further, isSecret }: Members): Problem[] {
  const [include = [], exclude = []] = [statement.include, statement.exclude] as (readonly string[] | undefined)[];
  const missing = include.filter((id) => !known.has(id));
  const present = exclude.filter((id) => known.has(id));
  const open = further > 0 ? exclude : [];
  const isSure = missing.length > further;
  const are = (ids: readonly string[]) => `${shown(ids, isSecret)} ${ids.length > 1 ? "are" : "is"}`;
  const each = (kind: string, ids: readonly string[]) => ids.map((id) => [`${kind} ${id}`, 0] as const);
  return [
    ...problem(
      missing.length > 0,
      isSure,
      `${are(missing)} ${isSure ? "not" : "perhaps not"} in the organization.`,
      each("missing", missing),
    ),
    ...problem(present.length > 0, true, `${are(present)} in the organization.`, each("present", present)),
    ...problem(open.length > 0, false, `${shown(open, isSecret)} may be in the organization.`, each("present", open)),
  ];
}

function problemsOfNumber({ at_least, at_most }: MemberStatement, { known, further, isSecret }: Members): Problem[] {
  const [least = 0, most = Infinity] = [at_least, at_most] as (number | undefined)[];
  const count = known.size;
  const has = isSecret ? `${hidden} members` : membersWord(count);
  const isFew = count + further < least;
  const isMany = count > most;
  return [
    ...problem(
      count < least,
      isFew,
      `The organization has ${isFew ? "" : "perhaps only "}${has}, and it should have at least ${least}.`,
      [["few", least - count]],
    ),
    ...problem(isMany, true, `The organization has ${has}, and it should have at most ${most}.`, [
      ["many", count - most],
    ]),
    ...problem(!isMany && count + further > most, false, `The organization may have more than ${membersWord(most)}.`, [
      ["many", 0],
    ]),
  ];
}

export const membersWord = (count: number) => `${count} ${count === 1 ? "member" : "members"}`;

const problem = (isFound: boolean, isSure: boolean, words: string, offences: Problem["offences"]): Problem[] =>
  isFound ? [{ isSure, words, offences }] : [];

function shown(ids: readonly string[], isSecret: boolean): string {
  if (isSecret) return hidden;
  const rest = ids.length - mostNamed;
  return andWords([...ids.slice(0, mostNamed).map((id) => clipped(id, 64)), ...(rest > 0 ? [`${rest} more`] : [])]);
}

const mostNamed = 3;

function causeOf(set: TenantObject, organization: string) {
  const shownId = isMarked(set.sensitive, "organization_id") ? hidden : clipped(organization, 64);
  return { ...objectOf(set), words: `the members of ${shownId}` };
}
