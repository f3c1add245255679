/** Checks the fields of JSON from outside that the code relies on. */
import { isRecord } from "../../formats/text/record";
import type { Decoder } from "./call";

export { isRecord };

interface Kinds {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  /** An object that is not an array. */
  readonly record: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, keyof Kinds>>;
type Having<F extends Fields> = Kinds["record"] & { readonly [K in keyof F]: Kinds[F[K]] };

/** Whether a value is an object with all these fields. It may have others. */
export function hasFields<const F extends Fields>(value: unknown, fields: F): value is Having<F> {
  if (!isRecord(value)) return false;
  return Object.entries(fields).every(([name, kind]) =>
    kind === "record" ? isRecord(value[name]) : typeof value[name] === kind,
  );
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

export const listOf =
  <T>(isItem: (value: unknown) => value is T) =>
  (value: unknown): value is T[] =>
    Array.isArray(value) && value.every(isItem);

export const decoderOf =
  <T>(isBody: (value: unknown) => value is T): Decoder<T> =>
  (body) =>
    isBody(body) ? body : undefined;

/** Decodes a response without a body. */
export const noBody = () => true as const;
