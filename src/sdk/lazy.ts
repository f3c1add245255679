/** The parts of a provider, each loaded and made ready when it is first asked for: a process rarely meets everything. */
import { DiagnosticError } from "./diagnostic";

/** By name. */
export type Lazy<T> = Readonly<Record<string, () => Promise<T>>>;

export const loadAll = <T>(parts: Lazy<T>): Promise<T[]> => Promise.all(Object.values(parts).map((load) => load()));

/** By the name that Terraform uses. */
export type Parts<T> = ReadonlyMap<string, () => Promise<T>>;

export function lazyMap<T, Ready>(parts: Lazy<T>, prepare: (part: T) => Ready, prefix = ""): Parts<Ready> {
  return new Map(
    Object.entries(parts).map(([name, load]) => {
      let ready: Promise<Ready> | undefined;
      return [prefix + name, () => (ready ??= load().then(prepare))];
    }),
  );
}

/** What is to be told of each; a part of which nothing is to be told is left out. */
export async function each<T, Told>(
  parts: Parts<T>,
  tell: (part: T) => Told,
): Promise<Record<string, NonNullable<Told>>> {
  const told = await Promise.all([...parts].map(async ([name, ready]) => [name, tell(await ready())] as const));
  return Object.fromEntries(told.filter((one): one is [string, NonNullable<Told>] => one[1] !== undefined));
}

/** Throws a DiagnosticError for a name that the provider does not have. */
export function find<T>(parts: Parts<T>, name: string): Promise<T> {
  const ready = parts.get(name);
  if (ready) return ready();
  throw new DiagnosticError(`Unknown type ${name}`, `This provider has ${[...parts.keys()].join(", ")}.`);
}
