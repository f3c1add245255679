// The organizations, as far as their members need them: /organizations and /organizations/{id}.

import type { Hono } from "hono";
import { json, noContent, ServiceError } from "../http/answer";
import { bodyOf, idOf, type Environment, type TenantContext } from "../http/context";
import { readQuery } from "../http/query";
import type { Schema } from "../http/schema";
import type { JsonObject, Organization, Store } from "../state/store";

const name: Schema = { type: "string", minLength: 1, maxLength: 50, pattern: "^[a-z0-9][a-z0-9_-]*$" };
const properties: Record<string, Schema> = {
  name,
  display_name: { type: "string", minLength: 1, maxLength: 255 },
  branding: { type: "object" },
  metadata: { type: "object" },
  enabled_connections: { type: "array", items: { type: "object" } },
  token_quota: { type: "object" },
};

export const organizationSchema: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties,
};
export const organizationPatchSchema: Schema = { type: "object", additionalProperties: false, properties };
export const organizationsQuery: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    page: { type: "integer", minimum: 0, maximum: 1000 },
    per_page: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    include_totals: { type: "boolean" },
    from: { type: "string" },
    take: { type: "integer", minimum: 1, maximum: 100, default: 50 },
  },
};

/** The organization of the request's path. */
export function findOrganization(c: TenantContext, store: Store): Organization {
  const organization = store.organizations.get(idOf(c, 50));
  if (!organization) throw new ServiceError(404, "No organization found by that id or name");
  return organization;
}

interface Query {
  page?: number;
  per_page?: number;
  include_totals?: boolean;
  from?: string;
  take?: number;
}

export function addOrganizations(app: Hono<Environment>, store: Store): void {
  const organizations = store.organizations;

  const checkName = (wanted: string, self?: string) => {
    if (organizations.values().some((other) => other.name === wanted && other.id !== self)) {
      throw new ServiceError(409, "An organization with this name already exists.", "organization_conflict");
    }
  };

  app.get("/organizations", (c) => {
    const query = readQuery<Query>(c.req.url, organizationsQuery);
    const all = organizations.values();
    if (query.take !== undefined || query.from !== undefined) {
      const start = query.from === undefined ? 0 : all.findIndex(({ id }) => id === query.from) + 1;
      const page = all.slice(start, start + (query.take ?? 50));
      const more = start + page.length < all.length;
      return json(200, { organizations: page, ...(more && { next: page.at(-1)!.id }) });
    }
    const limit = query.per_page ?? 50;
    const start = (query.page ?? 0) * limit;
    const page = all.slice(start, start + limit);
    return json(200, query.include_totals ? { organizations: page, start, limit, total: all.length } : page);
  });

  app.post("/organizations", async (c) => {
    const given = await bodyOf<JsonObject & { name: string }>(c, organizationSchema);
    checkName(given.name);
    const organization = store.addOrganization(given);
    c.env.entry.change = `created organization ${organization.id} (${organization.name})`;
    return json(201, organization);
  });

  app.get("/organizations/:id", (c) => json(200, findOrganization(c, store)));

  app.patch("/organizations/:id", async (c) => {
    const organization = findOrganization(c, store);
    const given = await bodyOf<Partial<Organization>>(c, organizationPatchSchema);
    checkName(given.name ?? organization.name, organization.id);
    c.env.entry.change = `updated organization ${organization.id} (${organization.name})`;
    return json(200, organizations.put({ ...organization, ...given }));
  });

  app.delete("/organizations/:id", (c) => {
    const organization = findOrganization(c, store);
    organizations.drop(organization.id);
    c.env.entry.change = `deleted organization ${organization.id} (${organization.name})`;
    return noContent();
  });
}
