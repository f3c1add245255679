/** States that the Go provider for the same service has written, as ours: its resources move over without being touched. */
import type { Stored } from "../sdk/resource";

/** In its states a block is a list of one, and what was not written is "", 0, false or an empty list. */
function written(block: Stored): Stored {
  const present = Object.entries(block).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(present);
}

function isBlank(value: unknown): boolean {
  return value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

function only(blocks: readonly Stored[] | null | undefined): Stored | undefined {
  return blocks?.[0] ?? undefined;
}

export function movedNetworkAcl({ id, description, active, priority, rule: rules }: Stored): Stored {
  const { action, match, not_match, scope } = only(rules) ?? {};
  const rule = {
    action: written(only(action) ?? {}),
    ...(only(match) && { match: written(only(match)!) }),
    ...(only(not_match) && { not_match: written(only(not_match)!) }),
    scope,
  };
  return { id, description, active, priority, rule };
}

export function movedRateLimitPolicy({ configuration: configurations, ...rest }: Stored): Stored {
  const { action, limit, redirect_uri } = only(configurations) ?? {};
  // A limit of 0 is a limit, but for the action that has none.
  const configuration = { action, ...(action !== "allow" && { limit }), ...written({ redirect_uri }) };
  return { ...rest, configuration };
}

export function movedMembers({ organization_id, members }: Stored): Stored {
  return { organization_id, members };
}
