/** Adds and removes members of an organization until they match the set. */
import { DiagnosticError } from "../../sdk/diagnostic";
import { Incomplete, type Resource } from "../../sdk/resource";
import type { OrganizationMembers } from "../../tenant/organization-members";
import type { Client } from "../client";
import { organizationMemberSet } from "./definition";
import { movedMember, movedMembers } from "./moves";
import { reviewMemberSet } from "./review";
import {
  defaults,
  inFormOf,
  isGone,
  listOrNothing,
  membersOf,
  ownedBefore,
  within,
  without,
  type MemberSet,
} from "./wire";

export const organizationMemberSetResource: Resource<Client, typeof organizationMemberSet> = {
  definition: organizationMemberSet,

  title: ({ organization_id }) => `the members of organization ${organization_id}`,

  async create(planned, { client }) {
    const { organization_id, exclusive } = planned;
    const endpoint = client.tenant.organizationMembers;
    const present = await endpoint.list(organization_id);
    await change(endpoint, planned, exclusive ? present : within(present, membersOf(planned)));
    return { id: organization_id };
  },

  async read({ organization_id, members, members_with_notes, ...options }, { client }) {
    const known = { members, members_with_notes };
    const ids = membersOf(known);
    const present = await listOrNothing(client.tenant.organizationMembers, organization_id!, ids.length);
    if (!present) return undefined;
    const ours = options.exclusive === false ? within(present, ids) : present;
    return {
      ...defaults,
      ...options,
      id: organization_id!,
      organization_id: organization_id!,
      ...inFormOf(known, ours),
    };
  },

  async update(planned, prior, { client }) {
    const { organization_id, exclusive } = planned;
    const endpoint = client.tenant.organizationMembers;
    await change(endpoint, planned, await ownedBefore(prior, membersOf(planned), exclusive, endpoint), prior);
    return { id: organization_id };
  },

  async delete(state, { client }, successor) {
    const { organization_id, on_destroy } = state;
    if (on_destroy === "keep") return;
    // Members of the next set must keep their access. A set that Terraform creates later handles the others.
    const next = successor?.organization_id === organization_id ? successor : undefined;
    if (next && !next.members && !next.members_with_notes) return;
    const members = membersOf(state);
    try {
      await change(
        client.tenant.organizationMembers,
        { organization_id, ...inFormOf(state, []) },
        next ? without(members, membersOf(next)) : members,
        state,
      );
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  },

  async import(id) {
    // Only the author knows which members a set with `exclusive = false` lists, so the id contains them.
    const [, organization = "", listed] = /^(org_\w+)(?::(.+))?$/s.exec(id) ?? [];
    const own = { ...defaults, id: organization, organization_id: organization };
    if (organization !== "" && organization.length <= 50) {
      return listed === undefined ? own : { ...own, exclusive: false, members: listed.split(",").map(decoded) };
    }
    throw new DiagnosticError(
      "Not the id of an organization",
      `"${id}" is not org_ followed by 16 characters. Import by organization (org_…), or, with ` +
        "`exclusive = false`, by organization and members (org_…:auth0|ada,auth0|grace).",
    );
  },

  review: reviewMemberSet,
  upgrades: [(stored) => ({ ...stored, id: stored.organization_id })],
  moves: { auth0_organization_members: movedMembers, auth0_organization_member: movedMember },
};

/** A comma in a user id is written as %2C. */
function decoded(name: string): string {
  return name.replace(/%2C|%25/gi, decodeURIComponent);
}

type Wanted = Pick<MemberSet, "organization_id" | "members" | "members_with_notes">;

/** Adds first, then removes. Throws Incomplete with the current members after a partial change. */
async function change(
  endpoint: OrganizationMembers,
  wanted: Wanted,
  present: readonly string[],
  prior?: MemberSet,
): Promise<void> {
  const { organization_id: id } = wanted;
  const members = new Set(present);
  const missing = without(membersOf(wanted), present);
  const surplus = without(present, membersOf(wanted));
  try {
    await endpoint.add(id, missing, (ids) => ids.forEach((each) => members.add(each)));
    await endpoint.remove(id, surplus, (ids) => ids.forEach((each) => members.delete(each)));
  } catch (cause) {
    const untouched = missing.every((each) => !members.has(each)) && surplus.every((each) => members.has(each));
    throw untouched ? cause : new Incomplete({ id, ...inFormOf(wanted, [...members], prior) }, { cause });
  }
}
