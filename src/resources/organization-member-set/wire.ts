/** Converts between member sets and the members of an organization, which the service knows. */
import type { Config, State } from "../../sdk/definition";
import { Incomplete } from "../../sdk/resource";
import { isTenantError } from "../../tenant/error";
import type { OrganizationMembers } from "../../tenant/organization-members";
import type { organizationMemberSet } from "./definition";

export type MemberSet = State<typeof organizationMemberSet>;

/** Values of attributes that the service does not have. */
export const defaults: Pick<Config<typeof organizationMemberSet>, "exclusive" | "remove_existing" | "on_destroy"> = {
  exclusive: true,
  remove_existing: false,
  on_destroy: "remove",
};

/** Either form of a set's members, or neither, as after an import. */
type Listing = Partial<Pick<MemberSet, "members" | "members_with_notes" | "expired_members">>;

/** Also the members that have expired. */
export function listedIn({ members, members_with_notes: notes = {} }: Listing): readonly string[] {
  return members ?? Object.keys(notes);
}

/** The members that the organization should have. */
export function membersOf(listing: Listing): readonly string[] {
  const { expired_members: expired } = listing;
  return expired ? without(listedIn(listing), expired) : listedIn(listing);
}

/** The state of a set whose organization has these members. Expired members stay listed, as in the configuration. */
export function standing(known: Listing, present: readonly string[], earlier?: Listing): Listing {
  const gone = without(known.expired_members ?? [], present);
  const form = inFormOf(known, [...present, ...gone], earlier);
  return { ...form, expired_members: gone.length > 0 ? gone : undefined };
}

/**
 * The ids in the form of `known`, with its notes and in its order, because an engine that treats sets as lists would show a change.
 * New ids come last.
 */
export function inFormOf(known: Listing, ids: readonly string[], earlier: Listing = {}): Listing {
  const present = new Set(ids);
  const listed = listedIn(known).filter((id) => present.delete(id));
  const members = [...listed, ...present];
  if (!known.members_with_notes) return { members };
  const notes = new Map(Object.entries({ ...earlier.members_with_notes, ...known.members_with_notes }));
  return { members_with_notes: Object.fromEntries(members.map((id) => [id, notes.get(id) ?? ""])) };
}

export function within(ids: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return ids.filter((id) => known.has(id));
}

export function without(ids: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}

/** Undefined if the organization does not exist. `expected`: the last known number of members. */
export async function listOrNothing(
  endpoint: OrganizationMembers,
  organizationId: string,
  expected?: number,
): Promise<string[] | undefined> {
  try {
    return await endpoint.list(organizationId, expected);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

export function isGone(error: unknown): boolean {
  return isTenantError(error instanceof Incomplete ? error.cause : error, "not_found");
}

/**
 * The members that an update may remove. A set that stops being exclusive keeps members that it does not list. A set that becomes
 * exclusive may remove every current member.
 */
export async function ownedBefore(
  prior: MemberSet,
  wanted: readonly string[],
  exclusive: unknown,
  endpoint: OrganizationMembers | undefined,
): Promise<readonly string[]> {
  const members = membersOf(prior);
  if (exclusive === false && prior.exclusive) return within(members, wanted);
  const becomes = exclusive === true && !prior.exclusive;
  return (becomes && endpoint && (await listOrNothing(endpoint, prior.organization_id))) || members;
}
