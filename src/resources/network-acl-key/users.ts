/** Finds the network ACLs whose rules name a key. */
import { aclsNaming } from "../../impact/network-acl/keys";
import type { PlannedChange } from "../../sdk/plan-registry";
import type { NetworkAcl } from "../../tenant/network-acls";
import type { Client } from "../client";
import { ifReadable } from "../lookup";

/** The most keys that a tenant may have. */
export const mostKeys = 10;

/** The ACLs that the tenant has; none if the token may not read them. */
export async function usersOf(id: string, client: Client): Promise<NetworkAcl[]> {
  return aclsNaming(id, (await ifReadable(() => client.tenant.networkAcls.list())) ?? []);
}

/** The users that still name the key after the planned changes. `perhaps`: also those whose planned rule is not known. */
export function usersAfter(
  id: string,
  users: readonly NetworkAcl[],
  changes: readonly PlannedChange[],
  { perhaps = false } = {},
): Pick<NetworkAcl, "id" | "description">[] {
  const planned = new Map(changes.map((change) => [change.identity?.id, change.planned]));
  const after = users.flatMap((acl) => {
    if (!planned.has(acl.id)) return [acl];
    const rule: unknown = planned.get(acl.id)?.rule;
    return rule === undefined ? [] : [{ ...acl, rule }];
  });
  return aclsNaming(id, after, { orPerhaps: perhaps });
}

export function titleOfAcls(acls: readonly Pick<NetworkAcl, "id" | "description">[]): string {
  return acls.map(({ id, description }) => `network ACL ${id} (${JSON.stringify(description)})`).join(" and ");
}
