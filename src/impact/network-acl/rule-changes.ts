/** Words what changes in the rules themselves. */
import {
  criteriaOf,
  entriesOf as readEntries,
  flagOf,
  unknownProperties,
  unknownIn,
  shownEntry,
  sides,
  type Criteria,
  type Rule,
} from "../../access/access";
import { hidden } from "../phrases";
import type { PlannedAcl, AclVersions } from "./acl";
import { isOpen } from "./analysis";

export interface RuleChange {
  readonly acl: PlannedAcl;
  /** One text for each change. */
  readonly words: readonly string[];
}

export function ruleChanges({ before, after }: AclVersions): RuleChange[] {
  const old = new Map(before.map((acl) => [acl.key, acl]));
  const now = new Map(after.map((acl) => [acl.key, acl]));
  const removed = before.filter(({ key }) => !now.has(key)).map((acl) => ({ acl, words: ["removed"] }));
  const others = after.map((acl) => {
    const prior = old.get(acl.key);
    if (prior) return { acl, words: wordsOf(prior, acl) };
    const activity = isOpen(acl) ? [openActivity] : acl.active ? [] : ["switched off"];
    return { acl, words: [["added", `action ${shown(actionOf(acl))}`, ...activity].join(", ")] };
  });
  return [...removed, ...others].filter(({ words }) => words.length > 0);
}

function wordsOf(prior: PlannedAcl, acl: PlannedAcl): string[] {
  const secret = new Set([...prior.secret, ...acl.secret]);
  const differing = (name: string, valueOf: (one: PlannedAcl) => unknown) => {
    const [old, now] = [valueOf(prior), valueOf(acl)];
    if (Object.is(old, now)) return [];
    return [secret.has(name) ? `${name} ${hidden}` : `${name} ${shown(old)} -> ${shown(now)}`];
  };
  return [
    ...activityWords(prior, acl),
    ...differing("priority", ({ priority }) => priority),
    ...(prior.description === acl.description ? [] : [`called "${prior.description}" before`]),
    ...differing("scope", ({ rule }) => rule.scope),
    ...differing("action", actionOf),
    ...differing("redirect_uri", ({ rule }) => rule.action["redirect_uri"]),
    ...differing("match_all", ({ rule }) => rule.match_all),
    ...entriesWords(prior.rule, acl.rule, secret),
    ...unreadableWords(prior.rule, acl.rule),
  ];
}

const openActivity = "switched on or off (known after apply)";

function activityWords(prior: PlannedAcl, acl: PlannedAcl): string[] {
  if (isOpen(acl)) return isOpen(prior) ? [] : [openActivity];
  if (isOpen(prior)) return [`${acl.active ? "switched on" : "switched off"} (not known before)`];
  if (prior.active === acl.active) return [];
  return [acl.active ? "switched on" : "switched off"];
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "symbol" || Number.isNaN(value) ? "(known after apply)" : String(value);
}

/** A symbol if it is not known; the names of several flags, or of a flag that this version does not know. */
function actionOf({ rule: { action } }: PlannedAcl): string | symbol {
  const named = Object.keys(action).filter((name) => name !== "redirect_uri");
  return flagOf(action) ?? unknownIn(action) ?? named.join(" and ");
}

/** The entries of one property. */
interface Entries {
  readonly texts: readonly string[];
  /** Names the part that cannot be read. */
  readonly unreadable?: string;
  /** The part is known after apply. */
  readonly isUnknown?: boolean;
}

const none: Entries = { texts: [] };

function entriesWords(prior: Rule, rule: Rule, secret: ReadonlySet<string>): string[] {
  return sides.flatMap((side) => {
    const [old, now] = [entriesOf(prior, side), entriesOf(rule, side)];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((property) => {
      const [before, after] = [old.get(property) ?? none, now.get(property) ?? none];
      const parts = [...few("+", entriesOnlyIn(after, before)), ...few("-", entriesOnlyIn(before, after))];
      if (parts.length === 0 && old.has(property) && now.has(property)) return [];
      const name = property === side ? side : `${side}.${property}`;
      return [secret.has(property) ? `${name} ${hidden}` : [name, ...parts].join(" ")];
    });
  });
}

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

function entriesOnlyIn({ texts, unreadable, isUnknown }: Entries, other: Entries): string[] {
  const own = texts.filter((text) => !other.texts.includes(text)).map(shownEntry);
  if (unreadable === undefined || unreadable === other.unreadable) return own;
  return [...own, isUnknown ? "(known after apply)" : "a part that this version cannot read"];
}

const mostEntries = 5;

function few(sign: "+" | "-", entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  // A count of one would take the place of the entry.
  const named = entries.length === mostEntries + 1 ? entries : entries.slice(0, mostEntries);
  const rest = entries.length - named.length;
  return [`${sign} ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`];
}

/** Properties that this version does not know, or whose value is known after apply. `active` has words of its own. */
function unreadableWords(prior: Rule, rule: Rule): string[] {
  const [old, now] = [prior, rule].map(
    (one) => new Map(unknownProperties(one).map(({ name, piece }) => [name, piece])),
  );
  const names = [...new Set([...old!.keys(), ...now!.keys()])].filter(
    (name) => name !== "active" && old!.get(name) !== now!.get(name),
  );
  return names.map((name) => {
    const isUnknown = typeof (rule as unknown as Readonly<Record<string, unknown>>)[name] === "symbol";
    return isUnknown ? `${name} (known after apply)` : `${name}, which this version does not know, changes`;
  });
}
