/** Converts states of auth0_rate_limit_policy. */
import type { Stored } from "../../sdk/resource";
import { only, written } from "../moves";

export function movedRateLimitPolicy({ configuration: configurations, ...rest }: Stored): Stored {
  const { action, limit, redirect_uri } = only(configurations) ?? {};
  // A limit of 0 is a real limit, except for the action allow, which has none.
  const configuration = { action, ...(action !== "allow" && { limit }), ...written({ redirect_uri }) };
  return { ...rest, configuration };
}
