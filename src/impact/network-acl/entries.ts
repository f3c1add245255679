/** Compares the entries that two versions of a rule list. */
import { criteriaOf, entriesOf as readEntries, sides, parseBlock, type Criteria, type Rule } from "../../access/access";
import { countWords } from "./words";

/** The entries of one property. */
export interface Entries {
  readonly texts: readonly string[];
  /** Names the part that cannot be read. */
  readonly unreadable?: string;
  /** The part is known after apply. */
  readonly isUnknown?: boolean;
}

export interface EntryChange {
  readonly side: (typeof sides)[number];
  /** `ipv4_cidrs`. */
  readonly property: string;
  /** Left out: the rule does not have the property. */
  readonly before?: Entries;
  readonly after?: Entries;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** How many more or fewer entries the property lists. Left out: not known, or a list of addresses. */
  readonly counts?: { readonly more: bigint; readonly fewer: bigint };
}

/** The properties whose entries differ. */
export function entryChanges(before: Rule, after: Rule): EntryChange[] {
  return sides.flatMap((side) => {
    const [old, now] = [entriesOf(before, side), entriesOf(after, side)];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((property) => {
      const change = changeOf(old.get(property), now.get(property), property);
      if (!change) return [];
      const { counts, ...rest } = change;
      // A side that is not known may list the property too.
      const isKnown = [before, after].every((rule) => typeof rule[side] !== "symbol");
      return [{ side, property, ...rest, ...(counts && isKnown && { counts }) }];
    });
  });
}

function changeOf(before: Entries | undefined, after: Entries | undefined, property: string) {
  const [old, now] = [before?.texts ?? [], after?.texts ?? []];
  const [added, removed] = [without(now, old), without(old, now)];
  if (before && after && added.length + removed.length === 0 && before.unreadable === after.unreadable)
    return undefined;
  const isKnown = before?.unreadable === undefined && after?.unreadable === undefined;
  const isCounted = isKnown && !property.endsWith("cidrs");
  const counts = { more: BigInt(added.length), fewer: BigInt(removed.length) };
  return { ...(before && { before }), ...(after && { after }), added, removed, ...(isCounted && { counts }) };
}

const without = (texts: readonly string[], others: readonly string[]) => texts.filter((text) => !others.includes(text));

function entriesOf(rule: Rule, side: (typeof sides)[number]): Map<string, Entries> {
  return new Map(
    criteriaOf(rule, side).flatMap(({ signal, properties, entries, unreadable, isUnknown }) =>
      properties.map((property): [string, Entries] => {
        const texts = entries.filter((entry) => entry.property === property).map(({ text }) => text);
        // A signal has the entries of two properties, and maybe only one of them is unreadable.
        const isRead = readEntries(property, (rule[side] as Criteria)[property]).unread === undefined;
        if (unreadable === undefined || (signal && isRead)) return [property, { texts }];
        return [property, { texts, unreadable, ...(isUnknown && { isUnknown }) }];
      }),
    ),
  );
}

type Side = (typeof sides)[number];
type Family = 4 | 6;

export interface AddressCounts {
  /** `connecting_ipv4_cidrs`. */
  readonly property: string;
  readonly more: bigint;
  readonly fewer: bigint;
}

const families: readonly Family[] = [4, 6];
const propertyOf = (prefix: string, family: Family) => `${prefix}ipv${family}_cidrs`;

/** The counts of one kind of addresses. */
export interface AddressChange {
  /** The last of the changed lists. */
  readonly last: EntryChange;
  /** By `match` and `not_match` together. Left out: not known. */
  readonly counts?: readonly AddressCounts[];
}

/** Returns one for client addresses and one for connecting addresses, if their lists change. */
export function addressChanges(before: Rule, after: Rule, changes: readonly EntryChange[]): AddressChange[] {
  return ["", "connecting_"].flatMap((prefix) => {
    const names = families.map((family) => propertyOf(prefix, family));
    const own = changes.filter(({ property }) => names.includes(property));
    const last = own.at(-1);
    if (!last) return [];
    const changed = new Set(own.map(({ property }) => property));
    const counts = families.map((family) => countsOf(before, after, prefix, family, changed));
    const isKnown = counts.every((some) => some !== undefined);
    return [{ last, ...(isKnown && { counts: counts.flat() }) }];
  });
}

/** A list that stays unknown matches the same addresses. */
function countsOf(
  before: Rule,
  after: Rule,
  prefix: string,
  family: Family,
  changed: ReadonlySet<string>,
): AddressCounts[] | undefined {
  const property = propertyOf(prefix, family);
  const [old, now] = [before, after].map((rule) => matched(rule, prefix, family));
  if (!old || !now) return changed.has(property) || Boolean(old) !== Boolean(now) ? undefined : [];
  return [{ property, more: sizeOf(apart(now, old)), fewer: sizeOf(apart(old, now)) }];
}

/** `256 more IPv4 addresses match`. */
export function addressWords(counts: readonly AddressCounts[] | undefined): string {
  if (!counts) return "how many addresses match is not known";
  const amounts = counts.flatMap((one) => countWords(one.property, one));
  if (amounts.length === 0) return "the same addresses match";
  const isOne = amounts.length === 1 && amounts[0]!.startsWith("1 ");
  return `${amounts.join(" and ")} ${isOne ? "matches" : "match"}`;
}

/** From the first address to the one after the last. */
type Range = readonly [from: bigint, to: bigint];

/** The addresses that the lists of addresses let the rule match, in order. Undefined: not known. */
function matched(rule: Rule, prefix: string, family: Family): Range[] | undefined {
  const everything: Range = [0n, 1n << BigInt(family === 4 ? 32 : 128)];
  const wanted = listed(rule, "match", prefix, family);
  const excluded = listed(rule, "not_match", prefix, family);
  if (wanted === "unknown" || excluded === "unknown") return undefined;
  return apart(wanted ?? [everything], excluded ?? []);
}

/** Undefined: the side has no list of these addresses. */
function listed(rule: Rule, side: Side, prefix: string, family: Family): Range[] | "unknown" | undefined {
  const criteria: Criteria | symbol | undefined = rule[side];
  if (typeof criteria === "symbol") return "unknown";
  const names = families.map((one) => propertyOf(prefix, one));
  const criterion = criteriaOf(rule, side).find(({ properties }) => names.some((name) => properties.includes(name)));
  if (!criterion) return undefined;
  const own = propertyOf(prefix, family);
  const isListed = criterion.properties.includes(own);
  // An unknown list of the other family may turn out to be absent.
  const isOpen = isListed
    ? readEntries(own, criteria?.[own]).unread !== undefined
    : criterion.unreadable !== undefined && side === "match";
  if (isOpen) return "unknown";
  const blocks = criterion.texts.flatMap((text) => parseBlock(text) ?? []).filter((block) => block.family === family);
  return union(
    blocks.map(({ first, length }) => [first, first + (1n << BigInt((family === 4 ? 32 : 128) - length))] as const),
  );
}

function union(ranges: readonly Range[]): Range[] {
  const found: [bigint, bigint][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    const last = found.at(-1);
    if (!last || from > last[1]) found.push([from, to]);
    else if (to > last[1]) last[1] = to;
  }
  return found;
}

/** Both in order, and without overlaps. */
function apart(ranges: readonly Range[], others: readonly Range[]): Range[] {
  return ranges.flatMap(([from, to]) => {
    const cuts = others.filter(([start, end]) => start < to && end > from);
    const starts = [from, ...cuts.map(([, end]) => end)];
    const ends = [...cuts.map(([start]) => start), to];
    return starts.flatMap((start, index): Range[] => (start < ends[index]! ? [[start, ends[index]!]] : []));
  });
}

const sizeOf = (ranges: readonly Range[]) => ranges.reduce((sum, [from, to]) => sum + to - from, 0n);
