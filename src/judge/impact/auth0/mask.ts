/**
 * Decides by the path of a value whether it may be shown. Each value of a plan enters a fact through `masked`, and each path through `labelOf`:
 * the marks of both sides count, because a value that one side marks may stand unmarked on the other.
 */
import { clipped, hidden } from "../../../formats/text/lists";
import type { Marks, PlannedObject } from "../model";
import { isMarked, isMarkedWhole } from "../value";

/** Where a value is in an object. */
export interface Place {
  /** The names that lead to it, without indexes. A key of a map may have dots. */
  readonly names: readonly string[];
  /** The marks of both sides of the object. */
  readonly marks: Marks;
}

export const placeIn = ({ beforeSensitive, afterSensitive }: PlannedObject, ...names: readonly string[]): Place => ({
  names,
  marks: [beforeSensitive, afterSensitive],
});

export const below = <P extends Place>(place: P, name: string): P => ({ ...place, names: [...place.names, name] });

/** `options.client_id` */
export const pathOf = ({ names }: Place): string => names.join(".");

/** The path as people may read it: the keys of a map that is marked as a whole are secret too. */
export function labelOf({ names, marks }: Place): string {
  const known = names.findIndex((_, index) => index > 0 && isMarkedWhole(marks, ...names.slice(0, index)));
  return (known < 0 ? names : [...names.slice(0, known), hidden]).map(nameWords).join(".");
}

/** The key of a map is text of a stranger, unless it looks like the name of an attribute. */
const nameWords = (name: string): string =>
  name === hidden || /^[\w*-]{1,60}$/.test(name) ? name : JSON.stringify(clipped(name, 60));

/** The words for the value, unless nobody may see it. */
export const masked = <T>(value: T, place: Place, words: (value: T) => string): string =>
  isHidden(value, place) ? hidden : words(value);

/** A flag tells no secret, unless the plan marks it. */
export const isHidden = (value: unknown, place: Place): boolean =>
  isMarked(place.marks, ...place.names) ||
  (typeof value !== "boolean" && value !== null && value !== undefined && isSecretPath(place.names));

/** Names of secrets that the provider does not mark. */
const secrets =
  /(?:secrets?|_?keys?|connection_string|scripts?)$|^(?:pem|p12|value|sid|configuration|setup|(?:http_)?custom_headers|(?:auth|upstream)_params)$/;

/** Names of secrets that, above other names, only group settings: `refresh_token.rotation_type`. */
const lastSecrets = /(?:password|passwd|token|_pass|code|authorization)$/;
const notSecret = new Set(["consumer_key"]);

function isSecretPath(names: readonly string[]): boolean {
  return names.some((name, index) => {
    const lower = name.toLowerCase();
    if (notSecret.has(lower)) return false;
    return secrets.test(lower) || (index === names.length - 1 && lastSecrets.test(lower));
  });
}
