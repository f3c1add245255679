/** The organizations of the tenant by their members, for `terraform query`. */
import * as z from "zod";
import { attribute } from "../../sdk/attribute";
import type { ListResource } from "../../sdk/resource";
import type { Client } from "../client";
import { ifReadable } from "../lookup";
import { organizationMemberSet } from "./definition";
import { defaults, listOrNothing } from "./wire";

const filter = z.object({
  organization_id: attribute(
    z.string().min(1, "give the id of the organization, org_…").optional(),
    "Only this organization.",
    {
      example: "org_9ybsU1dN2dKfDkBi",
    },
  ),
});

export const organizationMemberSetList: ListResource<Client, typeof organizationMemberSet, typeof filter> = {
  definition: organizationMemberSet,
  description: "The members of each organization of the tenant.",
  filter,
  async *list({ organization_id: only }, { client }) {
    const { organizations, organizationMembers } = client.tenant;
    // A token that may only read members does not learn the name.
    const named = async (id: string) =>
      (await ifReadable(async () => [await organizations.get(id)])) ?? [{ id, name: id }];
    const pages = only === undefined ? organizations.pages() : [await named(only)];
    for await (const page of pages) {
      for (const organization of page) {
        if (!organization) continue;
        const { id, name } = organization;
        yield {
          title: name,
          known: { organization_id: id },
          async read() {
            const members = await listOrNothing(organizationMembers, id);
            return members && { ...defaults, id, organization_id: id, members };
          },
        };
      }
    }
  },
};
