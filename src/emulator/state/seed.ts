// A tenant to begin with: what a seed may hold, how it is checked, and how what it leaves out is made up.

import { faultSchema, type FaultRule } from "../http/injected-fault";
import { clientId, clientSecret, networkAclId, rateLimitPolicyId, userId } from "./identity";
import { checkRule, networkAclSchema } from "../api/network-acl-check";
import { rateLimitPolicySchema } from "../api/rate-limit-policy-check";
import { firstIssue, sentence, type Schema } from "../http/schema";
import type { Client, JsonObject, NetworkAcl, Organization, RateLimitPolicy, Store, User } from "./store";
import { withMicros, withMillis } from "./time";

/** A tenant as JSON, to start from. Every part and every id may be left out; a snapshot is a seed too. */
export interface Seed {
  /** Clients beside the ready one, for instance with fewer scopes or not global. */
  clients?: Partial<Client>[];
  users?: Partial<User>[];
  network_acls?: (Pick<NetworkAcl, "rule"> & Partial<NetworkAcl>)[];
  rate_limit_policies?: (Pick<RateLimitPolicy, "configuration"> & Partial<RateLimitPolicy>)[];
  /** Members are user ids, or pairs of a user id and the microsecond since 1970 of joining. */
  organizations?: (Partial<Organization> & { members?: (string | [user: string, micros: number])[] })[];
  /** Refuse members that are not users of the tenant. */
  track_users?: boolean;
  /** Faults in force from the start. */
  faults?: FaultRule[];
}

const text: Schema = { type: "string" };
const list = (items: Schema): Schema => ({ type: "array", items });
const times = { created_at: text, updated_at: text };

export const seedSchema: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    clients: list({
      type: "object",
      additionalProperties: false,
      properties: {
        client_id: { type: "string", minLength: 1 },
        client_secret: { type: "string", minLength: 1 },
        name: text,
        global: { type: "boolean" },
        scopes: list(text),
        public_key: text,
      },
    }),
    users: list({ type: "object", properties: { user_id: { type: "string", minLength: 1 }, email: text, name: text } }),
    network_acls: list({
      ...networkAclSchema,
      required: ["rule"],
      properties: { ...networkAclSchema.properties, id: text, ...times },
    }),
    rate_limit_policies: list({
      ...rateLimitPolicySchema,
      required: ["configuration"],
      properties: { ...rateLimitPolicySchema.properties, id: text, ...times },
    }),
    organizations: list({
      type: "object",
      properties: {
        id: { type: "string", minLength: 1, maxLength: 50 },
        name: text,
        display_name: text,
        members: list({ anyOf: [text, { type: "array", minItems: 2, maxItems: 2 }] }),
      },
    }),
    track_users: { type: "boolean" },
    faults: list(faultSchema),
  },
};

/** The value as a seed; throws an Error that names the first thing wrong with it. */
export function checkSeed(value: unknown): Seed {
  const issue = firstIssue(seedSchema, value);
  if (issue) throw new Error(`The seed cannot be used: ${sentence(issue)}`);
  const seed = value as Seed;
  for (const acl of seed.network_acls ?? []) checkRule(acl.rule);
  return seed;
}

/** Adds to the tenant what the seed holds. */
export function plant(store: Store, seed: Seed): void {
  const { random, clock } = store;
  for (const client of seed.clients ?? []) {
    const made = {
      client_id: clientId(random),
      client_secret: clientSecret(random),
      name: "Seeded client",
      global: true,
    };
    store.clients.put({ ...made, ...client });
  }
  for (const user of seed.users ?? []) store.users.put({ ...user, user_id: user.user_id ?? userId(random) });
  for (const acl of seed.network_acls ?? []) {
    const moment = acl.created_at ?? withMillis(clock());
    const made = { id: networkAclId(random), description: "", active: true, priority: 50 };
    store.networkAcls.put({ ...made, created_at: moment, updated_at: moment, ...acl });
  }
  for (const policy of seed.rate_limit_policies ?? []) {
    const moment = policy.created_at ?? withMicros(clock());
    const made = { resource: "oauth_authentication_api", consumer: "client", consumer_selector: "default" };
    const dated = { id: rateLimitPolicyId(random), ...made, created_at: moment, updated_at: moment };
    store.rateLimitPolicies.put({ ...dated, ...policy });
  }
  for (const { members, ...organization } of seed.organizations ?? []) {
    store.addOrganization({ ...(organization as JsonObject), members });
  }
}
