/** States of auth0_network_acl as ours. */
import type { Stored } from "../../sdk/resource";
import { only, written } from "../moves";

export function movedNetworkAcl({ id, description, active, priority, rule: rules }: Stored): Stored {
  const { action, match, not_match, match_all, scope } = only(rules) ?? {};
  const sides = Object.entries({ match: only(match), not_match: only(not_match) });
  const rule = {
    action: written(only(action) ?? {}),
    ...Object.fromEntries(sides.flatMap(([side, criteria]) => (criteria ? [[side, written(criteria)]] : []))),
    ...written({ match_all }),
    scope,
  };
  return { id, description, active, priority, rule };
}
