/** All network access control lists of the tenant, to look at. */
import * as z from "zod";
import { attribute } from "../sdk/attribute";
import { defineDataSource } from "../sdk/resource";
import type { Client } from "./client";
import { fromWire, networkAcl } from "./network-acl";

export const networkAcls = defineDataSource<Client>()({
  name: "network_acls",
  description: "All network access control lists of the tenant, also those that no stack manages.",
  config: z.object({}),
  computed: z.object({
    network_acls: attribute(
      z.array(z.object({ ...networkAcl.config.shape, ...networkAcl.computed.shape })),
      "The lists, in the order in which they are asked.",
    ),
  }),
  async read(_config, { client }) {
    const found = await client.tenant.networkAcls.list();
    return { network_acls: found.toSorted((a, b) => a.priority - b.priority).map(fromWire) };
  },
});
