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

/** Whether no part of the value is unknown. Any symbol stands for an unknown value. */
export function isWhollyKnown(value: unknown): boolean {
  if (typeof value === "symbol") return false;
  if (isList(value)) return value.every(isWhollyKnown);
  return isObject(value) ? Object.values(value).every(isWhollyKnown) : true;
}

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

/** Whether two values of one type are the same; unknown equals nothing but unknown, sets ignore order. */
export function equal(a: Value, b: Value, type: Type): boolean {
  return canonical(a, type) === canonical(b, type);
}

/** A text that two values of one type share exactly if they are equal. */
function canonical(value: Value, type: Type): string {
  if (value === unknown) return "?";
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return String(value);
  if (!isList(value) && !isObject(value)) return digitsOf(value);
  if (isList(value)) {
    const elements = value.map((element, index) => canonical(element, elementType(type, index)));
    return `[${(isSet(type) ? elements.toSorted() : elements).join()}]`;
  }
  const entries = Object.keys(value).toSorted();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key]!, elementType(type, key))}`).join()}}`;
}

function isSet(type: Type): boolean {
  return typeof type !== "string" && type[0] === "set";
}

/** The type of the element at a key or index. */
export function elementType(type: Type, key: string | number): Type {
  if (typeof type === "string") return "dynamic";
  if (type[0] === "object") return type[1][key] ?? "dynamic";
  if (type[0] === "tuple") return type[1][key as number] ?? "dynamic";
  return type[1];
}
