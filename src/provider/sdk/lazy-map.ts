/** Loads and prepares each part of a provider when it is first needed: a process rarely needs all of them. */
import { DiagnosticError } from "./diagnostic";

/** By name. */
export type Lazy<T> = Readonly<Record<string, () => Promise<T>>>;

export const loadAll = <T>(parts: Lazy<T>): Promise<T[]> => Promise.all(Object.values(parts).map((load) => load()));

/** By the name that Terraform uses. */
export type LazyMap<T> = ReadonlyMap<string, () => Promise<T>>;

export function lazyMap<T, Ready>(parts: Lazy<T>, prepare: (part: T) => Ready, prefix = ""): LazyMap<Ready> {
  return new Map(
    Object.entries(parts).map(([name, load]) => {
      let ready: Promise<Ready> | undefined;
      return [prefix + name, () => (ready ??= load().then(prepare))];
    }),
  );
}

/** The results by name, without the parts for which `select` returns nothing. */
export async function each<T, Selected>(
  parts: LazyMap<T>,
  select: (part: T) => Selected,
): Promise<Record<string, NonNullable<Selected>>> {
  const selected = await Promise.all([...parts].map(async ([name, ready]) => [name, select(await ready())] as const));
  return Object.fromEntries(selected.filter((one): one is [string, NonNullable<Selected>] => one[1] !== undefined));
}

/** Throws a DiagnosticError if the provider has no part of this name. */
export function find<T>(parts: LazyMap<T>, name: string): Promise<T> {
  const ready = parts.get(name);
  if (ready) return ready();
  throw new DiagnosticError(["TNF-UNKNOWN-TYPE", name], `This provider has ${[...parts.keys()].join(", ")}.`);
}
