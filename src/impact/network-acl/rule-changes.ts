/** What changes in the rules themselves, in the constants of the configuration and in amounts. */
import type { Values } from "../model";
import {
  flagOf,
  countAddresses,
  parseBlock,
  type Block,
  criteriaOf,
  shownEntry,
  sides,
  unknownIn,
  unknownProperties,
} from "../../access/access";
import type { PlannedAcl } from "./acl";
import { hidden } from "../hidden";

export interface RuleChange {
  readonly acl: PlannedAcl;
  /** In words, one for each change. */
  readonly words: readonly string[];
}

export function ruleChanges(before: readonly PlannedAcl[], after: readonly PlannedAcl[]): RuleChange[] {
  const were = new Map(before.map((acl) => [acl.key, acl]));
  const are = new Map(after.map((acl) => [acl.key, acl]));
  const removed = before.filter(({ key }) => !are.has(key)).map((acl) => ({ acl, words: ["removed"] }));
  const others = after.map((acl) => {
    const prior = were.get(acl.key);
    return { acl, words: prior ? wordsOf(prior, acl) : [`added${acl.active ? "" : ", switched off"}`] };
  });
  return [...removed, ...others].filter(({ words }) => words.length > 0);
}

function wordsOf(prior: PlannedAcl, acl: PlannedAcl): string[] {
  const secret = new Set([...prior.secret, ...acl.secret]);
  return [
    ...(prior.active === acl.active ? [] : [acl.active ? "switched on" : "switched off"]),
    ...(Object.is(prior.priority, acl.priority)
      ? []
      : [
          secret.has("priority")
            ? `priority ${hidden}`
            : `priority ${number(prior.priority)} -> ${number(acl.priority)}`,
        ]),
    ...(prior.description === acl.description ? [] : [`called "${prior.description}" before`]),
    ...(secret.has("scope") && prior.rule.scope !== acl.rule.scope
      ? [`scope ${hidden}`]
      : differing("scope", prior.rule.scope, acl.rule.scope)),
    ...differing("action", actionOf(prior), actionOf(acl)),
    ...(secret.has("redirect_uri") && prior.rule.action["redirect_uri"] !== acl.rule.action["redirect_uri"]
      ? [`redirect_uri ${hidden}`]
      : differing("redirect_uri", prior.rule.action["redirect_uri"], acl.rule.action["redirect_uri"])),
    ...differing("match_all", prior.rule.match_all && "true", acl.rule.match_all && "true"),
    ...sides.flatMap((side) => entryWords(side, prior, acl, secret)),
    ...foreignWords(prior, acl),
  ];
}

const number = (priority: number) => (Number.isNaN(priority) ? "(known after apply)" : priority);

/** A symbol where it is not known; several flags, or one that this version does not know, by their names. */
function actionOf({ rule: { action } }: PlannedAcl): string | symbol {
  const named = Object.keys(action).filter((name) => name !== "redirect_uri");
  return flagOf(action) ?? unknownIn(action) ?? named.join(" and ");
}

function differing(name: string, was: unknown, is: unknown): string[] {
  if (was === is) return [];
  const said = (value: unknown) =>
    value === undefined ? "none" : typeof value === "string" ? value : "(known after apply)";
  return [`${name} ${said(was)} -> ${said(is)}`];
}

function entryWords(
  side: (typeof sides)[number],
  prior: PlannedAcl,
  acl: PlannedAcl,
  secret: ReadonlySet<string>,
): string[] {
  const [was, is] = [prior, acl].map(({ rule }) => entriesOf(rule, side));
  return [...new Set([...was!.keys(), ...is!.keys()])].flatMap((property) => {
    const [old = nothing, now = nothing] = [was!.get(property), is!.get(property)];
    const come = [...without(now.texts, old.texts).map(shownEntry), ...unreadableWords(now, old)];
    const gone = [...without(old.texts, now.texts).map(shownEntry), ...unreadableWords(old, now)];
    if (come.length + gone.length === 0) return [];
    const name = `${side}.${property}`;
    if (secret.has(property)) return [`${name} ${hidden}`];
    const parts = [...(come.length > 0 ? [`+ ${few(come)}`] : []), ...(gone.length > 0 ? [`- ${few(gone)}`] : [])];
    return [[`${name} ${parts.join(" ")}`, ...amounts(property, old, now)].join(": ")];
  });
}

/** The entries of a property. */
interface Listed {
  readonly texts: readonly string[];
  /** Names the part that cannot be read. */
  readonly unreadable?: string;
  readonly isUnknown?: boolean;
}

const nothing: Listed = { texts: [] };

const without = (texts: readonly string[], others: readonly string[]) => texts.filter((text) => !others.includes(text));

function unreadableWords({ unreadable, isUnknown }: Listed, other: Listed): string[] {
  if (unreadable === undefined || unreadable === other.unreadable) return [];
  return [isUnknown ? "(known after apply)" : "a part that this version cannot read"];
}

function entriesOf(rule: PlannedAcl["rule"], side: (typeof sides)[number]): Map<string, Listed> {
  const lists = new Map<string, Listed>();
  for (const { properties, entries, unreadable, isUnknown } of criteriaOf(rule, side)) {
    for (const property of properties) {
      const texts = entries.filter((entry) => entry.property === property).map(({ text }) => text);
      lists.set(property, { texts, ...(unreadable !== undefined && { unreadable }), ...(isUnknown && { isUnknown }) });
    }
  }
  return lists;
}

/** Parts beside the criteria that this version does not know, or whose value is known after the apply. */
function foreignWords(prior: PlannedAcl, acl: PlannedAcl): string[] {
  const [was, is] = [prior, acl].map(
    ({ rule }) => new Map(unknownProperties(rule).map(({ name, piece }) => [name, piece])),
  );
  const names = [...new Set([...was!.keys(), ...is!.keys()])].filter((name) => was!.get(name) !== is!.get(name));
  return names.map((name) => {
    const isUnknown = typeof (acl.rule as unknown as Values)[name] === "symbol";
    return isUnknown ? `${name} (known after apply)` : `${name}, which this version does not know, changes`;
  });
}

function few(entries: readonly string[]): string {
  const rest = entries.length - 5;
  return entries.slice(0, 5).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** "covers 65,536 more IPv4 addresses". */
function amounts(
  property: string,
  { texts: old, unreadable: was }: Listed,
  { texts: now, unreadable: is }: Listed,
): string[] {
  if (!property.endsWith("cidrs")) return [];
  if (was !== undefined || is !== undefined) return ["how many addresses it covers is not known"];
  const blocks = (texts: readonly string[]) =>
    texts.map(parseBlock).filter((block): block is Block => block !== undefined);
  const family = property.includes("ipv4") ? 4 : 6;
  const both = countAddresses([...blocks(old), ...blocks(now)], family);
  const more = both - countAddresses(blocks(old), family);
  const less = both - countAddresses(blocks(now), family);
  const said = (count: bigint, word: string) =>
    count === 0n ? [] : [`${amount(count)} ${word} IPv${family} address${count === 1n ? "" : "es"}`];
  const words = [...said(more, "more"), ...said(less, "fewer")];
  return words.length > 0 ? [`covers ${words.join(" and ")}`] : ["covers the same addresses"];
}

function amount(count: bigint): string {
  const bits = count.toString(2).length - 1;
  return bits > 40 ? `about 2^${bits}` : count.toLocaleString("en-US");
}
