/** How many keys a tenant may have, and the network ACLs whose rules name one. */
import { isList, isObject, unknown } from "../../cty/value";
import type { PlannedChange } from "../../sdk/planned-object";
import type { NetworkAcl } from "../../tenant/network-acls";
import type { Client } from "../client";
import { ifReadable } from "../lookup";

/** As many as a tenant may have. */
export const mostKeys = 10;

/** Ids of the keys that a rule names, `unknown` among them where one is not known yet. */
export function keysIn(rule: unknown): readonly unknown[] {
  if (rule === unknown) return [unknown];
  return isObject(rule) ? [rule.match, rule.not_match].flatMap(keysOfSide) : [];
}

function keysOfSide(criteria: unknown): readonly unknown[] {
  if (criteria === unknown) return [unknown];
  const signature: unknown = isObject(criteria) ? criteria.http_message_signature : undefined;
  if (signature === unknown) return [unknown];
  const keys: unknown = isObject(signature) ? signature.keys : undefined;
  if (keys === unknown) return [unknown];
  return isList(keys) ? keys.map((key) => (isObject(key) ? key.id : key)) : [];
}

/** Those that the tenant has; none where they may not be read. */
export async function usersOf(id: string, client: Client): Promise<NetworkAcl[]> {
  const acls = (await ifReadable(() => client.tenant.networkAcls.list())) ?? [];
  return acls.filter(({ rule }) => keysIn(rule).includes(id));
}

/** Those of the users that name the key after what is planned of ACLs, too; `perhaps`: also where that is not known yet. */
export function usersAfter(
  id: string,
  users: readonly NetworkAcl[],
  changes: readonly PlannedChange[],
  { perhaps = false } = {},
): NetworkAcl[] {
  const changed = new Map(changes.map(({ identity, planned }) => [identity?.id, planned]));
  return users.filter((acl) => {
    if (!changed.has(acl.id)) return true;
    const keys = keysIn(changed.get(acl.id)?.rule);
    return keys.includes(id) || (perhaps && keys.includes(unknown));
  });
}

export function titleOfAcls(acls: readonly Pick<NetworkAcl, "id" | "description">[]): string {
  return acls.map(({ id, description }) => `network ACL ${id} (${JSON.stringify(description)})`).join(" and ");
}
