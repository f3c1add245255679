/** Words what changes in the rules themselves. */
import { flagOf, unknownProperties, unknownIn, shownEntry, type Rule } from "../../access/access";
import { hidden } from "../phrases";
import type { PlannedAcl, AclVersions } from "./acl";
import { addressChanges, addressWords, entryChanges, type Entries, type EntryChange } from "./entries";

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
    const activity = isOpen(acl) ? [openActivity] : acl.active ? endWords(acl) : ["switched off"];
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
    ...(Object.is(prior.end, acl.end) ? [] : [`expires_at ${shownEnd(prior)} -> ${shownEnd(acl)}`]),
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

const isOpen = ({ rule }: PlannedAcl) => typeof (rule as { readonly active?: unknown }).active === "symbol";

function activityWords(prior: PlannedAcl, acl: PlannedAcl): string[] {
  if (isOpen(acl)) return isOpen(prior) ? [] : [openActivity];
  if (isOpen(prior)) return [`${acl.active ? "switched on" : "switched off"} (not known before)`];
  if (prior.active === acl.active) return [];
  return [acl.active ? "switched on" : acl.isExpired ? "switched off after its end" : "switched off"];
}

const endWords = (acl: PlannedAcl) => (acl.end === undefined ? [] : [`expires_at ${shownEnd(acl)}`]);

const shownEnd = ({ end, isSecretEnd }: PlannedAcl) => (isSecretEnd ? hidden : shown(end));

function shown(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "symbol" || Number.isNaN(value) ? "(known after apply)" : String(value);
}

/** A symbol if it is not known; the names of several flags, or of a flag that this version does not know. */
function actionOf({ rule: { action } }: PlannedAcl): string | symbol {
  const named = Object.keys(action).filter((name) => name !== "redirect_uri");
  return flagOf(action) ?? unknownIn(action) ?? named.join(" and ");
}

/** The addresses that match follow from `match` and `not_match` together, so the last line tells them. */
function entriesWords(prior: Rule, rule: Rule, secret: ReadonlySet<string>): string[] {
  const changes = entryChanges(prior, rule);
  const addresses = addressChanges(prior, rule, changes);
  return changes.map((change) => {
    const own = addresses.filter(({ last }) => last === change && !secret.has(change.property));
    const words = own.flatMap(({ counts }) => {
      const known = counts?.filter(({ property }) => !secret.has(property));
      return known?.length === counts?.length ? addressWords(known) : [];
    });
    return [entryWords(change, secret), ...words].join(": ");
  });
}

function entryWords(
  { side, property, before, after, added, removed }: EntryChange,
  secret: ReadonlySet<string>,
): string {
  const name = property === side ? side : `${side}.${property}`;
  if (secret.has(property)) return `${name} ${hidden}`;
  const parts = [
    ...few("+", [...added.map(shownEntry), ...openWords(after, before)]),
    ...few("-", [...removed.map(shownEntry), ...openWords(before, after)]),
  ];
  return [name, ...parts].join(" ");
}

function openWords({ unreadable, isUnknown }: Entries = { texts: [] }, other: Entries | undefined): string[] {
  if (unreadable === undefined || unreadable === other?.unreadable) return [];
  return [isUnknown ? "(known after apply)" : "a part that this version cannot read"];
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
