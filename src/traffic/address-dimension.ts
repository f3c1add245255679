/** Groups addresses by the blocks that contain them. */
import { contains, formatBlock, isAddress, parseBlock, unmapped, type Block } from "../access/access";
import { cached } from "./cached";
import { createClasses, type Dimension, type FactClass, type List } from "./fact-class";
import { ipv4In } from "./ipv4";
import { ipv6In, orderedIpv6 } from "./ipv6";
import type { LoggedRequest } from "./request";

export function addressDimension(
  name: "ip" | "connecting_ip",
  lists: readonly List[],
  value: (request: LoggedRequest) => string | undefined,
): Dimension {
  const create = createClasses();
  const blocks = lists.map((list) => list.map(parseBlock).filter((block) => block !== undefined));
  const [four, six] = ([4, 6] as const).map((family) => rangesOf(blocks, family, name, create)) as [Ranges, Ranges];
  const all = [...four.classes, ...six.classes];
  const candidates = new Map(all.flatMap(({ vector, own }) => [[vector, own.candidates[0]!] as const]));
  const unknown = create(name, candidates);
  const starts = four.starts.map(Number);
  const ordered = six.starts.map(orderedIpv6);
  const known = cached((text) => {
    const parsed = isAddress(text) ? parseBlock(text) : undefined;
    if (!parsed) return unknown;
    const block = unmapped(parsed);
    const { starts: from, classes } = block.family === 4 ? four : six;
    return classes[lastAtMost(from, block.first)]!.own;
  });
  return {
    classOf(request) {
      const text = value(request);
      if (text === undefined) return unknown;
      const number = ipv4In(text);
      if (number !== undefined) return four.classes[lastAtMost(starts, number)]!.own;
      const groups = ipv6In(text);
      return groups === undefined ? known(text) : six.classes[lastAtMost(ordered, groups)]!.own;
    },
  };
}

interface Ranges {
  /** The first address of each range. */
  readonly starts: readonly bigint[];
  readonly classes: readonly { readonly vector: string; readonly own: FactClass }[];
}

/** Splits all addresses of a family where a block begins or ends. */
function rangesOf(
  lists: readonly (readonly Block[])[],
  family: Block["family"],
  name: "ip" | "connecting_ip",
  create: ReturnType<typeof createClasses>,
): Ranges {
  const bits = family === 4 ? 32 : 128;
  const edges = lists.flat().filter((block) => block.family === family);
  const starts = [
    ...new Set([0n, ...edges.flatMap(({ first, length }) => [first, first + (1n << BigInt(bits - length))])]),
  ]
    .filter((start) => start < 1n << BigInt(bits))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const classes = starts.map((first) => {
    const point: Block = { family, first, length: bits };
    const vector = lists.map((list) => (list.some((block) => contains(block, point)) ? 1 : 0)).join("");
    return { vector, own: create(name, new Map([[vector, { [name]: formatBlock(point) }]])) };
  });
  return { starts, classes };
}

function lastAtMost<Address extends number | bigint | string>(starts: readonly Address[], address: Address): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= address) low = middle;
    else high = middle - 1;
  }
  return low;
}
