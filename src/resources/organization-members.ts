/** The members of an organization, to look at. */
import * as z from "zod";
import { attribute, setOf } from "../sdk/attribute";
import { defineDataSource } from "../sdk/resource";
import type { Client } from "./client";
import { organizationMemberSet } from "./organization-member-set";

const { organization_id } = organizationMemberSet.config.shape;

export const organizationMembers = defineDataSource<Client>()({
  name: "organization_members",
  description: "The members of an organization, whoever made them so.",
  config: z.object({ organization_id }),
  computed: z.object({ members: attribute(setOf(z.string()), "User ids of the members.") }),
  async read(asked, { client }) {
    return { members: await client.tenant.organizationMembers.list(asked.organization_id) };
  },
});
