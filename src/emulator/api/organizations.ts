/** Organizations, as far as their members need them: /organizations, /organizations/{id} and /organizations/name/{name}. */
import { api, atMost, operation, type Operation } from "../http/operation";
import { ServiceError } from "../http/response";
import { listOf, optional, text, type Schema } from "../schema";
import { organizationId } from "../state/identity";
import type { JsonObject, Kind, MemberEntry, Store } from "../state/store";
import { bothPages, collection, pageOf, type PagingQuery } from "./collection";

export interface Organization extends JsonObject {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
}

/** Missing values are generated. Members are user ids, or pairs of a user id and the microsecond since 1970 of joining. */
export type NewOrganization = Partial<Organization> & { readonly members?: readonly MemberEntry[] };

const properties: Record<string, Schema> = {
  name: { type: "string", minLength: 1, maxLength: 50, pattern: "^[a-z0-9][a-z0-9_-]*$" },
  display_name: { type: "string", minLength: 1, maxLength: 255 },
  branding: { type: "object" },
  metadata: { type: "object" },
  enabled_connections: listOf({ type: "object" }),
  token_quota: { type: "object" },
};
const contentSchema: Schema = { ...optional(properties), required: ["name"] };

const organizationShape: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["id", "name", "display_name"],
  properties: { id: text, name: text, display_name: text },
};

export const organizationKind: Kind<"organizations", Organization> = {
  name: "organizations",
  idOf: ({ id }) => id,
  seed: optional({
    ...properties,
    id: { type: "string", minLength: 1, maxLength: 50 },
    name: text,
    members: listOf({ anyOf: [text, { type: "array", minItems: 2, maxItems: 2 }] }),
  }),
  complete(given, { random }) {
    const id = given.id ?? organizationId(random);
    const name = given.name ?? id.replace("_", "-").toLowerCase();
    // Assumption: the display name of an organization is its name by default.
    return { ...given, id, name, display_name: given.display_name ?? name };
  },
};

/** Adds an organization with its members. */
export function addOrganization(store: Store, { members = [], ...given }: NewOrganization = {}): Organization {
  const organization = store.of(organizationKind).put(organizationKind.complete(given, store));
  store.addMembers(organization.id, members);
  return organization;
}

const notFound = "No organization found by that id or name";

const { find, list, create, read, update, remove } = collection({
  kind: organizationKind,
  path: "/organizations",
  noun: "organization",
  id: atMost(50),
  notFound: [notFound],
  shape: organizationShape,
  show: (organization) => organization,
  nameOf: ({ name }) => name,
  unique: {
    key: ({ name }) => name,
    taken: () => new ServiceError(409, "An organization with this name already exists.", "organization_conflict"),
  },
});

export const findOrganization = find;

export const organizations: readonly Operation[] = [
  list<PagingQuery>({
    ...bothPages("organizations", organizationShape),
    handle({ tenant, query }) {
      const all = tenant.store.of(organizationKind).values();
      // Assumption: the checkpoints of organizations are in the order of ids, where a deleted one still has its position.
      const after = (from = "", size: number) => {
        const left = all.filter(({ id }) => id > from).toSorted((a, b) => (a.id < b.id ? -1 : 1));
        const page = left.slice(0, size);
        return { page, next: left.length > size ? page.at(-1)!.id : undefined };
      };
      return pageOf("organizations", all, query, (page) => [...page], after);
    },
  }),
  create<JsonObject>(contentSchema, ({ tenant, body }) => organizationKind.complete(body, tenant.store)),
  read(),
  operation({
    method: "GET",
    path: api("/organizations/name/{id}"),
    id: atMost(50),
    scope: "read:organizations",
    success: 200,
    response: organizationShape,
    refusals: [404],
    handle({ tenant, id }) {
      const found = tenant.store
        .of(organizationKind)
        .values()
        .find(({ name }) => name === id);
      if (!found) throw new ServiceError(404, notFound);
      return found;
    },
  }),
  update<Partial<Organization>>(
    { method: "PATCH", body: optional(properties), refusals: [404, 409] },
    ({ body }, organization) => ({ ...organization, ...body }),
  ),
  remove(),
];
