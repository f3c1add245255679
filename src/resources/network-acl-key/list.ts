/** The keys of HTTP message signatures of the tenant, for `terraform query`. */
import * as z from "zod";
import type { ListResource } from "../../sdk/resource";
import type { Client } from "../client";
import { networkAclKey } from "./definition";
import { fromWire } from "./wire";

const filter = z.object({});

export const networkAclKeyList: ListResource<Client, typeof networkAclKey, typeof filter> = {
  definition: networkAclKey,
  description: "The keys of HTTP message signatures of the tenant. Early Access.",
  filter,
  async *list(_filter, { client }) {
    for (const key of await client.tenant.networkAclKeys.list()) {
      yield { title: key.name, known: { id: key.id }, read: () => fromWire(key, {}) };
    }
  },
};
