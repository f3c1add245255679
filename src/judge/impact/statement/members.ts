/** Judges statements about the members of an organization. */
import { hasUnknown, isUnknown } from "../../../formats/cty/value";
import { clipped, hidden } from "../../../formats/text/lists";
import { sideFrom } from "../organization-member-set/set";
import type { Gone, TenantObject, TenantState } from "../state";
import type { MemberProblem } from "./reason";
import { held, objectOf, measured, undecided, type MemberStatement, type Measured } from "./statement";
import type { Assumption } from "../words/assumption";
import { isMarked } from "../model";

/** The members of one organization, as far as they are known. */
interface Members {
  readonly known: ReadonlySet<string>;
  /** The most further members, and why it may have them. */
  readonly further: number;
  readonly why: Assumption;
  readonly sets: readonly TenantObject[];
  /** The users who are no members because the change deletes them, by id. */
  readonly lost: ReadonlyMap<string, Gone>;
  /** The users whom sets list, and whom the change deletes and creates again. */
  readonly returning: readonly string[];
  /** The users of a connection that the change deletes: nobody knows which of them it has. */
  readonly staying: readonly string[];
  readonly isSecret: boolean;
  /** An exclusive set decides who is a member. */
  readonly isDecided: boolean;
}

export function judgeMembers(statement: MemberStatement, { memberships: sets, gone = none }: TenantState): Measured {
  if (hasUnknown(statement)) return measured(undecided({ kind: "value" }));
  const organization = statement.organization_id as string;
  if (!sets) return measured(undecided({ kind: "unread", what: "members" }));
  const members = membersOf(organization, sets, gone);
  if (!members) {
    const isMissing = sets.some((one) => isOf(organization, one) && isRead(one));
    const named = {
      what: "members",
      organization: clipped(organization, 64),
      ...(isMissing && { isMissing }),
    } as const;
    return measured(undecided({ kind: "unread", ...named }));
  }
  const problems = [...problemsOfNames(statement, members), ...problemsOfNumber(statement, members)];
  const broken = problems.filter(({ isSure }) => isSure);
  const named = broken.length > 0 ? broken : problems;
  if (named.length === 0) return measured(held);
  const offences = new Map(named.flatMap((one) => one.offences));
  const lost = [...members.lost].flatMap(([id, user]) =>
    offences.has("few") || offences.has(`missing ${id}`) ? user : [],
  );
  const again = lost.flatMap(({ returns, address = "" }) =>
    returns ? ({ is: "set by none", object: address } as const) : [],
  );
  return {
    verdict: broken.length > 0 ? "broken" : "undecided",
    reason: { kind: "members", problems: named.map(({ offences: _offences, ...problem }) => problem) },
    cause: [...lost, ...members.sets].map((one) => causeOf(one, organization, gone)),
    assumptions: broken.length > 0 ? again : [members.why],
    offences,
    bare: new Set(members.isDecided ? [] : offences.keys()),
  };
}

const none: ReadonlyMap<string, Gone> = new Map();

/** Undefined: no set has members of the organization. */
function membersOf(
  organization: string,
  all: readonly TenantObject[],
  gone: ReadonlyMap<string, Gone>,
): Members | undefined {
  const deleted = gone.get(organization);
  if (deleted) {
    const lists = { known: new Set<string>(), lost: none, returning: [], staying: [], sets: [deleted] };
    return { ...lists, further: 0, why: { is: "open members" }, isSecret: false, isDecided: false };
  }
  const own = all.filter((one) => isOf(organization, one) && !(isRead(one) && one.values["members"] === undefined));
  if (own.length === 0) return undefined;
  const exclusive = own.filter((one) => !isRead(one) && sideFrom(one.values).exclusive === true);
  // An exclusive set removes all other members. The members that were read are older.
  const sets = exclusive.length > 0 ? exclusive : own;
  const sides = sets.map(({ values, sensitive }) => sideFrom(values, sensitive));
  const open = sides.reduce((sum, { further }) => sum + further, 0);
  const isUnread = exclusive.length === 0 && !own.some(isRead);
  const listed = sides.flatMap(({ members }) => members);
  const staying = listed.filter((id) => !gone.has(id) && mayBeGone(id, gone));
  const mayBeNamed = exclusive.length === 0 && all.some(({ values }) => isUnknown(values["organization_id"]));
  const is = isUnread
    ? "other members"
    : mayBeNamed
      ? "unnamed set"
      : exclusive.length > 1
        ? "several sets"
        : staying.length > 0
          ? "users of a connection"
          : open > 0
            ? "open members"
            : "created again";
  return {
    known: new Set(listed.filter((id) => !gone.has(id) && !mayBeGone(id, gone))),
    lost: new Map(listed.flatMap((id) => (gone.has(id) ? [[id, gone.get(id)!]] : []))),
    further: isUnread || mayBeNamed || exclusive.length > 1 ? Infinity : open,
    why: { is },
    sets,
    staying,
    returning: listed.filter((id) => gone.get(id)?.returns),
    isSecret: sides.some((side) => side.isSecret),
    isDecided: exclusive.length > 0,
  };
}

/** A deleted connection may be the user's: the ids of the users of each connection begin with its strategy. */
const mayBeGone = (id: string, gone: ReadonlyMap<string, Gone>) => gone.has(id.slice(0, id.indexOf("|") + 1));

const isOf = (organization: string, { values }: TenantObject) => values["organization_id"] === organization;

/** The members that the tenant has. */
const isRead = ({ address }: TenantObject) => address === undefined;

type Problem = MemberProblem & { readonly offences: readonly (readonly [name: string, amount: number])[] };

function problemsOfNames(statement: MemberStatement, members: Members): Problem[] {
  const { known, further, returning, staying, isSecret } = members;
  const [include = [], exclude = []] = [statement.include, statement.exclude] as (readonly string[] | undefined)[];
  const missing = include.filter((id) => !known.has(id));
  const present = exclude.filter((id) => known.has(id));
  const open = exclude.filter((id) => further > 0 || [...returning, ...staying].includes(id));
  const gone = missing.filter((id) => !staying.includes(id));
  const problem = (is: "missing" | "present", isSure: boolean, ids: readonly string[]): Problem[] => {
    const shown = isSecret ? hidden : ids.map((id) => clipped(id, 64));
    const offences = ids.map((id) => [`${is} ${id}`, 0] as const);
    return ids.length === 0 ? [] : [{ is, isSure, ids: shown, count: ids.length, offences }];
  };
  return [
    ...problem("missing", gone.length > further, missing),
    ...problem("present", true, present),
    ...problem("present", false, open),
  ];
}

function problemsOfNumber({ at_least, at_most }: MemberStatement, members: Members): Problem[] {
  const { known, further, returning, staying, isSecret } = members;
  const [least = 0, most = Infinity] = [at_least, at_most] as (number | undefined)[];
  const { size } = known;
  const count = isSecret ? hidden : size;
  const few = {
    is: "few",
    isSure: size + further + staying.length < least,
    count,
    bound: least,
    offences: [["few", least - size]],
  } as const;
  const many = {
    is: "many",
    isSure: size > most,
    count,
    bound: most,
    offences: [["many", Math.max(0, size - most)]],
  } as const;
  const largest = size + further + returning.length + staying.length;
  return [...(size < least ? [few] : []), ...(largest > most ? [many] : [])];
}

function causeOf(set: TenantObject, organization: string, gone: ReadonlyMap<string, Gone>) {
  const shownId = isMarked(set.sensitive, "organization_id") ? hidden : clipped(organization, 64);
  const isGone = set.id !== undefined && gone.get(set.id) === set;
  return { ...objectOf(set), words: `the members of ${shownId}`, ...(isGone && { isGone: true as const }) };
}
