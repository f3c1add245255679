/** Converts states of auth0_network_acl_key. */
import type { Stored } from "../../sdk/resource";
import { written } from "../moves";

/** Keeps the material in the state. A configuration with `value_wo` removes it from the state. */
export function movedNetworkAclKey({ value, ...rest }: Stored): Stored {
  return { ...rest, ...written({ value }) };
}
