/** The members of an organization: /organizations/{id}/members. */
import { checkScope } from "../auth/claims";
import { ServiceError } from "../http/response";
import { invalidBody } from "../http/body";
import { api, atMost, operation, type Call, type Family } from "../http/operation";
import type { Schema } from "../schema/schema";
import { exactly, listOf, number, text } from "../schema/shape";
import { membersAfter, type Member } from "../state/membership";
import { fromCursor, inCursor } from "../state/time";
import { findOrganization } from "./organizations";
import { userKind, type User } from "./users";

/** Offset paging sees no more than the first thousand. */
const reachOfOffsets = 1000;
const defaultPage = 50;

interface Content {
  readonly members: readonly string[];
}

/** For adding and removing alike. Other properties are let through unread. */
const contentSchema: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["members"],
  properties: {
    members: {
      type: "array",
      minItems: 1,
      // A choice: that ten is the most is documented, what more gets is not.
      maxItems: 10,
      items: { type: "string", format: "user-id-with-max-length" },
    },
  },
};

const querySchema: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    page: { type: "integer", minimum: 0, maximum: 1000 },
    per_page: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    include_totals: { type: "boolean" },
    from: { type: "string" },
    take: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    fields: { type: "string" },
    include_fields: { type: "boolean" },
  },
};
interface Query {
  readonly page?: number;
  readonly per_page?: number;
  readonly include_totals?: boolean;
  readonly from?: string;
  readonly take?: number;
  readonly fields?: string;
  readonly include_fields?: boolean;
}

const memberShape = exactly(
  { user_id: text, picture: text, name: text, email: text, roles: listOf(exactly({ id: text, name: text })) },
  // Which of them come depends on `fields`, and on what is known of the user.
  ["user_id", "picture", "name", "email", "roles"],
);
const listShape: Schema = {
  oneOf: [
    listOf(memberShape),
    exactly({ start: number, limit: number, total: number, members: listOf(memberShape) }),
    exactly({ next: text, members: listOf(memberShape) }, ["next"]),
  ],
};

function shown({ user }: Member, known: Partial<User>, query: Query) {
  const { email, picture, name } = known;
  const wanted = fieldsOf(query);
  const fields = Object.entries({ user_id: user, email, picture, name });
  const item = Object.fromEntries(fields.filter(([field, value]) => value !== undefined && wanted(field)));
  return asksForRoles(query) ? { ...item, roles: [] } : item;
}

function list(call: Call<unknown, Query>) {
  const { tenant, query, stale } = call;
  const { store } = tenant;
  const membership = store.members(findOrganization(call).id)!;
  const members = membership.list(stale ? store.clock() - stale * 1000 : undefined);
  const users = store.of(userKind);
  const page = (entries: readonly Member[]) =>
    shuffled(entries).map((member) => shown(member, users.get(member.user) ?? {}, query));
  // Checkpoint paging wins over offset paging and totals: clients send their defaults for those along with it.
  if (query.take !== undefined || query.from !== undefined) {
    const from = query.from === undefined ? undefined : parse(query.from);
    const found = membersAfter(members, query.take ?? defaultPage, from);
    return { members: page(found), ...(found.length > 0 && { next: cursor(found.at(-1)!) }) };
  }
  const limit = query.per_page ?? defaultPage;
  const start = (query.page ?? 0) * limit;
  const found = members.slice(start, Math.min(start + limit, reachOfOffsets));
  if (!query.include_totals) return page(found);
  return { members: page(found), start, limit, total: Math.min(members.length, reachOfOffsets) };
}

/** The field names of `fields`; undefined when all are wanted. */
const namesIn = (fields?: string) =>
  fields
    ?.split(",")
    .map((name) => name.trim())
    .filter(Boolean);

const asksForRoles = ({ fields, include_fields = true }: Query) =>
  include_fields && namesIn(fields)?.includes("roles") === true;

/** Tells whether a field of a member is to be shown. */
function fieldsOf({ fields, include_fields = true }: Query): (field: string) => boolean {
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
function shuffled(page: readonly Member[]): Member[] {
  return page
    .map((member) => ({ member, mark: mark(member) }))
    .toSorted((a, b) => a.mark - b.mark)
    .map(({ member }) => member);
}

const members = { path: api("/organizations/{id}/members"), id: atMost(50), refusals: [404] };

export const organizationMembers: Family = {
  schemas: { Member: memberShape, Members: contentSchema },
  operations: [
    operation<unknown, Query>({
      ...members,
      method: "GET",
      summary: "List the members of an organization",
      scope: "read:organization_members",
      bucket: "memberReads",
      query: querySchema,
      success: 200,
      answer: listShape,
      handle(call) {
        if (asksForRoles(call.query)) {
          checkScope(call.claims, "read:organization_members", "read:organization_member_roles");
        }
        return list(call);
      },
    }),
    operation<Content>({
      ...members,
      method: "POST",
      summary: "Add members to an organization",
      scope: "create:organization_members",
      bucket: "memberWrites",
      body: contentSchema,
      success: 204,
      handle(call) {
        const { store, trackUsers } = call.tenant;
        const { id } = findOrganization(call);
        const users = store.of(userKind);
        const unknown = trackUsers ? call.body.members.filter((user) => !users.get(user)) : [];
        // A choice: the words are not known.
        if (unknown.length > 0) throw invalidBody(`The following users do not exist: ${unknown.join(", ")}`);
        store.addMembers(id, [...new Set(call.body.members)]);
        call.changed(`added to ${id}: ${call.body.members.join(", ")}`);
      },
    }),
    operation<Content>({
      ...members,
      method: "DELETE",
      summary: "Remove members from an organization",
      scope: "delete:organization_members",
      bucket: "memberWrites",
      body: contentSchema,
      success: 204,
      handle(call) {
        const { id } = findOrganization(call);
        call.tenant.store.removeMembers(id, [...new Set(call.body.members)]);
        call.changed(`removed from ${id}: ${call.body.members.join(", ")}`);
      },
    }),
  ],
};
