/** Reads states of the Go provider for the same service, so that resources can move here. */
import { isObject } from "../cty/value";
import type { Stored } from "../sdk/resource";

/** The only block of a type. The Go provider stores it as a list of one. */
export function only(blocks: unknown): Stored | undefined {
  const [block]: unknown[] = Array.isArray(blocks) ? blocks : [];
  return isObject(block) ? block : undefined;
}
