/** Groups combinations of curated lists. */
import { createClasses, type Dimension, type List } from "./fact-class";

/** Most curated lists whose combinations are all tried. */
const mostManaged = 6;

export function managedDimension(lists: readonly List[]): Dimension {
  const create = createClasses();
  const names = [...new Set(lists.flat().map((name) => name.toLowerCase()))];
  const some = names.slice(0, mostManaged);
  const sets = Array.from({ length: 2 ** some.length }, (_, bits) =>
    some.filter((_name, index) => bits & (1 << index)),
  );
  const rest = names.slice(mostManaged).map((name) => [name]);
  const unknown = create("managed", new Map([...sets, ...rest].map((managed) => [`[${managed.join()}]`, { managed }])));
  return { classOf: () => unknown };
}
