/** The keys with which rules verify HTTP message signatures: /keys/network-acls and /keys/network-acls/{id}. */
import { createHash } from "node:crypto";
import { invalidBody } from "../http/body";
import { atMost, type Call, type Operation } from "../http/operation";
import { ServiceError } from "../http/response";
import { exactly, listOf, millisTime, oneOf, seedOf, text } from "../schema";
import { networkAclKeyId } from "../state/identity";
import type { Kind } from "../state/store";
import { withMillis } from "../state/time";
import { collection } from "./collection";
import type { Match } from "./network-acl-rule";
import { networkAclKind } from "./network-acls";

export interface NetworkAclKey {
  readonly id: string;
  readonly name: string;
  readonly alg: string;
  /** SHA-256 of the key's bytes, in hexadecimal. */
  readonly fingerprint: string;
  /** The key's bytes as base64. A key from a snapshot has none, and verifies no signature. */
  readonly value?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

type Content = Pick<NetworkAclKey, "name" | "alg"> & { readonly value: string };

const [shortest, longest] = [32, 512];

const contentSchema = exactly({
  name: { type: "string", minLength: 1, maxLength: 255 },
  alg: oneOf("hmac-sha256"),
  value: { type: "string", writeOnly: true },
});
const keyShape = exactly({
  id: { type: "string", pattern: "^key_[1-9A-HJ-NP-Za-km-z]{22}$" },
  name: text,
  alg: text,
  fingerprint: { type: "string", pattern: "^[0-9a-f]{64}$" },
  created_at: millisTime,
  updated_at: millisTime,
});

/** The bytes of a key; undefined for text that is not base64, and for keys that are too short or too long. */
export function bytesOf(value: string): Buffer | undefined {
  const bare = value.replace(/={1,2}$/, "");
  const isPadded = bare === value || value.length % 4 === 0;
  if (!/^[A-Za-z0-9+/]+$/.test(bare) || bare.length % 4 === 1 || !isPadded) return undefined;
  const bytes = Buffer.from(bare, "base64");
  return bytes.length >= shortest && bytes.length <= longest ? bytes : undefined;
}

export const networkAclKeyKind: Kind<"network_acl_keys", NetworkAclKey> = {
  name: "network_acl_keys",
  idOf: ({ id }) => id,
  seed: seedOf(contentSchema, ["name"], "fingerprint"),
  complete({ name = "", alg = "hmac-sha256", value, ...given }, { clock, random }) {
    const bytes = value === undefined ? undefined : bytesOf(value);
    const fingerprint = bytes ? createHash("sha256").update(bytes).digest("hex") : given.fingerprint;
    if (fingerprint === undefined) throw new Error("a key needs a value: base64 of 32 to 512 bytes");
    const instant = given.created_at ?? withMillis(clock());
    const times = { created_at: instant, updated_at: given.updated_at ?? instant };
    return { id: given.id ?? networkAclKeyId(random), name, alg, fingerprint, ...(value && { value }), ...times };
  },
};

/** The ids of the network ACLs whose rules name a key. */
function aclsWith({ tenant, id }: Call): string[] {
  const names = (match: Match = {}) => {
    const signature = match.http_message_signature as { readonly keys: readonly { readonly id: string }[] } | undefined;
    return signature?.keys.some((key) => key.id === id) ?? false;
  };
  const acls = tenant.store.of(networkAclKind).values();
  return acls.filter(({ rule }) => names(rule.match) || names(rule.not_match)).map((acl) => acl.id);
}

function withoutValue(key: NetworkAclKey) {
  const { value: _, ...shown } = key;
  return shown;
}

const { list, create, read, remove } = collection({
  kind: networkAclKeyKind,
  path: "/keys/network-acls",
  noun: "network ACL key",
  flag: "tenant_acl_hmac_signature",
  id: atMost(36),
  // Assumption: the message for a network ACL key that does not exist.
  notFound: ["The network ACL key does not exist."],
  shape: keyShape,
  show: withoutValue,
  nameOf: ({ name }) => name,
  // Assumption: the messages for a key with wrong bytes, with a taken name, and for a tenant that has ten keys.
  unique: {
    key: ({ name }) => name,
    taken: ({ id }) => new ServiceError(409, `A network ACL key with this name already exists: ${id}.`),
  },
  most: 10,
});

export const networkAclKeys: readonly Operation[] = [
  list({
    response: exactly({ keys: listOf(keyShape) }),
    handle: ({ tenant }) => ({ keys: tenant.store.of(networkAclKeyKind).values().map(withoutValue) }),
  }),
  create<Content>(contentSchema, ({ tenant: { store }, body }) => {
    if (!bytesOf(body.value)) {
      throw invalidBody("Payload validation error: 'Expected base64 of 32 to 512 bytes' on property value.");
    }
    return networkAclKeyKind.complete(body, store);
  }),
  read(),
  remove(
    { refusals: [404, 409] },
    {
      check(call) {
        const acls = aclsWith(call);
        if (acls.length > 0) throw new ServiceError(409, `The key is in use by network ACLs: ${acls.join(", ")}.`);
      },
    },
  ),
];
