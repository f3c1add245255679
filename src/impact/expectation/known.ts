/** Tells whether every value of a statement is known. */
import { unknownIn } from "../../access/access";

export const hasUnknown = (statement: object): boolean => unknownIn(statement) !== undefined;

/** The value, or undefined if it is not known yet. */
export const knownOf = <T>(value: T | symbol | undefined): T | undefined =>
  typeof value === "symbol" ? undefined : value;
