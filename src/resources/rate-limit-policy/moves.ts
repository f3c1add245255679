/** States of auth0_rate_limit_policy as ours. */
import type { Stored } from "../../sdk/resource";
import { only, written } from "../moves";

export function movedRateLimitPolicy({ configuration: configurations, ...rest }: Stored): Stored {
  const { action, limit, redirect_uri } = only(configurations) ?? {};
  // A limit of 0 is a limit, but for the action that has none.
  const configuration = { action, ...(action !== "allow" && { limit }), ...written({ redirect_uri }) };
  return { ...rest, configuration };
}
