/** What several copies of this package, as a monorepo may have them, know of one program together. */

/**
 * The map of this name, which all copies in the process share. Their classes differ, so nothing in it is compared by class. Values are plain
 * data and functions.
 */
export function sharedMap<Key extends object, Value>(name: string): WeakMap<Key, Value> {
  const key = Symbol.for(`tenantform/${name}`);
  const known = globalThis as { [key: symbol]: WeakMap<Key, Value> | undefined };
  return (known[key] ??= new WeakMap());
}
