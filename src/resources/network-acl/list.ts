/** The network access control lists of the tenant, for `terraform query`. */
import * as z from "zod";
import type { ListResource } from "../../sdk/resource";
import type { Client } from "../client";
import { networkAcl } from "./definition";
import { fromWire } from "./wire";

const filter = z.object({});

export const networkAclList: ListResource<Client, typeof networkAcl, typeof filter> = {
  definition: networkAcl,
  description: "The network ACLs of the tenant, in the order of evaluation.",
  filter,
  async *list(_all, { client }) {
    const found = await client.tenant.networkAcls.list();
    for (const acl of found.toSorted((a, b) => a.priority - b.priority)) {
      yield { title: acl.description, known: { id: acl.id }, read: () => fromWire(acl) };
    }
  },
};
