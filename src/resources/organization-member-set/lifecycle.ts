/** The members of an organization on the service: added and removed until they are those of the set. */
import { DiagnosticError } from "../../sdk/diagnostic";
import { Incomplete, type Resource } from "../../sdk/resource";
import type { OrganizationMembers } from "../../tenant/organization-members";
import type { Client } from "../client";
import { organizationMemberSet } from "./definition";
import { movedMembers } from "./moves";
import { reviewMemberSet } from "./review";
import { defaults, isGone, listOrNothing, ownedBefore, within, without } from "./wire";

export const organizationMemberSetResource: Resource<Client, typeof organizationMemberSet> = {
  definition: organizationMemberSet,

  title: ({ organization_id }) => `the members of organization ${organization_id}`,

  async create({ organization_id, members, exclusive }, { client }) {
    const endpoint = client.tenant.organizationMembers;
    const present = await endpoint.list(organization_id);
    await change(endpoint, organization_id, exclusive ? present : within(present, members), members);
    return {};
  },

  async read({ organization_id, members = [], ...options }, { client }) {
    const present = await listOrNothing(client.tenant.organizationMembers, organization_id!, members.length);
    if (!present) return undefined;
    const ours = options.exclusive === false ? within(present, members) : present;
    return { ...defaults, ...options, organization_id: organization_id!, members: ours };
  },

  async update({ organization_id, members, exclusive }, prior, { client }) {
    const endpoint = client.tenant.organizationMembers;
    const before = await ownedBefore(prior, members, exclusive, endpoint);
    await change(endpoint, organization_id, before, members);
    return {};
  },

  async delete({ organization_id, members, on_destroy }, { client }, successor) {
    if (on_destroy === "keep") return;
    // Whom the next set lists as well must not be locked out in between; one that is yet to be made sees to the others.
    const stays = successor?.organization_id === organization_id;
    if (stays && !successor.members) return;
    try {
      const leaving = stays ? without(members, successor.members ?? []) : members;
      await change(client.tenant.organizationMembers, organization_id, leaving, []);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  },

  async import(id) {
    if (/^org_\w+$/.test(id) && id.length <= 50) return { ...defaults, organization_id: id };
    throw new DiagnosticError(
      "Not the id of an organization",
      `"${id}" is not of the form org_ and 16 characters. Import by organization: ` +
        "terraform import tenant_organization_member_set.NAME org_…",
    );
  },

  review: reviewMemberSet,
  moves: { auth0_organization_members: movedMembers },
};

/** First adds, then removes. Throws Incomplete with those who are members now, once anything was changed. */
async function change(
  endpoint: OrganizationMembers,
  organizationId: string,
  present: readonly string[],
  wanted: readonly string[],
): Promise<void> {
  const members = new Set(present);
  const missing = without(wanted, present);
  const surplus = without(present, wanted);
  try {
    await endpoint.add(organizationId, missing, (ids) => ids.forEach((id) => members.add(id)));
    await endpoint.remove(organizationId, surplus, (ids) => ids.forEach((id) => members.delete(id)));
  } catch (cause) {
    const untouched = missing.every((id) => !members.has(id)) && surplus.every((id) => members.has(id));
    throw untouched ? cause : new Incomplete({ members: [...members] }, { cause });
  }
}
