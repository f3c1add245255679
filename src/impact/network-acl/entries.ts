/** Compares the entries that two versions of a rule list. */
import { criteriaOf, entriesOf as readEntries, sides, type Criteria, type Rule } from "../../access/access";

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
