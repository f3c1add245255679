// The members of an organization: /organizations/{id}/members.

import type { Hono } from "hono";
import { checkScope } from "../http/access";
import { json, noContent, ServiceError } from "../http/answer";
import { bodyOf, type Environment, type TenantContext } from "../http/context";
import type { Member, Membership } from "../state/membership";
import { membersQuery, membersSchema, type MembersQuery } from "./organization-member-check";
import { findOrganization } from "./organizations";
import { invalidBody } from "../http/body";
import { readQuery } from "../http/query";
import type { Store } from "../state/store";
import { fromCursor, inCursor } from "../state/time";

/** Offset paging sees no more than the first thousand. */
const reachOfOffsets = 1000;
const defaultPage = 50;

export interface MembersOptions {
  /** Refuse to add users the tenant does not know. */
  trackUsers: boolean;
}

export function addOrganizationMembers(app: Hono<Environment>, store: Store, options: MembersOptions): void {
  const shown = ({ user }: Member, wanted: (field: string) => boolean, roles: boolean) => {
    const { email, picture, name } = store.users.get(user) ?? {};
    const item: Record<string, unknown> = {};
    for (const [field, value] of Object.entries({ user_id: user, email, picture, name })) {
      if (value !== undefined && wanted(field)) item[field] = value;
    }
    if (roles) item.roles = [];
    return item;
  };

  const list = (c: TenantContext, membership: Membership, query: MembersQuery) => {
    const { stale } = c.env;
    const members = stale ? membership.asOf(store.clock() - stale * 1000) : membership.index;
    const [wanted, roles] = [fieldsOf(query), asksForRoles(query)];
    const page = (entries: Member[]) => shuffled(entries).map((member) => shown(member, wanted, roles));
    // Checkpoint paging wins over offset paging and totals: clients send their defaults for those along with it.
    if (query.take !== undefined || query.from !== undefined) {
      const found = members.take(query.take ?? defaultPage, query.from === undefined ? undefined : parse(query.from));
      return { members: page(found), ...(found.length > 0 && { next: cursor(found.at(-1)!) }) };
    }
    const limit = query.per_page ?? defaultPage;
    const start = (query.page ?? 0) * limit;
    const found = members.slice(start, Math.max(0, Math.min(limit, reachOfOffsets - start)));
    if (!query.include_totals) return page(found);
    return { members: page(found), start, limit, total: Math.min(members.size, reachOfOffsets) };
  };

  app.get("/organizations/:id/members", (c) => {
    const query = readQuery<MembersQuery>(c.req.url, membersQuery);
    if (asksForRoles(query)) {
      checkScope(c.get("claims"), "read:organization_members", "read:organization_member_roles");
    }
    const organization = findOrganization(c, store);
    return json(200, list(c, store.members(organization.id)!, query));
  });

  app.post("/organizations/:id/members", async (c) => {
    const { members } = await bodyOf<{ members: string[] }>(c, membersSchema);
    const { id } = findOrganization(c, store);
    const unknown = options.trackUsers ? members.filter((user) => !store.users.get(user)) : [];
    // A choice: the words are not known.
    if (unknown.length > 0) throw invalidBody(`The following users do not exist: ${unknown.join(", ")}`);
    store.addMembers(id, [...new Set(members)]);
    c.env.entry.change = `added to ${id}: ${members.join(", ")}`;
    return noContent();
  });

  app.delete("/organizations/:id/members", async (c) => {
    const { members } = await bodyOf<{ members: string[] }>(c, membersSchema);
    const { id } = findOrganization(c, store);
    store.removeMembers(id, [...new Set(members)]);
    c.env.entry.change = `removed from ${id}: ${members.join(", ")}`;
    return noContent();
  });
}

/** The field names of `fields`; undefined when all are wanted. */
const namesIn = (fields?: string) =>
  fields
    ?.split(",")
    .map((name) => name.trim())
    .filter(Boolean);

const asksForRoles = ({ fields, include_fields = true }: MembersQuery) =>
  include_fields && namesIn(fields)?.includes("roles") === true;

/** Tells whether a field of a member is to be shown. */
function fieldsOf({ fields, include_fields = true }: MembersQuery): (field: string) => boolean {
  const names = new Set(namesIn(fields));
  return names.size === 0 ? () => true : (field) => names.has(field) === include_fields;
}

const cursor = ({ micros, user }: Member) => Buffer.from(`${inCursor(micros)},${user}`).toString("base64");

function parse(from: string): Member {
  const [moment = "", ...user] = Buffer.from(from, "base64").toString().split(",");
  const micros = fromCursor(moment);
  // A choice: the words are not known.
  if (micros === undefined) {
    throw new ServiceError(400, "Query validation error: 'Invalid cursor' on property from.", "invalid_paging");
  }
  return { micros, user: user.join(",") };
}

const mark = ({ user }: Member) => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < user.length; at++) hash = Math.imul(hash ^ user.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
};

/** Inside a page the service keeps no order; this one looks arbitrary and is the same every time. */
function shuffled(page: Member[]): Member[] {
  return page
    .map((member) => ({ member, mark: mark(member) }))
    .toSorted((a, b) => a.mark - b.mark)
    .map(({ member }) => member);
}
