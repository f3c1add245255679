/** Replaces ids of signature keys in rules by the names of the keys: each tenant gives a key another id. */
import type { Rule } from "../../access/access";
import type { PlannedObject, Values } from "../model";
import { isMarked } from "../value";

/** An id that no planned key has stays. */
export function withKeyNames(keys: readonly PlannedObject[]): <R extends Rule>(rule: R) => R {
  const names = new Map<string, string>();
  for (const { before, after, beforeSensitive, afterSensitive } of keys) {
    for (const [values, marks] of [
      [before, beforeSensitive],
      [after, afterSensitive],
    ] as const) {
      const { id, name } = values ?? {};
      if (typeof id === "string" && typeof name === "string" && !isMarked(marks, "name")) names.set(id, name);
    }
  }
  return (rule) => (names.size === 0 ? rule : named(rule, names));
}

function named<R extends Rule>(rule: R, names: ReadonlyMap<string, string>): R {
  const sides = Object.entries({ match: rule.match, not_match: rule.not_match }).flatMap(([side, criteria]) => {
    const signature = criteria?.["http_message_signature"];
    const keys = isValues(signature) ? signature["keys"] : undefined;
    if (!criteria || !isValues(signature) || !Array.isArray(keys)) return [];
    const renamed = (keys as unknown[]).map((key) => {
      const name = isValues(key) && typeof key["id"] === "string" ? names.get(key["id"]) : undefined;
      return name === undefined ? key : { ...(key as Values), id: `key ${JSON.stringify(name)}` };
    });
    return [[side, { ...criteria, http_message_signature: { ...signature, keys: renamed } }] as const];
  });
  return sides.length === 0 ? rule : { ...rule, ...Object.fromEntries(sides) };
}

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
