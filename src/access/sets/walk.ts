/**
 * Walks through all requests to one API, and says what happens to each. It goes from field to field and follows, for each class of values,
 * the boxes that can still match. Requests with the same boxes left share the rest of the walk, so the work is small although the requests
 * are many. The result is a tree: each branch is a field, each leaf has the requests that only differ in country and address.
 */
import { flagOf } from "../action";
import type { Acl } from "../decide";
import type { Api } from "../request";
import { entriesOf, possibleEnds, type End, type Ends, type Entry } from "./ends";
import { has, indexesIn, Undecided, type Bits } from "./field";
import type { World } from "./reach";
import type { Box, Condition, Way } from "./way";

/** Sets of pairs of country and address: bit `country * addresses + address`. */
export interface Leaf {
  readonly kind: "leaf";
  /** Kind of ends -> requests. */
  readonly regions: ReadonlyMap<number, Bits>;
  /** The pairs that are possible, because a region lies in one country. */
  readonly feasible: Bits;
}

export interface Branch {
  readonly kind: "branch";
  readonly field: number;
  readonly arms: readonly { readonly classes: Bits; readonly node: Node }[];
}

export type Node = Leaf | Branch;

export interface Walk<A extends Acl> {
  readonly root: Node;
  /** By the number of the kind of ends. */
  readonly ends: readonly Ends<A>[];
}

interface Piece<A extends Acl> extends Way {
  readonly entry: Entry<A>;
  /** The last field that the box restricts. */
  readonly last: number;
}

export interface WalkOptions {
  /** Whether it matters which ACL logs a request. */
  readonly withLogs?: boolean;
  /** Requests outside of these boxes are left out. */
  readonly within?: readonly Box[];
  readonly except?: readonly Box[];
  readonly steps?: number;
}

/** A walk through ten ACLs of twenty signals takes some thousand steps. */
const mostSteps = 200_000;

/** Throws Undecided if the walk takes too long. */
export function walk<A extends Acl>(
  versions: readonly [before: readonly A[], after: readonly A[]],
  api: Api,
  world: World,
  { withLogs = false, within, except = [], steps = mostSteps }: WalkOptions = {},
): Walk<A> {
  const { fields } = world;
  const pieces = versions.flatMap((acls, side) => piecesOf(acls, side as 0 | 1, api, world, withLogs));
  const kinds = new Map<string, number>();
  const ends: Ends<A>[] = [];
  const numberOf = new Map(versions.flat().map((acl, index) => [acl, index]));
  const kindOf = (one: Ends<A>): number => {
    const sideOf = ({ acl, log, outcome, redirect_uri: uri }: End<A>) => [
      acl && numberOf.get(acl),
      log && numberOf.get(log),
      outcome,
      uri,
    ];
    const key = JSON.stringify([
      sideOf(one.before),
      sideOf(one.after),
      one.isCertain,
      one.doubted.map((acl) => numberOf.get(acl)),
    ]);
    const known = kinds.get(key) ?? ends.length;
    kinds.set(key, known);
    if (known === ends.length) ends.push(one);
    return known;
  };
  let left = steps;
  const memo = new Map<string, unknown>();
  const remembered = <T>(key: string, make: () => T): T => {
    const known = memo.get(key) as T | undefined;
    if (known !== undefined) return known;
    if (left-- <= 0) throw new Undecided();
    const made = make();
    memo.set(key, made);
    return made;
  };
  const limits = [...(within ?? []), ...except];
  const restOf = (alive: readonly number[], isIn: (at: number) => boolean, next: number) =>
    pruned(alive.filter(isIn), next);
  /** Later ACLs do not decide requests that an ACL certainly ends. */
  const pruned = (alive: readonly number[], next: number): number[] => {
    const ended: [number, number] = [Infinity, Infinity];
    const sure = new Map<Entry<A>, number>();
    for (const at of alive) {
      const piece = pieces[at];
      if (!piece || piece.given.size > 0 || piece.last >= next) continue;
      if (!sure.has(piece.entry)) sure.set(piece.entry, at);
      const [result, ...others] = piece.entry.results;
      if (others.length > 0 || result === "logged" || !piece.entry.isPlaced) continue;
      ended[piece.entry.side] = Math.min(ended[piece.entry.side], at);
    }
    return alive.filter((at) => {
      const piece = pieces[at];
      if (!piece) return true;
      const best = sure.get(piece.entry);
      return at <= ended[piece.entry.side] && (best === undefined || best === at);
    });
  };
  const boxAt = (at: number): Box => pieces[at]?.box ?? limits[at - pieces.length]!;
  /** The classes of a field in groups that the boxes do not tell apart. */
  const groups = (field: number, alive: readonly number[], allowed: Bits) => {
    const cutting = alive.filter((at) => boxAt(at).has(field));
    left -= cutting.length;
    const found = new Map<string, { classes: Bits; isIn: (at: number) => boolean }>();
    for (const index of indexesIn(allowed)) {
      const held = new Set(cutting.filter((at) => has(boxAt(at).get(field)!, index)));
      const home = field === world.subdivision ? (world.home(index) ?? 0n) : 0n;
      const key = `${home} ${[...held].join()}`;
      const own = found.get(key) ?? { classes: 0n, isIn: (at: number) => held.has(at) || !boxAt(at).has(field) };
      own.classes |= 1n << BigInt(index);
      found.set(key, own);
    }
    return [...found.values()];
  };
  const isOut = (alive: readonly number[]) => {
    const own = (first: number, count: number) => alive.some((at) => at >= first && at < first + count);
    if (within && !own(pieces.length, within.length)) return true;
    const last = pieces.length + (within?.length ?? 0);
    return alive.some((at) => at >= last);
  };
  const width = BigInt(fields[world.ip]!.classes.length);
  const countries = fields[world.country]!;
  const endsAt = (alive: readonly number[]): readonly number[] => {
    if (isOut(alive)) return [];
    const entries = new Map<Entry<A>, Condition[]>();
    for (const at of alive) {
      const piece = pieces[at];
      if (piece) entries.set(piece.entry, [...(entries.get(piece.entry) ?? []), piece.given]);
    }
    return possibleEnds([...entries]).map(kindOf);
  };
  const addressesOf = (alive: readonly number[]): ReadonlyMap<number, Bits> =>
    remembered(`ip ${alive.join()}`, () => {
      const found = new Map<number, Bits>();
      for (const { classes, isIn } of groups(world.ip, alive, fields[world.ip]!.whole)) {
        for (const kind of endsAt(restOf(alive, isIn, world.ip + 1)))
          found.set(kind, (found.get(kind) ?? 0n) | classes);
      }
      return found;
    });
  const leafOf = (alive: readonly number[], home: Bits): Leaf =>
    remembered(`country ${home} ${alive.join()}`, () => {
      const regions = new Map<number, Bits>();
      for (const { classes, isIn } of groups(world.country, alive, home)) {
        const own = addressesOf(restOf(alive, isIn, world.country + 1));
        for (const index of indexesIn(classes)) {
          for (const [kind, bits] of own)
            regions.set(kind, (regions.get(kind) ?? 0n) | (bits << (BigInt(index) * width)));
        }
      }
      return { kind: "leaf", regions, feasible: regionOf(world, home, fields[world.ip]!.whole) };
    });
  const nodeOf = (field: number, alive: readonly number[], home: Bits): Node => {
    if (field === world.country) return leafOf(alive, home);
    if (!alive.some((at) => boxAt(at).has(field))) return nodeOf(field + 1, alive, home);
    return remembered(`${field} ${alive.join()}`, () => {
      const arms = groups(field, alive, fields[field]!.whole).map(({ classes, isIn }) => {
        const own = field === world.subdivision ? (world.home(indexesIn(classes)[0]!) ?? home) : home;
        return { classes, node: nodeOf(field + 1, restOf(alive, isIn, field + 1), own) };
      });
      return branch(field, arms);
    });
  };
  const start = pruned(
    [...pieces, ...limits].map((_, at) => at),
    0,
  );
  return { root: nodeOf(0, start, countries.whole), ends };
}

/** Whether no request is in one of the boxes and outside of all others. */
export function isEmpty(within: readonly Box[], except: readonly Box[], api: Api, world: World): boolean {
  const { root } = walk([[], []], api, world, { within, except });
  const visit = (node: Node): boolean =>
    node.kind === "leaf" ? node.regions.size === 0 : node.arms.every((arm) => visit(arm.node));
  return visit(root);
}

/** Joins arms with the same node. A branch with one arm is that node. */
export function branch<N>(
  field: number,
  arms: readonly { readonly classes: Bits; readonly node: N }[],
): N | { readonly kind: "branch"; readonly field: number; readonly arms: readonly { classes: Bits; node: N }[] } {
  const joined = new Map<N, Bits>();
  for (const { classes, node } of arms) joined.set(node, (joined.get(node) ?? 0n) | classes);
  const [only] = joined.keys();
  if (joined.size === 1) return only!;
  return { kind: "branch", field, arms: [...joined].map(([node, classes]) => ({ classes, node })) };
}

/** All pairs of these countries and addresses. */
export function regionOf({ fields, ip }: World, countries: Bits, addresses: Bits): Bits {
  const width = BigInt(fields[ip]!.classes.length);
  return indexesIn(countries).reduce((bits, index) => bits | (addresses << (BigInt(index) * width)), 0n);
}

function piecesOf<A extends Acl>(
  acls: readonly A[],
  side: 0 | 1,
  api: Api,
  world: World,
  withLogs: boolean,
): Piece<A>[] {
  return entriesOf(acls, side).flatMap((entry) => {
    if (!withLogs && flagOf(entry.acl.rule.action) === "log") return [];
    const ways = world.reach(entry.acl.rule, api);
    return ways.map(({ box, given }) => ({ entry, box, given, last: Math.max(-1, ...box.keys()) }));
  });
}
