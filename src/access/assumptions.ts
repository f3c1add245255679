/**
 * Readings: ways to take what the service does not document and what a plan does not know yet. Each open uncertainty is one
 * for all lists at once, before and after a change, so that what did not change reads the same on both sides.
 */

/** What is taken for which uncertainty. A uncertainty that is not in it is not open. */
export type Assumptions = ReadonlyMap<string, string>;

export interface Uncertainty {
  /** Names it in a assumptions. */
  readonly name: string;
  /** The first is what the service most likely does. */
  readonly options: readonly string[];
  /** There are more options than these. */
  readonly partial?: true;
  /** What is taken by an option, in words that go on with "if": "if curated lists …". */
  words(option: string): string;
}

/** Whether a request is kept out by one signal of `not_match` that holds, or by all of them together. */
export const exclusion = "not_match";

/** Whether the two lists of connecting addresses are one signal. */
export const connecting = "connecting";

/** Whether codes and fingerprints are compared with their case. */
export const letterCase = "case";

/** Who is first of those in the same place, by their keys. */
export const precedence = "precedence";

/** Whether what cannot be read holds for all requests or for none. */
export const extent = (piece: string) => `extent of ${piece}`;

export const effect = (piece: string) => `effect of ${piece}`;

export const target = (piece: string) => `target of ${piece}`;

export const position = (key: string) => `place of ${key}`;

/** What stands for a value that a plan does not know; the same for all of one list, whose parts are taken together. */
export const notKnown = (name: string): symbol => Symbol(name);

/** What is asked about: a value that is not known by its name, one of a later version by what is written. */
export function pieceOf(property: string, value: unknown): string {
  return unknownIn(value)?.description ?? `${property} ${JSON.stringify(value)}`;
}

/** The symbol in it, if it is not known in full. */
export function unknownIn(value: unknown): symbol | undefined {
  if (typeof value === "symbol") return value;
  if (typeof value !== "object" || value === null) return undefined;
  for (const part of Object.values(value)) {
    const hidden = unknownIn(part);
    if (hidden) return hidden;
  }
  return undefined;
}
