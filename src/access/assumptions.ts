/**
 * Assumptions about undocumented details of the service and unknown values of a plan. An assumption is the same for all ACLs
 * before and after a change, so an unchanged ACL matches the same requests on both sides.
 */

/** Name of an uncertainty -> the assumed option. */
export type Assumptions = ReadonlyMap<string, string>;

export interface Uncertainty {
  readonly name: string;
  /** The first is the most likely one. */
  readonly options: readonly string[];
  /** Whether there are more options. */
  readonly partial?: true;
  /** The assumption in words that follow "if". */
  words(option: string): string;
}

/** Whether the two properties of connecting addresses are one signal. */
export const connecting = "connecting";

/** Whether codes and fingerprints are case-sensitive. */
export const letterCase = "case";

/** The order of ACLs with equal priorities, by their keys. */
export const precedence = "precedence";

/** Whether an unreadable part matches all requests or none. */
export const extent = (piece: string) => `extent of ${piece}`;

export const effect = (piece: string) => `effect of ${piece}`;

export const target = (piece: string) => `target of ${piece}`;

export const position = (key: string) => `place of ${key}`;

/** Uncertainties about all ACLs, with their documented options. */
export const documentedOptions: Assumptions = new Map([
  [connecting, "one"],
  [letterCase, "exact"],
]);

/** Stands for a value that a plan does not know. All unknown parts of one ACL have the same name. */
export const notKnown = (name: string): symbol => Symbol(name);

/** Names an unreadable part: an unknown value by its name, another one by its JSON. */
export function pieceOf(property: string, value: unknown): string {
  return unknownIn(value)?.description ?? `${property} ${JSON.stringify(value)}`;
}

/** The first unknown part of a value. */
export function unknownIn(value: unknown): symbol | undefined {
  if (typeof value === "symbol") return value;
  if (typeof value !== "object" || value === null) return undefined;
  for (const part of Object.values(value)) {
    const hidden = unknownIn(part);
    if (hidden) return hidden;
  }
  return undefined;
}
