/** The members of an organization: /organizations/{id}/members. */
import { checkScope } from "../auth/token";
import { invalidBody } from "../http/body";
import { api, atMost, operation, type Call, type Operation } from "../http/operation";
import { ServiceError } from "../http/response";
import { boolean, exactly, listOf, optional, text, type Schema } from "../schema";
import { membersAfter, type Member } from "../state/membership";
import { fromCursor, inCursor } from "../state/time";
import { bothPages, pageOf, type PagingQuery } from "./collection";
import { findOrganization } from "./organizations";
import { userKind, type User } from "./users";

/** Pages by offset cover only the first thousand members. */
const offsetReach = 1000;

interface Content {
  readonly members: readonly string[];
}

/** For adding and removing. Other properties are ignored. */
const contentSchema: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["members"],
  properties: {
    members: {
      type: "array",
      minItems: 1,
      // Assumption: the response to more than ten members in one call. Only the limit is documented.
      maxItems: 10,
      items: { type: "string", format: "user-id-with-max-length" },
    },
  },
};

interface Query extends PagingQuery {
  readonly fields?: string;
  readonly include_fields?: boolean;
}

/** The properties in a response depend on `fields`, and on the known values of the user. */
const memberShape = optional({
  user_id: text,
  picture: text,
  name: text,
  email: text,
  roles: listOf(exactly({ id: text, name: text })),
});

function show({ user }: Member, known: Partial<User>, query: Query) {
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
  const showAll = (entries: readonly Member[]) =>
    shuffled(entries).map((member) => show(member, users.get(member.user) ?? {}, query));
  return pageOf("members", members.slice(0, offsetReach), query, showAll, (from, size) => {
    const page = membersAfter(members, size, from === undefined ? undefined : parse(from));
    return { page, next: page.length > 0 ? cursor(page.at(-1)!) : undefined };
  });
}

/** The field names of `fields`; undefined if all are requested. */
const namesIn = (fields?: string) =>
  fields
    ?.split(",")
    .map((name) => name.trim())
    .filter(Boolean);

const asksForRoles = ({ fields, include_fields = true }: Query) =>
  include_fields && namesIn(fields)?.includes("roles") === true;

/** Returns a function that tells whether a response shows a field of a member. */
function fieldsOf({ fields, include_fields = true }: Query): (field: string) => boolean {
  const names = new Set(namesIn(fields));
  return names.size === 0 ? () => true : (field) => names.has(field) === include_fields;
}

const cursor = ({ micros, user }: Member) => Buffer.from(`${inCursor(micros)},${user}`).toString("base64");

function parse(from: string): Member {
  const [instant = "", ...user] = Buffer.from(from, "base64").toString().split(",");
  const micros = fromCursor(instant);
  // Assumption: the message for an invalid cursor of a list of members.
  if (micros === undefined) {
    throw new ServiceError(400, "Query validation error: 'Invalid cursor' on property from.", "invalid_paging");
  }
  return { micros, user: user.join(",") };
}

function hashOf({ user }: Member): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < user.length; at++) hash = Math.imul(hash ^ user.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

/** The service keeps no order inside a page. This order looks arbitrary, and is the same every time. */
function shuffled(page: readonly Member[]): Member[] {
  const hashes = new Map(page.map((member) => [member, hashOf(member)]));
  return page.toSorted((a, b) => hashes.get(a)! - hashes.get(b)!);
}

const members = { path: api("/organizations/{id}/members"), id: atMost(50), refusals: [404] };
const write = { ...members, bucket: "memberWrites", body: contentSchema, success: 204 } as const;

export const organizationMembers: readonly Operation[] = [
  operation<unknown, Query>({
    ...members,
    method: "GET",
    scope: "read:organization_members",
    bucket: "memberReads",
    ...bothPages("members", memberShape, { fields: text, include_fields: boolean }),
    success: 200,
    handle(call) {
      if (asksForRoles(call.query)) {
        checkScope(call.claims, "read:organization_members", "read:organization_member_roles");
      }
      return list(call);
    },
  }),
  operation<Content>({
    ...write,
    method: "POST",
    scope: "create:organization_members",
    handle(call) {
      const { store, trackUsers } = call.tenant;
      const { id } = findOrganization(call);
      const users = store.of(userKind);
      const unknown = trackUsers ? call.body.members.filter((user) => !users.get(user)) : [];
      // Assumption: the message for members that are not users of the tenant.
      if (unknown.length > 0) throw invalidBody(`The following users do not exist: ${unknown.join(", ")}`);
      store.addMembers(id, [...new Set(call.body.members)]);
      call.changed(`added to ${id}: ${call.body.members.join(", ")}`);
    },
  }),
  operation<Content>({
    ...write,
    method: "DELETE",
    scope: "delete:organization_members",
    handle(call) {
      const { id } = findOrganization(call);
      call.tenant.store.removeMembers(id, [...new Set(call.body.members)]);
      call.changed(`removed from ${id}: ${call.body.members.join(", ")}`);
    },
  }),
];
