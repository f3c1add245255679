/** The users, as far as memberships refer to them: /users and /users/{id}. */
import { createHash } from "node:crypto";
import { ServiceError } from "../http/response";
import { api, operation, type Family } from "../http/operation";
import type { Schema } from "../schema/schema";
import { flag, listOf, text } from "../schema/shape";
import { userId } from "../state/identity";
import type { JsonObject, Kind } from "../state/kind";
import { withMillis } from "../state/time";

export interface User extends JsonObject {
  readonly user_id: string;
  readonly email?: string;
  readonly name?: string;
  readonly picture?: string;
}

const properties: Record<string, Schema> = {
  user_id: { type: "string", minLength: 1, maxLength: 255 },
  email: text,
  email_verified: flag,
  phone_number: text,
  phone_verified: flag,
  username: text,
  name: { type: "string", minLength: 1, maxLength: 300 },
  given_name: text,
  family_name: text,
  nickname: text,
  picture: text,
  blocked: flag,
  user_metadata: { type: "object" },
  app_metadata: { type: "object" },
};
const contentSchema: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["connection"],
  properties: {
    ...properties,
    connection: { type: "string", minLength: 1 },
    password: { type: "string", writeOnly: true },
    verify_email: flag,
  },
};
type Content = JsonObject & { readonly connection: string; readonly user_id?: string };

const userShape: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["user_id"],
  properties: { user_id: text, email: text, name: text, picture: text },
};

export const userKind: Kind<"users", User> = {
  name: "users",
  idOf: ({ user_id }) => user_id,
  seed: {
    type: "object",
    additionalProperties: false,
    properties: { ...properties, identities: listOf({ type: "object" }), created_at: text, updated_at: text },
  },
  complete: (given, { random }) => ({ ...given, user_id: given.user_id ?? userId(random) }),
};

/** What the service makes up for a user who came with an address alone. A choice: which picture, exactly. */
function madeUp(email: unknown): JsonObject {
  if (typeof email !== "string") return {};
  const [nickname = ""] = email.split("@");
  const initials = nickname
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .slice(0, 2);
  const fallback = encodeURIComponent(`https://cdn.auth0.com/avatars/${initials}.png`);
  const hash = createHash("md5").update(email.trim().toLowerCase()).digest("hex");
  const picture = `https://s.gravatar.com/avatar/${hash}?s=480&r=pg&d=${fallback}`;
  return { email_verified: false, name: email, nickname, picture };
}

const one = { path: api("/users/{id}") };

export const users: Family = {
  schemas: { User: userShape },
  operations: [
    operation<Content>({
      method: "POST",
      path: api("/users"),
      summary: "Create a user",
      scope: "create:users",
      body: contentSchema,
      success: 201,
      answer: userShape,
      refusals: [409],
      handle({ tenant: { store }, body, changed }) {
        const { connection, password: _, verify_email: __, user_id, ...given } = body;
        const id = user_id === undefined ? userId(store.random) : user_id.includes("|") ? user_id : `auth0|${user_id}`;
        const known = store.of(userKind);
        if (known.get(id)) throw new ServiceError(409, "The user already exists.", "auth0_idp_error");
        const moment = withMillis(store.clock());
        const [provider, ...rest] = id.split("|");
        changed(`created user ${id}`);
        return known.put({
          created_at: moment,
          ...madeUp(given.email),
          ...given,
          identities: [{ connection, user_id: rest.join("|"), provider, isSocial: false }],
          updated_at: moment,
          user_id: id,
        });
      },
    }),
    operation({
      ...one,
      method: "GET",
      summary: "Read a user",
      scope: "read:users",
      success: 200,
      answer: userShape,
      refusals: [404],
      handle({ tenant, id }) {
        const user = tenant.store.of(userKind).get(id);
        if (!user) throw new ServiceError(404, "The user does not exist.", "inexistent_user");
        return user;
      },
    }),
    operation({
      ...one,
      method: "DELETE",
      summary: "Delete a user and its memberships",
      scope: "delete:users",
      success: 204,
      handle({ tenant, id, changed }) {
        const known = tenant.store.of(userKind);
        if (!known.get(id)) return;
        known.drop(id);
        changed(`deleted user ${id}`);
      },
    }),
  ],
};
