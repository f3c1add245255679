/** Users, as far as memberships refer to them: /users and /users/{id}. */
import type { Operation } from "../http/operation";
import { ServiceError } from "../http/response";
import { boolean, exactly, listOf, optional, text, type Schema } from "../schema";
import { userId } from "../state/identity";
import type { JsonObject, Kind } from "../state/store";
import { withMillis } from "../state/time";
import { collection } from "./collection";

export interface User extends JsonObject {
  readonly user_id: string;
  readonly email?: string;
  readonly name?: string;
  readonly picture?: string;
}

const properties: Record<string, Schema> = {
  user_id: { type: "string", minLength: 1, maxLength: 255 },
  email: text,
  email_verified: boolean,
  phone_number: text,
  phone_verified: boolean,
  username: text,
  name: { type: "string", minLength: 1, maxLength: 300 },
  given_name: text,
  family_name: text,
  nickname: text,
  picture: text,
  blocked: boolean,
  user_metadata: { type: "object" },
  app_metadata: { type: "object" },
};
const contentSchema = exactly(
  {
    connection: { type: "string", minLength: 1 },
    ...properties,
    password: { type: "string", writeOnly: true },
    verify_email: boolean,
  },
  [...Object.keys(properties), "password", "verify_email"],
);
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
  seed: optional({ ...properties, identities: listOf({ type: "object" }), created_at: text, updated_at: text }),
  complete: (given, { random }) => ({ ...given, user_id: given.user_id ?? userId(random) }),
};

/** The values that the service derives from an email address, without a picture. */
const derivedFrom = (email: unknown): JsonObject =>
  typeof email === "string" ? { email_verified: false, name: email, nickname: email.split("@")[0] } : {};

const { create, read, remove } = collection({
  kind: userKind,
  path: "/users",
  noun: "user",
  notFound: ["The user does not exist.", "inexistent_user"],
  shape: userShape,
  show: (user) => user,
  unique: {
    key: ({ user_id }) => user_id,
    taken: () => new ServiceError(409, "The user already exists.", "auth0_idp_error"),
  },
});

export const users: readonly Operation[] = [
  create<Content>(contentSchema, ({ tenant: { store }, body }) => {
    const { connection, password: _, verify_email: __, user_id, ...given } = body;
    const id = user_id === undefined ? userId(store.random) : user_id.includes("|") ? user_id : `auth0|${user_id}`;
    const instant = withMillis(store.clock());
    const [provider, ...rest] = id.split("|");
    return {
      created_at: instant,
      ...derivedFrom(given.email),
      ...given,
      identities: [{ connection, user_id: rest.join("|"), provider, isSocial: false }],
      updated_at: instant,
      user_id: id,
    };
  }),
  read(),
  remove({ refusals: [] }, { ignoreAbsent: true }),
];
