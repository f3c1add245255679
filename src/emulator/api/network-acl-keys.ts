/** The keys of HTTP message signatures that rules of network ACLs name: /keys/network-acls and /keys/network-acls/{id}. */
import { createHash } from "node:crypto";
import { ServiceError } from "../http/response";
import { invalidBody } from "../http/body";
import { api, atMost, operation, type Call, type Family } from "../http/operation";
import type { Schema } from "../schema/schema";
import { exactly, listOf, millisTime, text } from "../schema/shape";
import { networkAclKeyId } from "../state/identity";
import type { Kind } from "../state/kind";
import { withMillis } from "../state/time";
import type { Match } from "./network-acl-rule";
import { networkAclKind } from "./network-acls";

export interface NetworkAclKey {
  readonly id: string;
  readonly name: string;
  readonly alg: string;
  /** SHA-256 of the material, in hexadecimal. */
  readonly fingerprint: string;
  /** The material as base64; one out of a snapshot has none, and verifies no signature. */
  readonly value?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

type Content = Pick<NetworkAclKey, "name" | "alg"> & { readonly value: string };

const most = 10;
const [shortest, longest] = [32, 512];

const contentSchema: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "alg", "value"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 255 },
    alg: { type: "string", enum: ["hmac-sha256"] },
    value: { type: "string", writeOnly: true, description: "Base64, padded or not, of 32 to 512 bytes." },
  },
};
const keyShape = exactly({
  id: { type: "string", pattern: "^key_[1-9A-HJ-NP-Za-km-z]{22}$" },
  name: text,
  alg: text,
  fingerprint: { type: "string", pattern: "^[0-9a-f]{64}$" },
  created_at: millisTime,
  updated_at: millisTime,
});
const listShape = exactly({ keys: listOf(keyShape) });

/** The bytes of a key; undefined for what is no base64 of a length that is taken. */
export function materialOf(value: string): Buffer | undefined {
  const bare = value.replace(/={1,2}$/, "");
  const isPadded = bare === value || value.length % 4 === 0;
  const bytes = /^[A-Za-z0-9+/]+$/.test(bare) && bare.length % 4 !== 1 && isPadded ? Buffer.from(bare, "base64") : [];
  return bytes.length >= shortest && bytes.length <= longest ? Buffer.from(bytes) : undefined;
}

const fingerprintOf = (material: Buffer) => createHash("sha256").update(material).digest("hex");

export const networkAclKeyKind: Kind<"network_acl_keys", NetworkAclKey> = {
  name: "network_acl_keys",
  idOf: ({ id }) => id,
  seed: {
    ...contentSchema,
    required: ["name"],
    properties: { ...contentSchema.properties, id: text, fingerprint: text, created_at: text, updated_at: text },
  },
  complete({ name = "", alg = "hmac-sha256", value, ...given }, { clock, random }) {
    const material = value === undefined ? undefined : materialOf(value);
    const fingerprint = material ? fingerprintOf(material) : given.fingerprint;
    if (fingerprint === undefined) throw new Error("value is base64 of 32 to 512 bytes; a key needs one");
    const moment = given.created_at ?? withMillis(clock());
    const times = { created_at: moment, updated_at: given.updated_at ?? moment };
    return { id: given.id ?? networkAclKeyId(random), name, alg, fingerprint, ...(value && { value }), ...times };
  },
  secrets: ["value"],
};

const shown = ({ id, name, alg, fingerprint, created_at, updated_at }: NetworkAclKey) => ({
  id,
  name,
  alg,
  fingerprint,
  created_at,
  updated_at,
});

// A choice: the words are not known.
function find({ tenant, id }: Call): NetworkAclKey {
  const key = tenant.store.of(networkAclKeyKind).get(id);
  if (!key) throw new ServiceError(404, "The network ACL key does not exist.");
  return key;
}

/** The network ACLs whose rules name a key. */
function usersOf({ tenant, id }: Call): string[] {
  const names = (criteria: Match = {}) => {
    const signature = criteria.http_message_signature as
      { readonly keys: readonly { readonly id: string }[] } | undefined;
    return signature?.keys.some((key) => key.id === id) ?? false;
  };
  const acls = tenant.store.of(networkAclKind).values();
  return acls.filter(({ rule }) => names(rule.match) || names(rule.not_match)).map((acl) => acl.id);
}

const flag = "tenant_acl_hmac_signature";
const all = { path: api("/keys/network-acls"), flag } as const;
const one = { path: api("/keys/network-acls/{id}"), id: atMost(36), flag, refusals: [404] } as const;

export const networkAclKeys: Family = {
  schemas: { NetworkAclKey: keyShape, NetworkAclKeyContent: contentSchema },
  operations: [
    operation({
      ...all,
      method: "GET",
      summary: "List the keys of HTTP message signatures",
      scope: "read:network_acl_keys",
      success: 200,
      answer: listShape,
      handle: ({ tenant }) => ({ keys: tenant.store.of(networkAclKeyKind).values().map(shown) }),
    }),
    operation<Content>({
      ...all,
      method: "POST",
      summary: "Create a key of HTTP message signatures",
      scope: "create:network_acl_keys",
      body: contentSchema,
      success: 201,
      answer: keyShape,
      refusals: [409],
      handle({ tenant: { store }, body, changed }) {
        // A choice, as the next two: in which words. What was sent is secret, and not among them.
        if (!materialOf(body.value)) {
          throw invalidBody("Payload validation error: 'Expected base64 of 32 to 512 bytes' on property value.");
        }
        const keys = store.of(networkAclKeyKind);
        const same = keys.values().find(({ name }) => name === body.name);
        if (same) throw new ServiceError(409, `A network ACL key with this name already exists: ${same.id}.`);
        if (keys.size >= most) {
          const problem = "You reached the limit of entities of this type for this tenant.";
          throw new ServiceError(403, problem, "too_many_entities");
        }
        const key = keys.put(networkAclKeyKind.complete(body, store));
        changed(`created network ACL key ${key.id} (${key.name})`);
        return shown(key);
      },
    }),
    operation({
      ...one,
      method: "GET",
      summary: "Read a key of HTTP message signatures",
      scope: "read:network_acl_keys",
      success: 200,
      answer: keyShape,
      handle: (call) => shown(find(call)),
    }),
    operation({
      ...one,
      method: "DELETE",
      summary: "Delete a key of HTTP message signatures",
      scope: "delete:network_acl_keys",
      success: 204,
      refusals: [404, 409],
      handle(call) {
        const { id, name } = find(call);
        const users = usersOf(call);
        if (users.length > 0) throw new ServiceError(409, `The key is in use by network ACLs: ${users.join(", ")}.`);
        call.tenant.store.of(networkAclKeyKind).drop(id);
        call.changed(`deleted network ACL key ${id} (${name})`);
      },
    }),
  ],
};
