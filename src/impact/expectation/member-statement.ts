/** Judges statements about the members of an organization. */
import { clipped } from "../clipped";
import { hidden } from "../hidden";
import { andWords } from "../list-words";
import { isMarked } from "../value";
import type { MemberStatement } from "./expectation";
import type { Judged } from "./judged";
import { hasUnknown } from "./known";
import type { StatedObject, TenantState } from "./state";

/** The members of one organization, as far as they are known. */
interface Members {
  readonly known: ReadonlySet<string>;
  /** Why it may have further members. Left out: it has none. */
  readonly open?: string;
  readonly sets: readonly StatedObject[];
  readonly isSecret: boolean;
}

export function judgeMembers(statement: MemberStatement, { members: sets }: TenantState): Judged {
  if (hasUnknown(statement)) return undecided("The plan does not show every value of this expectation.");
  const organization = statement.organization_id as string;
  if (!sets) return undecided("The members of organizations were not read.");
  const members = membersOf(organization, sets);
  if (!members) return undecided(`The members of the organization ${organization} were not read.`);
  const problems = problemsOf(statement, members);
  const broken = problems.filter(({ isSure }) => isSure);
  const named = broken.length > 0 ? broken : problems;
  if (named.length === 0) {
    return { verdict: "held", text: "It holds after the change.", cause: [], assumptions: [], offences: new Map() };
  }
  const text = named.map(({ words }) => words).join(" ");
  const isBroken = broken.length > 0;
  return {
    verdict: isBroken ? "broken" : "undecided",
    text: isBroken ? text : `${text} ${members.open}`,
    cause: members.sets.map(causeOf),
    assumptions: isBroken || members.open === undefined ? [] : [members.open],
    offences: new Map(named.flatMap(({ offences }) => offences)),
  };
}

/** Undefined: no set has members of the organization. */
function membersOf(organization: string, all: readonly StatedObject[]): Members | undefined {
  const own = all.filter(({ values }) => values["organization_id"] === organization);
  if (own.length === 0) return undefined;
  const exclusive = own.filter(isExclusive);
  // An exclusive set removes all other members. The members that were read are older.
  const sets = exclusive.length > 0 ? exclusive : own;
  const read = sets.map(({ values }) => entriesOf(values));
  const isWhole = exclusive.length > 0 || own.some(isRead);
  const mayBeMeant = all.some(({ values }) => typeof values["organization_id"] === "symbol");
  const open = read.some(({ isOpen }) => isOpen)
    ? "Some members are known only after the apply."
    : !isWhole
      ? "The other members of the organization were not read."
      : exclusive.length === 0 && mayBeMeant
        ? "A member set whose organization is known only after the apply may change these members."
        : exclusive.length > 1
          ? "Several member sets manage the organization."
          : undefined;
  return {
    known: new Set(read.flatMap(({ ids }) => ids)),
    sets,
    ...(open !== undefined && { open }),
    isSecret: sets.some(({ sensitive }) => isMarked(sensitive)),
  };
}

/** The members that the tenant has. */
const isRead = ({ address }: StatedObject) => address === undefined;

function isExclusive(object: StatedObject): boolean {
  const { exclusive, user_id } = object.values;
  return (
    !isRead(object) && user_id === undefined && (exclusive === undefined || exclusive === null || exclusive === true)
  );
}

function entriesOf({ members, members_with_notes: notes, user_id }: StatedObject["values"]) {
  const forms = [user_id, members, notes].filter((form) => form !== undefined && form !== null);
  const listed = forms.flatMap((form): unknown =>
    typeof form === "object" && !Array.isArray(form) ? Object.keys(form as object) : form,
  );
  const ids = listed.filter((id) => typeof id === "string");
  return { ids, isOpen: ids.length < listed.length };
}

interface Problem {
  readonly isSure: boolean;
  readonly words: string;
  readonly offences: readonly (readonly [name: string, amount: number])[];
}

function problemsOf(statement: MemberStatement, { known, open, isSecret }: Members): Problem[] {
  const [include = [], exclude = []] = [statement.include, statement.exclude] as (readonly string[] | undefined)[];
  const [least = 0, most = Infinity] = [statement.at_least, statement.at_most] as (number | undefined)[];
  const isClosed = open === undefined;
  const shown = (ids: readonly string[]) =>
    isSecret
      ? hidden
      : andWords([
          ...ids.slice(0, mostNamed).map((id) => clipped(id, 64)),
          ...(ids.length > mostNamed ? [`${ids.length - mostNamed} more`] : []),
        ]);
  const missing = include.filter((id) => !known.has(id));
  const present = exclude.filter((id) => known.has(id));
  const count = known.size;
  const number = isSecret ? hidden : String(count);
  const each = (kind: string, ids: readonly string[]) => ids.map((id) => [`${kind} ${id}`, 0] as const);
  return [
    ...(missing.length > 0
      ? [
          {
            isSure: isClosed,
            words: `${shown(missing)} ${missing.length > 1 ? "are" : "is"} ${isClosed ? "not" : "perhaps not"} in the organization.`,
            offences: each("missing", missing),
          },
        ]
      : []),
    ...(present.length > 0
      ? [
          {
            isSure: true,
            words: `${shown(present)} ${present.length > 1 ? "are" : "is"} in the organization.`,
            offences: each("present", present),
          },
        ]
      : exclude.length > 0 && !isClosed
        ? [
            {
              isSure: false,
              words: `${shown(exclude)} may be in the organization.`,
              offences: each("present", exclude),
            },
          ]
        : []),
    ...(count < least
      ? [
          {
            isSure: isClosed,
            words: `The organization has ${isClosed ? "" : "perhaps only "}${number} members, and it should have at least ${least}.`,
            offences: [["few", least - count] as const],
          },
        ]
      : []),
    ...(count > most
      ? [
          {
            isSure: true,
            words: `The organization has ${number} members, and it should have at most ${most}.`,
            offences: [["many", count - most] as const],
          },
        ]
      : most < Infinity && !isClosed
        ? [
            {
              isSure: false,
              words: `The organization may have more than ${most} members.`,
              offences: [["many", 0] as const],
            },
          ]
        : []),
  ];
}

const mostNamed = 3;

function causeOf({ address, plan, id, values }: StatedObject) {
  return {
    ...(address !== undefined && { address }),
    ...(plan !== undefined && { plan }),
    ...(id !== undefined && { id }),
    words: `members of ${clipped(String(values["organization_id"]), 64)}`,
  };
}

const undecided = (text: string): Judged => ({
  verdict: "undecided",
  text,
  cause: [],
  assumptions: [],
  offences: new Map(),
});
