/**
 * Describes a set of requests by few cases. A case is a cube of facts with a region of countries and addresses: "user agent curl, from
 * Germany". The cases of a description together are exactly the set: each lies in it, and none of its requests is missing.
 *
 * A description has a _plain_ region: the requests whose other facts no rule names. What the set has beyond that region are its further
 * cases, and what it lacks of that region are its exceptions. For example, the set of requests that a block of Germany newly blocks, behind
 * an allow of one user agent, has the plain region Germany, no further case, and one exception: that user agent.
 */
import { has, Undecided, type Bits } from "./field";
import type { World } from "./reach";
import { branch, regionOf, type Leaf, type Node } from "./walk";

/** Field -> the classes of its values. */
export type Cube = ReadonlyMap<number, Bits>;

export interface Case {
  readonly cube: Cube;
  readonly region: Bits;
  /** Whether the region is the plain region (of an exception), or everything (of a further case), as far as the cube permits. */
  readonly isWhole: boolean;
}

export interface Description {
  readonly plain: Bits;
  readonly further: readonly Case[];
  readonly exceptions: readonly Case[];
}

/** The regions of one set, at each leaf of a walk. */
interface SetLeaf {
  readonly kind: "leaf";
  readonly region: Bits;
  readonly feasible: Bits;
}

type SetNode = SetLeaf | { readonly kind: "branch"; readonly field: number; readonly arms: readonly Arm[] };

interface Arm {
  readonly classes: Bits;
  readonly node: SetNode;
}

/** A set of more cases, or in more parts, is not described. */
const mostCases = 1_000;
const mostParts = 10_000;

/** The set of the requests with these kinds of ends. Throws Undecided if it has too many cases. */
export function describe(root: Node, kinds: ReadonlySet<number>, world: World): Description {
  const set = setOf(root, kinds);
  const plain = plainLeaf(set).region;
  const whole = regionOf(world, world.fields[world.country]!.whole, world.fields[world.ip]!.whole);
  const found: { readonly cube: Cube; readonly leaf: SetLeaf }[] = [];
  for (const { cube, leaf } of leavesUnder(set, new Map())) {
    if (found.length >= mostParts) throw new Undecided();
    const own = throughAny(cube, world);
    if (own) found.push({ cube: own, leaf });
  }
  const missing = found.flatMap(({ cube, leaf }) => {
    const region = plain & leaf.feasible & ~leaf.region;
    return region === 0n ? [] : [{ cube, region }];
  });
  const extra = found.flatMap(({ cube, leaf }) =>
    (leaf.region & ~plain) === 0n ? [] : [{ cube, region: leaf.region }],
  );
  const describeCases = (cases: readonly Element[], kind: "missing" | "extra") =>
    primesOf(cases, set, (leaf, region) =>
      kind === "extra" ? (region & leaf.feasible & ~leaf.region) === 0n : (region & leaf.feasible & leaf.region) === 0n,
    ).map(({ cube, region }) => {
      const feasible = feasibleIn(set, cube);
      return { cube, region, isWhole: ((kind === "extra" ? whole : plain) & feasible & ~region) === 0n };
    });
  return { plain, further: describeCases(extra, "extra"), exceptions: describeCases(missing, "missing") };
}

/** Requests that come directly are among those with their connecting address. Undefined: all of them do. */
function throughAny(cube: Cube, { connecting }: World): Cube | undefined {
  const bits = connecting && cube.get(connecting.field);
  if (bits === undefined) return cube;
  return bits === 1n ? undefined : new Map([...cube, [connecting!.field, bits & ~1n]]);
}

/** The requests with these kinds of ends whose facts no rule names. */
export const plainRegion = (root: Node, kinds: ReadonlySet<number>): Bits => plainLeaf(setOf(root, kinds)).region;

interface Element {
  readonly cube: Cube;
  readonly region: Bits;
}

/** The tree with only the requests of the set. Equal parts become one. */
function setOf(root: Node, kinds: ReadonlySet<number>): SetNode {
  const leaves = new Map<string, SetLeaf>();
  const made = new Map<Node, SetNode>();
  const branches = new Map<string, SetNode>();
  const ids = new Map<SetNode, number>();
  const idOf = (node: SetNode) => {
    if (!ids.has(node)) ids.set(node, ids.size);
    return ids.get(node)!;
  };
  const leafFor = ({ regions, feasible }: Leaf): SetLeaf => {
    let region = 0n;
    for (const [kind, bits] of regions) if (kinds.has(kind)) region |= bits;
    const key = `${region} ${feasible}`;
    const leaf = leaves.get(key) ?? { kind: "leaf", region, feasible };
    leaves.set(key, leaf);
    return leaf;
  };
  const convert = (node: Node): SetNode => {
    const known = made.get(node);
    if (known) return known;
    let result: SetNode;
    if (node.kind === "leaf") result = leafFor(node);
    else {
      const arms = node.arms.map((arm) => ({ classes: arm.classes, node: convert(arm.node) }));
      const joined = branch<SetNode>(node.field, arms);
      const key =
        joined.kind === "leaf"
          ? `leaf ${idOf(joined)}`
          : `${joined.field} ${joined.arms.map((arm) => `${arm.classes}:${idOf(arm.node)}`).join()}`;
      result = branches.get(key) ?? joined;
      branches.set(key, result);
    }
    made.set(node, result);
    return result;
  };
  return convert(root);
}

/** The leaf of the requests whose facts no rule names. */
function plainLeaf(node: SetNode): SetLeaf {
  if (node.kind === "leaf") return node;
  return plainLeaf(node.arms.find(({ classes }) => has(classes, 0))!.node);
}

/** The leaves that requests of the cube reach, each with the part of the cube that does. */
function* leavesUnder(node: SetNode, cube: Cube): Generator<{ readonly cube: Cube; readonly leaf: SetLeaf }> {
  if (node.kind === "leaf") {
    yield { cube, leaf: node };
    return;
  }
  const allowed = cube.get(node.field);
  for (const { classes, node: next } of node.arms) {
    const own = allowed === undefined ? classes : classes & allowed;
    if (own !== 0n) yield* leavesUnder(next, new Map([...cube, [node.field, own]]));
  }
}

function feasibleIn(node: SetNode, cube: Cube): Bits {
  let feasible = 0n;
  everyLeaf(node, cube, (leaf) => {
    feasible |= leaf.feasible;
    return true;
  });
  return feasible;
}

/** The elements in the fewest and largest cubes that `fits` permits at each of their leaves. */
function primesOf(
  elements: readonly Element[],
  set: SetNode,
  fits: (leaf: SetLeaf, region: Bits) => boolean,
): Element[] {
  if (elements.length > mostCases) throw new Undecided();
  const primes: Element[] = [];
  const ordered = elements.toSorted((one, other) => one.cube.size - other.cube.size);
  for (const element of ordered) {
    if (primes.some((prime) => includes(prime, element))) continue;
    primes.push(enlarged(element, set, fits));
  }
  return irredundant(primes, elements);
}

/** Leaves out each prime of which others include every element. */
function irredundant(primes: readonly Element[], elements: readonly Element[]): Element[] {
  const held = primes.map((prime) => elements.flatMap((element, at) => (includes(prime, element) ? at : [])));
  const counts = elements.map(() => 0);
  for (const own of held) for (const at of own) counts[at]!++;
  return primes.filter((_, index) => {
    const isNeeded = held[index]!.some((at) => counts[at] === 1);
    if (!isNeeded) for (const at of held[index]!) counts[at]!--;
    return isNeeded;
  });
}

const includes = (large: Element, small: Element): boolean =>
  (small.region & ~large.region) === 0n &&
  [...large.cube].every(([field, bits]) => {
    const own = small.cube.get(field);
    return own !== undefined && (own & ~bits) === 0n;
  });

/** Drops each restriction without which all requests still fit, first those that say what a fact is not. */
function enlarged({ cube, region }: Element, set: SetNode, fits: (leaf: SetLeaf, region: Bits) => boolean): Element {
  const negative = [...cube].toSorted(([, one], [, other]) => Number(has(other, 0)) - Number(has(one, 0)));
  let own = cube;
  for (const [field] of negative) {
    const wider = new Map([...own].filter(([name]) => name !== field));
    if (everyLeaf(set, wider, (leaf) => fits(leaf, region))) own = wider;
  }
  return { cube: own, region };
}

function everyLeaf(node: SetNode, cube: Cube, test: (leaf: SetLeaf) => boolean): boolean {
  const seen = new Set<SetNode>();
  const visit = (one: SetNode): boolean => {
    if (seen.has(one)) return true;
    seen.add(one);
    if (one.kind === "leaf") return test(one);
    const allowed = cube.get(one.field);
    return one.arms.every(
      ({ classes, node: next }) => (allowed !== undefined && (classes & allowed) === 0n) || visit(next),
    );
  };
  return visit(node);
}
