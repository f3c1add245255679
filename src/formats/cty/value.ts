/** Terraform's values: known, null or not known yet, as one type. */
import type { Type } from "./type";

/** A value that is only known during apply. */
export const unknown: unique symbol = Symbol("unknown");
export type Unknown = typeof unknown;

/** A number that neither a double nor a bigint holds exactly, in decimal digits as Terraform sent it. */
export class Decimal {
  constructor(readonly digits: string) {}
}

export type Numeric = number | bigint | Decimal;
export type ObjectValue = { readonly [key: string]: Value };
/** Lists, sets and tuples are arrays; maps and objects are plain objects. Objects hold every attribute, absent ones as null. */
export type Value = Unknown | null | string | boolean | Numeric | readonly Value[] | ObjectValue;

export function isObject(value: unknown): value is ObjectValue {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

/** A judge that must tell unknown values apart gives each a symbol of its own. */
export const notKnown = (name: string): symbol => Symbol(name);

/** Whether the whole value is not known yet, whatever its name. */
export const isUnknown = (value: unknown): value is symbol => typeof value === "symbol";

/** Whether a part of the value is not known yet. */
export const hasUnknown = (value: unknown): boolean =>
  isUnknown(value) || (typeof value === "object" && value !== null && Object.values(value).some(hasUnknown));

/** Text is UTF-8, which has no half of a surrogate pair. Terraform reads U+FFFD in its place. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd");

/** The nearest of the three number forms for decimal digits; exact in every case. */
export function numberFrom(digits: string): Numeric {
  const double = Number(digits);
  if (/^-?\d+$/.test(digits)) return Number.isSafeInteger(double) ? double : BigInt(digits);
  return String(double) === digits ? double : new Decimal(digits);
}

/** Decimal digits of a number. */
export function digitsOf(value: Numeric): string {
  if (value instanceof Decimal) return value.digits;
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** Whether two values of one type are the same; an unknown value equals only one of its name, and sets ignore order. */
export const equal = (a: unknown, b: unknown, type: Order = "dynamic"): boolean =>
  canonical(a, type) === canonical(b, type);

/** The type, or `unordered` if every list is a set. */
type Order = Type | "unordered";

/** A text that two values share exactly if they are equal. For values without unknown parts it is JSON, with sorted names. */
export function canonical(value: unknown, type: Order = "dynamic"): string {
  if (isUnknown(value)) return `?${value.description}`;
  if (value === undefined || value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return String(value);
  const inner = (key: string | number) => (type === "unordered" ? type : elementType(type, key));
  if (isList(value)) {
    const elements = value.map((element, index) => canonical(element, inner(index)));
    return `[${(isSet(type) ? elements.toSorted() : elements).join()}]`;
  }
  if (!isObject(value)) return digitsOf(value as Numeric);
  const entries = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${entries
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key], inner(key))}`)
    .join()}}`;
}

function isSet(type: Order): boolean {
  return typeof type === "string" ? type === "unordered" : type[0] === "set";
}

/** The type of the element at a key or index. */
export function elementType(type: Type, key: string | number): Type {
  if (typeof type === "string") return "dynamic";
  if (type[0] === "object") return type[1][key] ?? "dynamic";
  if (type[0] === "tuple") return type[1][key as number] ?? "dynamic";
  return type[1];
}
