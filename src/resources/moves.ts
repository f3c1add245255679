/** Reads states of the Go provider for the same service, so that resources can move here. */
import { isObject } from "../cty/value";
import type { Stored } from "../sdk/resource";

/** The written attributes of a block. The Go provider stores "", 0, false or an empty list for the others. */
export function written(block: Stored): Stored {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => !isBlank(value)));
}

function isBlank(value: unknown): boolean {
  return value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

/** The only block of a type. The Go provider stores it as a list of one. */
export function only(blocks: unknown): Stored | undefined {
  const [block]: unknown[] = Array.isArray(blocks) ? blocks : [];
  return isObject(block) ? block : undefined;
}
