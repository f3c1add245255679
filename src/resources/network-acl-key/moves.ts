/** States of auth0_network_acl_key as ours. */
import type { Stored } from "../../sdk/resource";
import { written } from "../moves";

/** The material stays where it stood: a configuration that has it as `value_wo` takes it out of the state. */
export function movedNetworkAclKey({ value, ...rest }: Stored): Stored {
  return { ...rest, ...written({ value }) };
}
