/** Tells the tenants of states apart. */
import type { Account, Accounts } from "../sdk/resource";
import type { Client } from "./client";
import type { Environment } from "./provider-block/connection";
import { hostOf, rootOf } from "./provider-block/root";

const variable = "TENANT_EXPECT_NEW";

export function accountsOf(environment: Environment): Accounts<Client> {
  const known = ({ tenant, site }: Client): Account | undefined => {
    const id = tenant.identity();
    if (id === undefined) return undefined;
    return { id, name: id === site ? id : `${id} (${site})` };
  };
  return {
    known,
    async current(client) {
      const found = known(client);
      if (found) return found;
      await client.tenant.authorize();
      return known(client);
    },
    stay: ({ tenant }) => tenant.stay(),
    isExpected({ site }, { id }) {
      const expected = environment[variable]?.trim();
      if (!expected) return false;
      const root = rootOf({ domain: expected });
      return expected === id || (root !== undefined && [id, site].includes(hostOf(root)));
    },
    remedy: ({ id }) =>
      "To use this state for a restored copy or a renamed tenant, run the plan once with " +
      `${variable}=${id}. To manage both tenants, give each a state of its own (another workspace or backend key). ` +
      `Otherwise correct domain, endpoint or TENANT_DOMAIN.${id.startsWith("embedded-") ? embedded : ""}`,
  };
}

const embedded =
  " An embedded tenant is a new one at each start, unless `tenantform emulate --data FILE` keeps it in a file.";
