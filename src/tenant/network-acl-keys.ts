/** Creates, reads and deletes the keys of HTTP message signatures. The service never changes a key. */
import { createOrConflict, findCreated } from "./conflict";
import { isTenantError, unlessGone } from "./error";
import { createProgress, type OtherCalls, type ProgressOptions } from "./gate/progress";
import { getIfExists, type Client } from "./http/client";
import { decoderOf, hasFields, isRecord, listOf, noBody } from "./http/call";
import { segment } from "./id";
import { keepSecret } from "./secrets";
import { createSnapshot, dropping } from "./cursor";

export interface NetworkAclKeyBody {
  name: string;
  alg: string;
  /** Base64. The service never returns it. */
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
  /** All keys, in the service's order. Calls share one request until a write. */
  list(): Promise<NetworkAclKey[]>;
  /** From the list, or by its own request if the list does not have it. undefined: deleted. */
  get(id: string): Promise<NetworkAclKey | undefined>;
  /** `fingerprint` belongs to the value. Throws Conflict if a key has this name. */
  create(body: NetworkAclKeyBody, fingerprint: string, otherCalls?: OtherCalls): Promise<NetworkAclKey>;
  /** Succeeds if the key is deleted already. Throws conflict if a rule still names it after some seconds. */
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
const isKeys = listOf(isKey);
const decodeKey = decoderOf(isKey);
const decodeKeys = (body: unknown) => (isRecord(body) && isKeys(body.keys) ? body.keys : undefined);

const base = "/keys/network-acls";
const pathOf = (id: string) => `${base}/${segment("network ACL key", id)}`;

/** Milliseconds between attempts to delete a key that a rule names. A change of that rule may be under way. */
const pauses = [500, 1_000, 2_000];

export function createNetworkAclKeys(client: Client, options: ProgressOptions): NetworkAclKeys {
  const { clock, signal } = options;
  const progress = createProgress(options);
  /** Keys that this process manages. A create whose response was lost must not adopt them. */
  const managed = new Set<string>();
  const deleted = new Set<string>();
  const fetchAll = () => client.send({ method: "GET", path: base, decoders: { 200: decodeKeys } });
  const snapshot = createSnapshot(async () => new Map((await fetchAll()).body.map((key) => [key.id, key])));

  const create = async (body: NetworkAclKeyBody, fingerprint: string, otherCalls?: OtherCalls) => {
    const { name, alg } = body;
    const isDuplicate = (key: NetworkAclKey) =>
      !managed.has(key.id) && key.name === name && key.alg === alg && key.fingerprint === fingerprint;
    const noun = `network ACL key "${name}"`;
    const confirmation = { what: `created the ${noun}`, find: findCreated(clock, fetchAll, isDuplicate) };
    const call = { method: "POST", path: base, body, decoders: { 201: decodeKey }, confirmation } as const;
    const findExisting = async () => (await fetchAll()).body.find((key) => key.name === name);
    const send = () => progress.during(async () => (await client.send(call)).body);
    return createOrConflict({ noun, managed, deleted, progress, otherCalls, findExisting, isDuplicate }, send);
  };

  const remove = async (path: string) => {
    for (let failures = 0; ; failures++) {
      try {
        return await unlessGone(() => client.send({ method: "DELETE", path, decoders: { 204: noBody } }));
      } catch (error) {
        const pause = pauses[failures];
        if (pause === undefined || !isTenantError(error, "conflict")) throw error;
        await clock.sleep(pause, signal);
      }
    }
  };

  return {
    async list() {
      return [...(await snapshot.read()).values()];
    },
    async get(id) {
      const path = pathOf(id);
      return (await snapshot.read()).get(id) ?? getIfExists(client, path, decodeKey);
    },
    create(body, fingerprint, otherCalls) {
      keepSecret(body.value, body.value.replace(/=+$/, ""));
      return dropping(snapshot, () => create(body, fingerprint, otherCalls));
    },
    async delete(id) {
      const path = pathOf(id);
      await progress.during(async () => {
        await dropping(snapshot, () => remove(path));
        deleted.add(id);
      });
    },
  };
}
