/** What the states of the Go provider for the same service have in common: its resources move over without being touched. */
import { isObject } from "../cty/value";
import type { Stored } from "../sdk/resource";

/** What was written of a block: what was not is "", 0, false or an empty list there. */
export function written(block: Stored): Stored {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => !isBlank(value)));
}

function isBlank(value: unknown): boolean {
  return value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

/** The one block of a kind, which is a list of one there. */
export function only(blocks: unknown): Stored | undefined {
  const [block]: unknown[] = Array.isArray(blocks) ? blocks : [];
  return isObject(block) ? block : undefined;
}
