/** What changes in the rules themselves, in the constants of the configuration and in amounts. */
import { flagOf } from "../access/action";
import { countAddresses, parseBlock, type Block } from "../access/cidr";
import { criteriaOf, sides } from "../access/criterion";
import type { ReviewedAcl } from "./acls";
import { hidden } from "./hidden";

export interface RuleChange {
  readonly acl: ReviewedAcl;
  /** In words, one for each change. */
  readonly words: readonly string[];
}

export function ruleChanges(before: readonly ReviewedAcl[], after: readonly ReviewedAcl[]): RuleChange[] {
  const were = new Map(before.map((acl) => [acl.key, acl]));
  const are = new Map(after.map((acl) => [acl.key, acl]));
  const removed = before.filter(({ key }) => !are.has(key)).map((acl) => ({ acl, words: ["removed"] }));
  const others = after.map((acl) => {
    const prior = were.get(acl.key);
    return { acl, words: prior ? wordsOf(prior, acl) : [`added${acl.active ? "" : ", switched off"}`] };
  });
  return [...removed, ...others].filter(({ words }) => words.length > 0);
}

function wordsOf(prior: ReviewedAcl, acl: ReviewedAcl): string[] {
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
    ...differing("action", flagOf(prior.rule.action), flagOf(acl.rule.action)),
    ...differing(
      "redirect_uri",
      secret.has("redirect_uri") ? hidden : prior.rule.action["redirect_uri"],
      secret.has("redirect_uri") ? hidden : acl.rule.action["redirect_uri"],
    ),
    ...differing("match_all", prior.rule.match_all && "true", acl.rule.match_all && "true"),
    ...sides.flatMap((side) => entryWords(side, prior, acl, secret)),
  ];
}

const number = (priority: number) => (Number.isNaN(priority) ? "(known after apply)" : priority);

function differing(name: string, was: unknown, is: unknown): string[] {
  if (was === is) return [];
  const said = (value: unknown) =>
    value === undefined ? "none" : typeof value === "string" ? value : "(known after apply)";
  return [`${name} ${said(was)} -> ${said(is)}`];
}

function entryWords(
  side: (typeof sides)[number],
  prior: ReviewedAcl,
  acl: ReviewedAcl,
  secret: ReadonlySet<string>,
): string[] {
  const [was, is] = [prior, acl].map(({ rule }) => entriesOf(rule, side));
  return [...new Set([...was!.keys(), ...is!.keys()])].flatMap((property) => {
    const [old = [], now = []] = [was!.get(property), is!.get(property)];
    const gone = old.filter((entry) => !now.includes(entry));
    const come = now.filter((entry) => !old.includes(entry));
    if (gone.length + come.length === 0) return [];
    const name = `${side}.${property}`;
    if (secret.has(property)) return [`${name} ${hidden}`];
    const parts = [...(come.length > 0 ? [`+ ${few(come)}`] : []), ...(gone.length > 0 ? [`- ${few(gone)}`] : [])];
    return [[`${name} ${parts.join(" ")}`, ...amounts(property, old, now)].join(": ")];
  });
}

function entriesOf(rule: ReviewedAcl["rule"], side: (typeof sides)[number]): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const { properties, entries, open } of criteriaOf(rule, side)) {
    for (const property of properties) {
      const own = entries.filter((entry) => entry.property === property).map(({ text }) => text);
      lists.set(property, open === undefined ? own : [...own, "(known after apply)"]);
    }
  }
  return lists;
}

function few(entries: readonly string[]): string {
  const rest = entries.length - 5;
  return entries.slice(0, 5).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** "covers 65,536 more IPv4 addresses". */
function amounts(property: string, old: readonly string[], now: readonly string[]): string[] {
  if (!property.endsWith("cidrs")) return [];
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
