/** All network access control lists of the tenant, to look at. */
import * as z from "zod";
import { attribute, listOf } from "../../sdk/attribute";
import { define } from "../../sdk/definition";
import type { DataSource } from "../../sdk/resource";
import type { Client } from "../client";
import { networkAcl } from "./definition";
import { fromWire } from "./wire";

/** The service has no end of an ACL. */
const { expires_at: _end, ...config } = networkAcl.config.shape;
const { expired: _expired, ...computed } = networkAcl.computed.shape;

const networkAcls = define({
  name: "network_acls",
  description: "All network ACLs of the tenant, including unmanaged ACLs.",
  config: z.object({}),
  computed: z.object({
    network_acls: attribute(listOf(z.object({ ...config, ...computed })), "The ACLs, in the order of evaluation."),
  }),
});

export const networkAclsDataSource: DataSource<Client, typeof networkAcls> = {
  definition: networkAcls,
  async read(_filter, { client }) {
    const found = await client.tenant.networkAcls.list();
    return { network_acls: found.toSorted((a, b) => a.priority - b.priority).map(fromWire) };
  },
};
