/** The members of an organization, to look at. */
import * as z from "zod";
import { attribute, setOf } from "../../sdk/attribute";
import { define } from "../../sdk/definition";
import type { DataSource } from "../../sdk/resource";
import type { Client } from "../client";
import { organizationMemberSet } from "./definition";

const { organization_id } = organizationMemberSet.config.shape;

const organizationMembers = define({
  name: "organization_members",
  description: "All members of an organization, including unmanaged members.",
  config: z.object({ organization_id }),
  computed: z.object({ members: attribute(setOf(z.string()), "User ids of the members.") }),
});

export const organizationMembersDataSource: DataSource<Client, typeof organizationMembers> = {
  definition: organizationMembers,
  async read(asked, { client }) {
    return { members: await client.tenant.organizationMembers.list(asked.organization_id) };
  },
};
