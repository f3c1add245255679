/** Finds things that claim what a tenant has only once. */

/** Groups of two or more with the same key. An undefined key claims nothing. */
export function sharing<T>(things: readonly T[], keyOf: (thing: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), thing]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}
