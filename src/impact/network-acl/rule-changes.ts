/** Words what changes in the rules themselves. */
import { flagOf, unknownProperties, unknownIn, shownEntry, type Rule } from "../../access/access";
import { amountWords } from "../amount";
import { hidden } from "../hidden";
import type { PlannedAcl } from "./acl";
import { entryChanges, type Entries, type EntryChange } from "./entries";
import type { AclVersions } from "./versions";

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
    return { acl, words: prior ? wordsOf(prior, acl) : [`added${acl.active ? "" : ", switched off"}`] };
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
    ...(prior.active === acl.active ? [] : [acl.active ? "switched on" : "switched off"]),
    ...differing("priority", ({ priority }) => priority),
    ...(prior.description === acl.description ? [] : [`called "${prior.description}" before`]),
    ...differing("scope", ({ rule }) => rule.scope),
    ...differing("action", actionOf),
    ...differing("redirect_uri", ({ rule }) => rule.action["redirect_uri"]),
    ...differing("match_all", ({ rule }) => rule.match_all),
    ...entryChanges(prior.rule, acl.rule).map((change) => entryWords(change, secret)),
    ...unreadableWords(prior.rule, acl.rule),
  ];
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

function entryWords(change: EntryChange, secret: ReadonlySet<string>): string {
  const { side, property, before, after, added, removed } = change;
  const name = property === side ? side : `${side}.${property}`;
  if (secret.has(property)) return `${name} ${hidden}`;
  const parts = [
    ...few("+", [...added.map(shownEntry), ...openWords(after, before)]),
    ...few("-", [...removed.map(shownEntry), ...openWords(before, after)]),
  ];
  return [[name, ...parts].join(" "), ...addressWords(change)].join(": ");
}

function openWords({ unreadable, isUnknown }: Entries = { texts: [] }, other: Entries | undefined): string[] {
  if (unreadable === undefined || unreadable === other?.unreadable) return [];
  return [isUnknown ? "(known after apply)" : "a part that this version cannot read"];
}

const mostEntries = 5;

function few(sign: "+" | "-", entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  const rest = entries.length - mostEntries;
  return [`${sign} ${entries.slice(0, mostEntries).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`];
}

/** `covers 65,536 more IPv4 addresses`. */
function addressWords({ property, counts }: EntryChange): string[] {
  if (!property.endsWith("cidrs")) return [];
  if (!counts) return ["how many addresses it covers is not known"];
  const words = countWords(property, counts);
  return [words.length > 0 ? `covers ${words.join(" and ")}` : "covers the same addresses"];
}

const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  asns: ["AS number", "AS numbers"],
  geo_country_codes: ["country", "countries"],
  geo_subdivision_codes: ["region", "regions"],
  ja3_fingerprints: ["fingerprint", "fingerprints"],
  ja4_fingerprints: ["fingerprint", "fingerprints"],
  user_agents: ["user agent", "user agents"],
  hostnames: ["host name", "host names"],
  auth0_managed: ["curated list", "curated lists"],
  http_message_signature: ["key", "keys"],
  ipv4_cidrs: ["IPv4 address", "IPv4 addresses"],
  ipv6_cidrs: ["IPv6 address", "IPv6 addresses"],
};

/** `2 more countries` and `1 fewer country`. */
export function countWords(property: string, { more, fewer }: { readonly more: bigint; readonly fewer: bigint }) {
  const noun = nouns[property.replace("connecting_", "")] ?? (["entry", "entries"] as const);
  return [...amountWords(more, noun, "more"), ...amountWords(fewer, noun, "fewer")];
}

/** Properties that this version does not know, or whose value is known after apply. */
function unreadableWords(prior: Rule, rule: Rule): string[] {
  const [old, now] = [prior, rule].map(
    (one) => new Map(unknownProperties(one).map(({ name, piece }) => [name, piece])),
  );
  const names = [...new Set([...old!.keys(), ...now!.keys()])].filter((name) => old!.get(name) !== now!.get(name));
  return names.map((name) => {
    const isUnknown = typeof (rule as unknown as Readonly<Record<string, unknown>>)[name] === "symbol";
    return isUnknown ? `${name} (known after apply)` : `${name}, which this version does not know, changes`;
  });
}
