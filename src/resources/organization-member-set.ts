/** The members of an organization as one set: who is not listed is no member. */
import * as z from "zod";
import { attribute, setOf } from "../sdk/attribute";
import { defineResource, Incomplete, Refusal } from "../sdk/resource";
import type { OrganizationMembers } from "../tenant/organization-members";
import type { Tenant } from "../tenant/tenant";

const config = z.object({
  organization_id: attribute(
    z.string().min(1, "give the id of the organization, org_…").max(50, "use at most 50 characters"),
    "Id of the organization.",
    { replace: true },
  ),
  members: attribute(
    setOf(z.string().min(1, "give user ids such as auth0|65f0c2")),
    "User ids of all members. Who is in the organization and not listed here is removed.",
  ),
});

export const organizationMemberSet = defineResource<Tenant>()({
  name: "organization_member_set",
  description: "All members of an organization, authoritatively: who is not listed is removed.",
  config,
  computed: z.object({}),

  title: ({ organization_id }) => `the members of organization ${organization_id}`,

  async create({ organization_id, members }, { client }) {
    const present = await client.organizationMembers.list(organization_id);
    await change(client.organizationMembers, organization_id, present, members);
    return {};
  },
  async read({ organization_id, members }, { client }) {
    try {
      return {
        organization_id: organization_id!,
        members: await client.organizationMembers.list(organization_id!, members?.length),
      };
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  },
  async update({ organization_id, members }, prior, { client }) {
    await change(client.organizationMembers, organization_id, prior.members, members);
    return {};
  },
  async delete({ organization_id, members }, { client }) {
    try {
      await change(client.organizationMembers, organization_id, members, []);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  },
  async import(id) {
    if (/^org_\w+$/.test(id) && id.length <= 50) return { organization_id: id };
    throw new Refusal(
      "Not the id of an organization",
      `"${id}" is not of the form org_ and 16 characters. Import by organization: ` +
        "terraform import tenant_organization_member_set.NAME org_…",
    );
  },
});

/** The organization itself does not exist any more. */
function isGone(error: unknown): boolean {
  const { code } = (error instanceof Incomplete ? error.cause : error) as { code?: string };
  return code === "not_found";
}

/** First adds, then removes. Throws Incomplete with those who are members now, once anything was changed. */
async function change(
  endpoint: OrganizationMembers,
  organizationId: string,
  present: readonly string[],
  wanted: readonly string[],
): Promise<void> {
  const members = new Set(present);
  const keep = new Set(wanted);
  const missing = [...keep].filter((id) => !members.has(id));
  const surplus = [...members].filter((id) => !keep.has(id));
  try {
    await endpoint.add(organizationId, missing, (ids) => ids.forEach((id) => members.add(id)));
    await endpoint.remove(organizationId, surplus, (ids) => ids.forEach((id) => members.delete(id)));
  } catch (cause) {
    const untouched = missing.every((id) => !members.has(id)) && surplus.every((id) => members.has(id));
    throw untouched ? cause : new Incomplete({ members: [...members] }, { cause });
  }
}
