/** Network ACLs to and from the service's form: the attributes carry the service's names, so what is written is what is sent. */
import type { Computed, Config, Planned, State } from "../../sdk/definition";
import type { NetworkAcl, NetworkAclBody, NetworkAclRule } from "../../tenant/network-acls";
import type { networkAcl } from "./definition";

type Definition = typeof networkAcl;

export function toWire({ description, active, priority, rule }: Config<Definition>): NetworkAclBody {
  // The definition lets no flag be false.
  return { description, active, priority, rule: rule as NetworkAclRule };
}

/** The state drops fields that this version does not know. */
export function fromWire(acl: NetworkAcl): State<Definition> {
  return acl as State<Definition>;
}

export function computedOf({
  id,
  created_at,
  updated_at,
}: Pick<NetworkAcl, "id" | "created_at" | "updated_at">): Computed<Definition> {
  return { id, created_at, updated_at };
}

export function contentOf({ description, active, priority, rule }: Planned<Definition>) {
  return { description, active, priority, rule };
}
