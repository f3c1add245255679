// The users, as far as memberships refer to them: /users and /users/{id}.

import type { Hono } from "hono";
import { createHash } from "node:crypto";
import { json, noContent, ServiceError } from "../http/answer";
import { bodyOf, type Environment } from "../http/context";
import { userId } from "../state/identity";
import type { Schema } from "../http/schema";
import type { JsonObject, Store } from "../state/store";
import { withMillis } from "../state/time";

/** Only the connection is insisted on; a user's many other properties are kept as they come. */
export const userSchema: Schema = {
  type: "object",
  additionalProperties: true,
  required: ["connection"],
  properties: {
    connection: { type: "string", minLength: 1 },
    user_id: { type: "string", minLength: 1, maxLength: 255 },
    email: { type: "string" },
    name: { type: "string", minLength: 1, maxLength: 300 },
    picture: { type: "string" },
  },
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

export function addUsers(app: Hono<Environment>, store: Store): void {
  app.post("/users", async (c) => {
    const {
      connection,
      password: _,
      user_id,
      ...given
    } = await bodyOf<JsonObject & { user_id?: string }>(c, userSchema);
    const id = user_id === undefined ? userId(store.random) : user_id.includes("|") ? user_id : `auth0|${user_id}`;
    if (store.users.get(id)) throw new ServiceError(409, "The user already exists.", "auth0_idp_error");
    const moment = withMillis(store.clock());
    const [provider, ...rest] = id.split("|");
    const user = store.users.put({
      created_at: moment,
      ...madeUp(given.email),
      ...given,
      identities: [{ connection, user_id: rest.join("|"), provider, isSocial: false }],
      updated_at: moment,
      user_id: id,
    });
    c.env.entry.change = `created user ${id}`;
    return json(201, user);
  });

  app.get("/users/:id", (c) => {
    const user = store.users.get(c.req.param("id"));
    if (!user) throw new ServiceError(404, "The user does not exist.", "inexistent_user");
    return json(200, user);
  });

  app.delete("/users/:id", (c) => {
    const id = c.req.param("id");
    if (store.users.get(id)) {
      store.users.drop(id);
      c.env.entry.change = `deleted user ${id}`;
    }
    return noContent();
  });
}
