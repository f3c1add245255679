/** Members of organizations: who gains and who loses access, over all sets of the plans. */
import { finding, type Finding } from "./finding";
import { objectsOf, type PlannedObject } from "./objects";
import type { Marks, Plan, Values } from "./plan";
import { isMarked, withUnknown } from "./value";
import { hidden } from "./hidden";

export interface MemberReview {
  readonly address: string;
  /** The name of its plan, of several. */
  readonly plan?: string;
  /** null: not known yet. */
  readonly organization_id: string | null;
  readonly gains: readonly string[];
  readonly loses: readonly string[];
  /** How many the set has; null: not known. */
  readonly before: number | null;
  readonly after: number | null;
}

export const types = ["tenant_organization_member_set", "auth0_organization_members", "auth0_organization_member"];

interface Side {
  readonly organization: string | undefined;
  /** Which it is must not be shown. */
  readonly isSecretOrganization: boolean;
  readonly members: readonly string[];
  /** Some are not known yet. */
  readonly isOpen: boolean;
  readonly isSecret: boolean;
}

interface MemberSet {
  readonly address: string;
  readonly plan?: string;
  readonly before: Side | undefined;
  readonly after: Side | undefined;
  /** Who is listed no more stays in the organization. */
  readonly lettingGo: boolean;
  readonly mayRemoveOthers: boolean;
}

export interface MembersReview {
  readonly sets: readonly MemberReview[];
  readonly findings: readonly Finding[];
}

/** More people than this, or a larger share, are many. */
const many = 10;
const largeShare = 0.25;

/** Organizations that the plans are about, as far as they are known. */
export function organizationsOf(plans: readonly Plan[]): string[] {
  const objects = plans.flatMap((plan) => objectsOf(plan, types));
  const ids = objects.flatMap(({ before, after }) => [before?.["organization_id"], after?.["organization_id"]]);
  return [...new Set(ids.filter((id): id is string => typeof id === "string"))];
}

/** `living`: who is in which organization, where that is known. */
export function reviewMembers(
  plans: readonly Plan[],
  living: ReadonlyMap<string, readonly string[]> = new Map(),
): MembersReview {
  const sets = plans.flatMap((plan) => objectsOf(plan, types)).map(setFrom);
  const listed = byOrganization(sets.flatMap(({ before }) => before ?? []));
  const others = othersIn(sets, listed, living);
  const removing = new Set(sets.flatMap(({ after, mayRemoveOthers }) => (mayRemoveOthers ? after?.organization : [])));
  const staying = sidesOf(others).filter(({ organization }) => !removing.has(organization));
  const were = byOrganization([...sets.flatMap(({ before }) => before ?? []), ...sidesOf(others)]);
  const stay = byOrganization([
    ...sets.flatMap(({ before, after, lettingGo }) => [
      ...(after ? [after] : []),
      ...(lettingGo && before ? [before] : []),
    ]),
    ...staying,
  ]);
  const secret = secretOrganizations(sets);
  const reviews = sets.flatMap((set) => {
    const organizations = new Set([set.before, set.after].flatMap((side) => (side ? [side.organization] : [])));
    return [...organizations].map((organization) => reviewOf(set, organization, secret, were, stay, others));
  });
  return { sets: reviews, findings: [...organizationFindings(sets, were, stay), ...openFindings(sets, living)] };
}

/** Organization of a set -> its members whom no set lists. */
function othersIn(sets: readonly MemberSet[], listed: Members, living: ReadonlyMap<string, readonly string[]>) {
  const organizations = new Set(sets.flatMap(({ before, after }) => [before?.organization, after?.organization]));
  return new Map(
    [...living]
      .filter(([organization]) => organizations.has(organization))
      .map(([organization, ids]) => [organization, ids.filter((id) => !listed.get(organization)?.has(id))] as const),
  );
}

const sidesOf = (members: ReadonlyMap<string, readonly string[]>) =>
  [...members].map(([organization, ids]) => ({ organization, members: ids }));

/** Organization -> those who are in it by one of the sides. */
function byOrganization(sides: readonly Pick<Side, "organization" | "members">[]): Map<string, Set<string>> {
  const members = new Map<string, Set<string>>();
  for (const { organization, members: ids } of sides) {
    if (organization === undefined) continue;
    const known = members.get(organization) ?? new Set();
    for (const id of ids) known.add(id);
    members.set(organization, known);
  }
  return members;
}

type Members = ReadonlyMap<string, ReadonlySet<string>>;

function reviewOf(
  set: MemberSet,
  organization: string | undefined,
  secret: ReadonlySet<unknown>,
  were: Members,
  stay: Members,
  others: ReadonlyMap<string, readonly string[]>,
): MemberReview {
  const [before, after] = [set.before, set.after].map((side) =>
    side?.organization === organization ? side : undefined,
  );
  const adopted = (set.mayRemoveOthers && after && others.get(organization ?? "")) || [];
  const shown = (ids: readonly string[]) =>
    before?.isSecret || after?.isSecret ? ids.map(() => hidden) : ids.toSorted();
  const notIn = (ids: readonly string[], there: Members) =>
    ids.filter((id) => organization === undefined || !there.get(organization)?.has(id));
  return {
    address: set.address,
    ...(set.plan !== undefined && { plan: set.plan }),
    organization_id: organization === undefined ? null : secret.has(organization) ? hidden : organization,
    gains: shown(notIn(after?.members ?? [], were)),
    // Whoever is not known yet may be one of these.
    loses: shown(after?.isOpen ? [] : notIn([...(before?.members ?? []), ...adopted], stay)),
    before: before?.members.length ?? 0,
    after: after?.isOpen ? null : (after?.members.length ?? 0),
  };
}

/** Which they are must not be shown, as one of the sets marks it. */
function secretOrganizations(sets: readonly MemberSet[]): ReadonlySet<unknown> {
  const sides = sets.flatMap(({ before, after }) => [before, after]);
  return new Set(sides.flatMap((side) => (side?.isSecretOrganization ? side.organization : [])));
}

function setFrom({
  address,
  plan,
  before,
  after,
  unknown,
  actions,
  beforeSensitive,
  afterSensitive,
}: PlannedObject): MemberSet {
  const keeps = actions.includes("delete") && before?.["on_destroy"] === "keep";
  const stopsBeingExclusive = after?.["exclusive"] === false && before !== undefined && before["exclusive"] !== false;
  return {
    address,
    ...(plan !== undefined && { plan }),
    before: before && sideFrom(before, beforeSensitive),
    after: after && sideFrom(withUnknown(after, unknown, address) as Values, afterSensitive),
    lettingGo: keeps || stopsBeingExclusive,
    mayRemoveOthers: removesOthers(before, after),
  };
}

function sideFrom(values: Values, marks: Marks): Side {
  const organization = values["organization_id"];
  const listed = listedIn(values);
  return {
    organization: typeof organization === "string" ? organization : undefined,
    isSecretOrganization: isMarked(marks, "organization_id"),
    members: listed.filter((id): id is string => typeof id === "string"),
    isOpen: typeof organization === "symbol" || listed.some((id) => typeof id === "symbol"),
    isSecret: isMarked(marks, "members") || isMarked(marks, "user_id") || isWhollyMarked(marks, "members_with_notes"),
  };
}

/** Whether members go whom nobody lists: as a set becomes exclusive, or adopts an organization. */
export function removesOthers(before: Values | null | undefined, after: Values | null | undefined): boolean {
  if (!after) return false;
  return before ? before["exclusive"] === false && after["exclusive"] === true : after["adopt_existing"] === true;
}

/** User ids, as a set, as the keys of a map with notes, or the only one; a symbol for what is not known. */
export function listedIn({ members, members_with_notes: notes, user_id: user }: Values): readonly unknown[] {
  if (isNotes(notes)) return Object.keys(notes);
  return Array.isArray(members) ? members : [user ?? members ?? notes];
}

/** User ids, each with a note. */
function isNotes(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether a map is marked, and not only values in it: its keys are secret as well. */
export function isWhollyMarked(marks: Marks, name: string): boolean {
  return marks === true || (typeof marks === "object" && marks !== null && (marks as Values)[name] === true);
}

function organizationFindings(sets: readonly MemberSet[], were: Members, stay: Members): Finding[] {
  return [...were].flatMap(([organization, before]) => {
    const own = sets.filter((set) => [set.before, set.after].some((side) => side?.organization === organization));
    const [first] = own;
    if (own.some(({ after }) => after?.isOpen)) return [];
    const left = stay.get(organization) ?? new Set();
    const leaving = [...before].filter((id) => !left.has(id)).toSorted();
    if (leaving.length === 0) return [];
    const isSecret = own.some((set) => set.before?.isSecret || set.after?.isSecret);
    const share = Math.round((leaving.length / before.size) * 100);
    const who = secretOrganizations(own).has(organization) ? hidden : organization;
    const text = `${who} loses ${leaving.length} of ${before.size} members (${share} %): ${names(leaving, isSecret)}.`;
    if (left.size === 0) return [finding("TF-MEMBERS-EMPTIED", `Nobody is left. ${text}`, first)];
    const isMany = leaving.length > many || (leaving.length > 1 && leaving.length / before.size > largeShare);
    return [finding(isMany ? "TF-MEMBERS-MANY" : "TF-MEMBERS-REMOVED", text, first)];
  });
}

function openFindings(sets: readonly MemberSet[], living: ReadonlyMap<string, unknown>): Finding[] {
  return sets.flatMap(({ address, plan, after, mayRemoveOthers }) => [
    ...(after?.isOpen
      ? [
          finding("TF-MEMBERS-UNKNOWN", `Who will be in ${address} is known only when it is applied.`, {
            address,
            plan,
          }),
        ]
      : []),
    ...(mayRemoveOthers && !living.has(after?.organization ?? "")
      ? [
          finding("TF-MEMBERS-UNKNOWN", `${address} will remove members whom no plan lists, if there are any.`, {
            address,
            plan,
          }),
        ]
      : []),
  ]);
}

function names(ids: readonly string[], isSecret: boolean): string {
  if (isSecret) return "their names are sensitive";
  const rest = ids.length - 5;
  return ids.slice(0, 5).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
