/**
 * Whether a value may be shown. Plans mark which parts of an object are sensitive. Whoever asks about one side gives its marks to `isMarked`. A
 * place has the marks of both sides, because a value that one side marks may stand unmarked on the other. Each value of a plan enters a fact
 * through `masked`, and each path through `labelOf`.
 */
import { clipped, hidden } from "../../formats/text/lists";
import type { Marks, PlannedObject } from "./model";

/** Whether something at the path, or below it, is marked. Lists are looked through. */
export const isMarked = (marks: Marks, ...path: readonly string[]): boolean => isMarkedAt(marks, path, true);

/** `isBelow`: marks on parts of what is at the path count too. */
function isMarkedAt(marks: Marks, path: readonly string[], isBelow: boolean): boolean {
  if (typeof marks !== "object" || marks === null) return marks === true;
  if (Array.isArray(marks)) return marks.some((part: Marks) => isMarkedAt(part, path, isBelow));
  const object = marks as { readonly [name: string]: Marks };
  const [name, ...rest] = path;
  if (name === undefined) return isBelow && Object.values(object).some((part) => isMarkedAt(part, [], true));
  return Object.hasOwn(object, name) && isMarkedAt(object[name], rest, isBelow);
}

/** Where a value is in an object. */
export interface Place {
  /** The names that lead to it, without indexes. A key of a map may have dots. */
  readonly names: readonly string[];
  /** The marks of both sides of the object. */
  readonly marks: Marks;
}

type Sides = Pick<PlannedObject, "beforeSensitive" | "afterSensitive">;

export const placeIn = ({ beforeSensitive, afterSensitive }: Sides, ...names: readonly string[]): Place => ({
  names,
  marks: [beforeSensitive, afterSensitive],
});

export const below = <P extends Place>(place: P, name: string): P => ({ ...place, names: [...place.names, name] });

/** Whether the plan marks the value, or a part of it. */
export const isSensitive = ({ names, marks }: Place): boolean => isMarkedAt(marks, names, true);

/** Whether the plan marks all of the value by one mark, at it or above, so that even names below are secret. */
export const isWhollySensitive = ({ names, marks }: Place): boolean => isMarkedAt(marks, names, false);

/** `options.client_id` */
export const pathOf = ({ names }: Place): string => names.join(".");

/** The path as people may read it: the keys of a map that is marked as a whole are secret too. */
export function labelOf({ names, marks }: Place): string {
  const known = names.findIndex((_, index) => index > 0 && isMarkedAt(marks, names.slice(0, index), false));
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
  isSensitive(place) ||
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
