/** Whether something that stands on the tenant is what we have sent. */
import type { Clock } from "./clock";
import type { Confirmation, Reply } from "./http/call";

/** Allowance for clocks that are told in whole seconds. */
const slack = 2_000;

/**
 * Whether something created at `createdAt`, seen when the service's clock said `at`, can stem from an attempt begun
 * `elapsed` milliseconds before. Both times are the service's, so that our clock may be wrong.
 */
export function isRecent(createdAt: string, at: number, elapsed: number): boolean {
  return at - Date.parse(createdAt) <= elapsed + slack;
}

/** What a create has made whose answer was lost: among all that `fetch` tells, one that is ours and not older than the create. */
export function findCreated<T extends { readonly created_at: string }>(
  clock: Pick<Clock, "now">,
  fetch: () => Promise<Reply<readonly T[]>>,
  isOurs: (one: T) => boolean,
): Confirmation<T>["find"] {
  return async (since) => {
    const { body, at } = await fetch();
    const elapsed = clock.now() - since;
    return body.find((one) => isRecent(one.created_at, at, elapsed) && isOurs(one));
  };
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => sameJson(one[name], other[name]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
