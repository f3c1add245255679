/** Keys of HTTP message signatures, which rules of network ACLs name: at most ten, made and removed, and never changed. */
import type { Clock } from "./clock";
import { Conflict } from "./conflict";
import { isTenantError, unlessGone } from "./error";
import type { Decoder } from "./http/call";
import type { Client } from "./http/client";
import { hasFields, isRecord, noBody } from "./http/json";
import { segment } from "./id";
import { findCreated } from "./lost-create";
import { keepSecret } from "./secrets";
import { createSnapshot, dropping } from "./snapshot";

export interface NetworkAclKeyBody {
  name: string;
  alg: string;
  /** Base64; never told again. */
  value: string;
}

export interface NetworkAclKey {
  id: string;
  /** Unique in the tenant. */
  name: string;
  alg: string;
  /** SHA-256 of the decoded value, in lower-case hexadecimal. */
  fingerprint: string;
  created_at: string;
  updated_at: string;
}

export interface NetworkAclKeys {
  /** All of them, in the service's order; one request however many ask, until something is written. */
  list(): Promise<NetworkAclKey[]>;
  /** Answered from the list; one that is not in it is asked for by itself. undefined: gone. */
  get(id: string): Promise<NetworkAclKey | undefined>;
  /** `fingerprint`: of the value, by which the key is recognized. Throws Conflict where there is one of this name. */
  create(body: NetworkAclKeyBody, fingerprint: string): Promise<NetworkAclKey>;
  /** One that is gone already counts as done. Throws conflict where a rule names it, also after a while. */
  delete(id: string): Promise<void>;
}

const fields = {
  id: "string",
  name: "string",
  alg: "string",
  fingerprint: "string",
  created_at: "string",
  updated_at: "string",
} as const;

const isKey = (body: unknown): body is NetworkAclKey => hasFields(body, fields);
const decodeKey: Decoder<NetworkAclKey> = (body) => (isKey(body) ? body : undefined);
const decodeKeys: Decoder<NetworkAclKey[]> = (body) => {
  const keys = isRecord(body) ? body.keys : undefined;
  return Array.isArray(keys) && keys.every(isKey) ? keys : undefined;
};

const base = "/keys/network-acls";
const one = (id: string) => `${base}/${segment("network ACL key", id)}`;

/** Milliseconds between tries to remove a key that a rule still names: one that lets go of it may be under way. */
const pauses = [500, 1_000, 2_000];

export function createNetworkAclKeys(
  client: Client,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): NetworkAclKeys {
  /** Ids that this process knows to belong to something: not to be adopted by a create whose answer was lost. */
  const claimed = new Set<string>();

  const fetchAll = () => client.send({ method: "GET", path: base, decoders: { 200: decodeKeys } });
  const snapshot = createSnapshot(async () => new Map((await fetchAll()).body.map((key) => [key.id, key])));

  const post = async (body: NetworkAclKeyBody, fingerprint: string) => {
    const isDuplicate = ({ id, name, alg, fingerprint: its }: NetworkAclKey) =>
      !claimed.has(id) && name === body.name && alg === body.alg && its === fingerprint;
    const confirmation = {
      what: `created the network ACL key "${body.name}"`,
      find: findCreated(clock, fetchAll, isDuplicate),
    };
    try {
      const call = { method: "POST", path: base, body, decoders: { 201: decodeKey }, confirmation } as const;
      return (await client.send(call)).body;
    } catch (error) {
      if (!isTenantError(error, "conflict")) throw error;
      const existing = (await fetchAll()).body.find(({ name }) => name === body.name);
      if (!existing) throw error;
      const identical = isDuplicate(existing);
      claimed.add(existing.id);
      const words = `The tenant has a network ACL key "${body.name}" already: ${existing.id}.`;
      throw new Conflict(words, existing, identical, error);
    }
  };

  return {
    async list() {
      return [...(await snapshot.read()).values()];
    },
    async get(id) {
      const path = one(id);
      const key = (await snapshot.read()).get(id);
      if (key) return key;
      return unlessGone(async () => (await client.send({ method: "GET", path, decoders: { 200: decodeKey } })).body);
    },
    create(body, fingerprint) {
      keepSecret(body.value, body.value.replace(/=+$/, ""));
      return dropping(snapshot, async () => {
        const key = await post(body, fingerprint);
        claimed.add(key.id);
        return key;
      });
    },
    async delete(id) {
      const call = { method: "DELETE", path: one(id), decoders: { 204: noBody } } as const;
      await dropping(snapshot, async () => {
        for (let tried = 0; ; tried++) {
          try {
            return await unlessGone(() => client.send(call));
          } catch (error) {
            const pause = pauses[tried];
            if (pause === undefined || !isTenantError(error, "conflict")) throw error;
            await clock.sleep(pause, signal);
          }
        }
      });
    },
  };
}
