// The network ACLs: /network-acls and /network-acls/{id}.

import type { Hono } from "hono";
import { json, ServiceError, stored } from "../http/answer";
import { bodyOf, type Environment, type TenantContext } from "../http/context";
import { networkAclId } from "../state/identity";
import { checkRule, networkAclPatchSchema, networkAclSchema } from "./network-acl-check";
import { readQuery } from "../http/query";
import type { Schema } from "../http/schema";
import type { NetworkAcl, Store } from "../state/store";
import { withMillis } from "../state/time";

type Content = Pick<NetworkAcl, "description" | "active" | "rule"> & { priority?: number };

export const networkAclsQuery: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    page: { type: "integer", minimum: 0 },
    per_page: { type: "integer", minimum: 0, maximum: 100 },
    include_totals: { type: "boolean" },
  },
};

const defaultPriority = 50;
/** A choice: the size of a page nobody asked a size for. */
const defaultPage = 50;

/** acl_ and 22 base58 characters; older ones are UUIDs. */
const idForm = /^(acl_[1-9A-HJ-NP-Za-km-z]{22}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

const shown = ({ id, created_at, updated_at, ...content }: NetworkAcl) => ({
  description: content.description,
  active: content.active,
  priority: content.priority,
  rule: content.rule,
  created_at,
  updated_at,
  id,
});

export function addNetworkAcls(app: Hono<Environment>, store: Store, tenantId: string): void {
  const acls = store.networkAcls;

  const find = (c: TenantContext): NetworkAcl => {
    const id = c.req.param("id")!;
    if (!idForm.test(id)) {
      const problem = "Network ACL id is not a valid ACL ID in the form 'acl_XXXXXXXXXXXXXXXXXXXXXX'";
      throw new ServiceError(400, problem, "invalid_uri");
    }
    const acl = acls.get(id);
    if (!acl) throw new ServiceError(404, "NetworkACL with this ID was not found");
    return acl;
  };

  // A choice: it is known that POST refuses a priority that is taken; PUT and PATCH are taken to do the same.
  const checkPriority = (priority: number, self?: string) => {
    if (acls.values().some((acl) => acl.priority === priority && acl.id !== self)) {
      throw new ServiceError(409, "A Network ACL with this priority number has already been created.");
    }
  };

  const replace = (c: TenantContext, acl: NetworkAcl, content: Partial<Content>) => {
    checkRule(content.rule);
    const next = { ...acl, ...content, updated_at: withMillis(store.clock()) };
    checkPriority(next.priority, acl.id);
    acls.put({ ...next, rule: stored(next.rule) });
    c.env.entry.change = `updated network ACL ${acl.id} (${next.description})`;
    return json(200, shown(acls.get(acl.id)!));
  };

  app.get("/network-acls", (c) => {
    const query = readQuery<{ page?: number; per_page?: number; include_totals?: boolean }>(
      c.req.url,
      networkAclsQuery,
    );
    const limit = query.per_page ?? defaultPage;
    const start = (query.page ?? 0) * limit;
    const page = acls
      .values()
      .slice(start, start + limit)
      .map(shown);
    return json(200, query.include_totals ? { total: acls.size, start, limit, network_acls: page } : page);
  });

  app.post("/network-acls", async (c) => {
    const content = await bodyOf<Content>(c, networkAclSchema);
    checkRule(content.rule);
    const priority = content.priority ?? defaultPriority;
    checkPriority(priority);
    const moment = withMillis(store.clock());
    const acl = acls.put({
      id: networkAclId(store.random),
      description: content.description,
      active: content.active,
      priority,
      rule: stored(content.rule),
      created_at: moment,
      updated_at: moment,
    });
    c.env.entry.change = `created network ACL ${acl.id} (${acl.description})`;
    return json(201, shown(acl));
  });

  app.get("/network-acls/:id", (c) => json(200, { ...shown(find(c)), tenant_id: tenantId, deleted_at: null }));

  app.put("/network-acls/:id", async (c) => {
    const acl = find(c);
    const content = await bodyOf<Content>(c, networkAclSchema);
    return replace(c, acl, { ...content, priority: content.priority ?? defaultPriority });
  });

  app.patch("/network-acls/:id", async (c) =>
    replace(c, find(c), await bodyOf<Partial<Content>>(c, networkAclPatchSchema)),
  );

  app.delete("/network-acls/:id", (c) => {
    const acl = find(c);
    acls.drop(acl.id);
    c.env.entry.change = `deleted network ACL ${acl.id} (${acl.description})`;
    // Recorded so: the code of the answer stands in its body, the status is 200.
    return json(200, { code: 204, object: "" });
  });
}
