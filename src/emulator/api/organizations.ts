/** The organizations, as far as their members need them: /organizations and /organizations/{id}. */
import { ServiceError } from "../http/response";
import { api, atMost, operation, type Call, type Family } from "../http/operation";
import type { Schema } from "../schema/schema";
import { exactly, listOf, number, text } from "../schema/shape";
import { organizationId } from "../state/identity";
import type { JsonObject, Kind } from "../state/kind";
import type { MemberEntry, Store } from "../state/store";

export interface Organization extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
}

/** An organization to be; members are user ids, or pairs of a user id and the microsecond since 1970 of joining. */
export interface NewOrganization extends JsonObject {
  readonly id?: string;
  readonly name?: string;
  readonly display_name?: string;
  readonly members?: readonly MemberEntry[];
}

const properties: Record<string, Schema> = {
  name: { type: "string", minLength: 1, maxLength: 50, pattern: "^[a-z0-9][a-z0-9_-]*$" },
  display_name: { type: "string", minLength: 1, maxLength: 255 },
  branding: { type: "object" },
  metadata: { type: "object" },
  enabled_connections: { type: "array", items: { type: "object" } },
  token_quota: { type: "object" },
};
const contentSchema: Schema = { type: "object", additionalProperties: false, required: ["name"], properties };
const patchSchema: Schema = { type: "object", additionalProperties: false, properties };
const querySchema: Schema = {
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
interface Query {
  readonly page?: number;
  readonly per_page?: number;
  readonly include_totals?: boolean;
  readonly from?: string;
  readonly take?: number;
}

const organizationShape: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["id", "name", "display_name"],
  properties: { id: text, name: text, display_name: text },
};
const listShape: Schema = {
  oneOf: [
    listOf(organizationShape),
    exactly({ start: number, limit: number, total: number, organizations: listOf(organizationShape) }),
    exactly({ next: text, organizations: listOf(organizationShape) }, ["next"]),
  ],
};

export const organizationKind: Kind<"organizations", Organization> = {
  name: "organizations",
  idOf: ({ id }) => id,
  seed: {
    type: "object",
    additionalProperties: false,
    properties: {
      ...properties,
      id: { type: "string", minLength: 1, maxLength: 50 },
      name: text,
      members: listOf({ anyOf: [text, { type: "array", minItems: 2, maxItems: 2 }] }),
    },
  },
  complete(given, { random }) {
    const id = given.id ?? organizationId(random);
    const name = given.name ?? id.replace("_", "-").toLowerCase();
    // A choice: an organization nobody gave a display name shows its name.
    return { ...given, id, name, display_name: given.display_name ?? name };
  },
};

/** Adds an organization with its members, whatever is left out made up. */
export function addOrganization(store: Store, { members = [], ...given }: NewOrganization = {}): Organization {
  const organization = store.of(organizationKind).put(organizationKind.complete(given, store));
  store.addMembers(organization.id, members);
  return organization;
}

/** The organization of the request's path. */
export function findOrganization({ tenant, id }: Call): Organization {
  const organization = tenant.store.of(organizationKind).get(id);
  if (!organization) throw new ServiceError(404, "No organization found by that id or name");
  return organization;
}

function checkName(store: Store, wanted: string, self?: string): void {
  const others = store.of(organizationKind).values();
  if (others.some((other) => other.name === wanted && other.id !== self)) {
    throw new ServiceError(409, "An organization with this name already exists.", "organization_conflict");
  }
}

const all = { path: api("/organizations") };
const one = {
  path: api("/organizations/{id}"),
  id: atMost(50),
  success: 200,
  answer: organizationShape,
  refusals: [404],
};

export const organizations: Family = {
  schemas: { Organization: organizationShape },
  operations: [
    operation<unknown, Query>({
      ...all,
      method: "GET",
      summary: "List the organizations",
      scope: "read:organizations",
      query: querySchema,
      success: 200,
      answer: listShape,
      handle({ tenant, query }) {
        const found = tenant.store.of(organizationKind).values();
        if (query.take !== undefined || query.from !== undefined) {
          const { take = 50, from = "" } = query;
          // A choice: in the order of ids, in which one that is deleted still has its place.
          const left = found.filter(({ id }) => id > from).toSorted((a, b) => (a.id < b.id ? -1 : 1));
          const page = left.slice(0, take);
          return { organizations: page, ...(left.length > take && { next: page.at(-1)!.id }) };
        }
        const limit = query.per_page ?? 50;
        const start = (query.page ?? 0) * limit;
        const page = found.slice(start, start + limit);
        return query.include_totals ? { organizations: page, start, limit, total: found.length } : page;
      },
    }),
    operation<JsonObject & { readonly name: string }>({
      ...all,
      method: "POST",
      summary: "Create an organization",
      scope: "create:organizations",
      body: contentSchema,
      success: 201,
      answer: organizationShape,
      refusals: [409],
      handle({ tenant: { store }, body, changed }) {
        checkName(store, body.name);
        const organization = addOrganization(store, body);
        changed(`created organization ${organization.id} (${organization.name})`);
        return organization;
      },
    }),
    operation({
      ...one,
      method: "GET",
      summary: "Read an organization",
      scope: "read:organizations",
      handle: findOrganization,
    }),
    operation<Partial<Organization>>({
      ...one,
      method: "PATCH",
      summary: "Change some of an organization",
      scope: "update:organizations",
      body: patchSchema,
      refusals: [404, 409],
      handle(call) {
        const { store } = call.tenant;
        const organization = findOrganization(call);
        checkName(store, call.body.name ?? organization.name, organization.id);
        call.changed(`updated organization ${organization.id} (${organization.name})`);
        return store.of(organizationKind).put({ ...organization, ...call.body });
      },
    }),
    operation({
      ...one,
      method: "DELETE",
      summary: "Delete an organization and its memberships",
      scope: "delete:organizations",
      success: 204,
      answer: undefined,
      handle(call) {
        const { id, name } = findOrganization(call);
        call.tenant.store.of(organizationKind).drop(id);
        call.changed(`deleted organization ${id} (${name})`);
      },
    }),
  ],
};
