/** Converts keys to and from the form of the service, which never returns the material. */
import type { Computed, Config, State } from "../../sdk/definition";
import type { NetworkAclKey, NetworkAclKeyBody } from "../../tenant/network-acl-keys";
import type { networkAclKey } from "./definition";
import { derivedName, digits } from "./material";

type Definition = typeof networkAclKey;

export function toWire({ name, alg, value_wo, value = value_wo }: Config<Definition>): NetworkAclKeyBody {
  // The definition derives a missing name, and refuses a missing value.
  return { name: name!, alg, value: value! };
}

/** Keeps attributes that the service does not have. After an import, a name that looks derived counts as derived. */
export function fromWire(key: NetworkAclKey, known: Partial<State<Definition>>): State<Definition> {
  const { name_prefix, value = undefined } = known.name === undefined ? { name_prefix: derivedPrefix(key) } : known;
  return { ...key, name_prefix, value };
}

/** The prefix of a name that looks derived. */
export function derivedPrefix({ name, fingerprint }: Pick<NetworkAclKey, "name" | "fingerprint">): string | undefined {
  const prefix = name.slice(0, -digits);
  return prefix !== "" && name === derivedName(prefix, fingerprint) ? prefix : undefined;
}

export function computedOf({ id, fingerprint, created_at, updated_at }: Computed<Definition>): Computed<Definition> {
  return { id, fingerprint, created_at, updated_at };
}
