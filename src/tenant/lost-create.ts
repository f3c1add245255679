/** Finds the object of a create whose response was lost. */
import type { Clock } from "./clock";
import type { Confirmation, Reply } from "./http/call";
import { isRecord } from "./http/json";

/** The service rounds times to seconds. */
const tolerance = 2_000;

/**
 * Whether an object may come from an attempt that began `elapsed` milliseconds before. `createdAt` and `at` are both times of
 * the service's clock, so an error of the local clock does not matter.
 */
export function isRecent(createdAt: string, at: number, elapsed: number): boolean {
  return at - Date.parse(createdAt) <= elapsed + tolerance;
}

/** The first object of `fetch` that equals the created one and is not older than the create. */
export function findCreated<T extends { readonly created_at: string }>(
  clock: Pick<Clock, "now">,
  fetch: () => Promise<Reply<readonly T[]>>,
  isDuplicate: (existing: T) => boolean,
): Confirmation<T>["find"] {
  return async (since) => {
    const { body, at } = await fetch();
    const elapsed = clock.now() - since;
    return body.find((existing) => isRecent(existing.created_at, at, elapsed) && isDuplicate(existing));
  };
}

/** Whether two JSON values are equal. The order of keys does not matter. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => sameJson(one[name], other[name]));
}
