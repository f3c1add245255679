/** Checks of what comes from outside, by the few fields that are relied on. */

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Kinds {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  /** An object that is no list. */
  readonly record: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, keyof Kinds>>;
type Having<F extends Fields> = Kinds["record"] & { readonly [K in keyof F]: Kinds[F[K]] };

/** Whether a value is an object that has all these fields; whatever else it has is no business of ours. */
export function hasFields<const F extends Fields>(value: unknown, fields: F): value is Having<F> {
  if (!isRecord(value)) return false;
  return Object.entries(fields).every(([name, kind]) =>
    kind === "record" ? isRecord(value[name]) : typeof value[name] === kind,
  );
}

/** The JSON in a text; undefined where it holds none. */
export function parseJson(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** For answers that have nothing to say. */
export const noBody = () => true as const;
