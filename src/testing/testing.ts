/** The public entry for unit tests of stacks: matchers for jest and vitest, and functions that throw for other runners. */
export {
  assertBlocked,
  assertLimited,
  assertLogged,
  assertMembers,
  assertNotBlocked,
  assertNotLimited,
  assertNotLogged,
  assertNotMembers,
  assertNotReached,
  assertNotRedirected,
  assertReached,
  assertRedirected,
} from "./assertions";
export { matchers, type TenantMatchers } from "./matchers";
export type { Limit, Members, Requests } from "./requests";
export type { Subject } from "./state";
export type { Except } from "./statement";
