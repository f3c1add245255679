/** Words which requests an extent covers, in the constants of the configuration. */
import {
  continentOf,
  countries as everyCountry,
  countryNames,
  contains,
  countAddresses,
  parseBlock,
  criteriaOf,
  flagOf,
  inOrder,
  shownEntry,
  sides,
  type Continent,
  type Extent,
  type Block,
} from "../../access/access";
import { amountWords, clipped, hidden, andWords, orWords } from "../phrases";
import type { PlannedAcl } from "./acl";
import { decider, type AclAnalysis, type OutcomePart } from "./analysis";

/**
 * `everyone`, `everyone outside Germany (DE), but not 198.51.100.0/24`, `198.51.100.0/24 (256 addresses)`. `constants`: the blocks
 * that rules name.
 */
export function extentWords(extent: Extent, constants: readonly string[]): string {
  const { countries, wholeCountries, blocks, otherBlocks = [], byCountry } = extent;
  const places = placeWords(countries);
  if (wholeCountries.length === countries.length) return `everyone${places}`;
  const isMost = blocks === undefined || Math.max(...byCountry.values()) > 0.5;
  const words = blocks && blockWords(blocks, constants);
  if (otherBlocks.length > 0 && isMost && !words?.startsWith("all "))
    return places === ""
      ? `everyone outside ${blockWords(otherBlocks)}`
      : `everyone${places}, but not ${blockWords(otherBlocks)}`;
  if (words !== undefined) return words.startsWith("all ") ? words + places : `${words} (${amounts(extent)})${places}`;
  if (wholeCountries.length === 0) return `some addresses${places === "" ? " in every country" : places}`;
  const whole = new Set(wholeCountries);
  const others = countries.filter((code) => !whole.has(code));
  const rest = places === "" ? " in all other countries" : placeWords(others);
  return `everyone${placeWords(wholeCountries)}, and some addresses${rest}`;
}

/** Lists the countries, or those that are left out if they are fewer. Empty for the whole world. */
function placeWords(countries: readonly string[]): string {
  const own = new Set(countries);
  const others = everyCountry.filter((code) => !own.has(code));
  if (others.length === 0) return "";
  return others.length < countries.length ? ` outside ${listed(others)}` : ` in ${listed(countries)}`;
}

const mostCodes = 5;

/** Countries whose names need an article. */
const articled: ReadonlySet<string> = new Set("AE BS CF CG DO GB GM KM KY MH MP MV NL PH SB SC TC US VG VI".split(" "));

const adjectives: Readonly<Record<Continent, string>> = {
  Africa: "African",
  Americas: "American",
  Antarctica: "Antarctic",
  Asia: "Asian",
  Europe: "European",
  Oceania: "Oceanian",
};

/** `Iran (IR) and North Korea (KP)`, `44 European countries (AD, AL, AT, …)` */
function listed(codes: readonly string[]): string {
  if (codes.length <= mostCodes) {
    const names = countryNames();
    const named = (code: string) => `${articled.has(code) ? "the " : ""}${names.get(code)} (${code})`;
    return andWords(codes.map(named));
  }
  const continents = new Set(codes.map((code) => continentOf(code)));
  const [continent] = continents;
  const adjective = continents.size === 1 && continent !== undefined ? `${adjectives[continent]} ` : "";
  return `${codes.length} ${adjective}countries (${codes.slice(0, 3).join(", ")}, …)`;
}

function amounts({ addresses }: Extent): string {
  const counts = [
    ...amountWords(addresses.ipv4, ["address", "addresses"]),
    ...amountWords(addresses.ipv6, ["IPv6 address", "IPv6 addresses"]),
  ];
  return counts.join(" and ");
}

/** The larger share of the two families: a block of all IPv4 addresses stops everybody who has only IPv4. */
export const largestShare = ({ ipv4, ipv6 }: Extent): number => Math.max(ipv4, ipv6);

/** `about 69 %`; `all` only if nothing is missing. */
export function shareWords(share: number): string {
  if (share === 1) return "all";
  const percent = 100 * share;
  if (percent < 0.1) return "less than 0.1 %";
  const number = percent < 10 ? percent.toFixed(1).replace(/\.0$/, "") : String(Math.min(Math.round(percent), 99));
  return `about ${number} %`;
}

const mostBlocks = 3;
/** More constants would take long to compare, and hardly describe a set in few words. */
const mostConstants = 200;

/**
 * `198.51.0.0/16 without 198.51.100.0/24`. Lists the blocks as they are if there are few, or if no few constants describe them.
 * `blocks`: the fewest blocks of the set, without overlaps. `constants`: the blocks that rules name.
 */
export function blockWords(blocks: readonly string[], constants: readonly string[] = []): string {
  const isWorthIt = blocks.length > mostBlocks && constants.length <= mostConstants;
  return (isWorthIt ? constantWords(blocks.flatMap(read), constants) : undefined) ?? few(blocks);
}

const read = (text: string) => parseBlock(text) ?? [];

/** The largest constants that meet the set, without the constants inside of them that do not. undefined: they are not the set. */
function constantWords(set: readonly Block[], constants: readonly string[]): string | undefined {
  const named = [...new Set(constants)].flatMap((text) => [read(text)].flat().map((block) => ({ text, block })));
  const meeting = named.filter(({ block }) => set.some((one) => contains(block, one)));
  const own = largest(meeting);
  const others = named.filter(({ block }) => !set.some((one) => contains(block, one) || contains(one, block)));
  const except = largest(others.filter(({ block }) => own.some((one) => contains(one.block, block))));
  const size = (list: typeof own, family: 4 | 6) =>
    countAddresses(
      list.map(({ block }) => block),
      family,
    );
  const isSame = ([4, 6] as const).every(
    (family) => size(own, family) - size(except, family) === countAddresses(set, family),
  );
  const isCovered = set.every((one) => own.some(({ block }) => contains(block, one)));
  if (!isSame || !isCovered || own.length > mostBlocks || except.length > mostBlocks) return undefined;
  const words = (list: typeof own) => few(list.map(({ text }) => text));
  return except.length === 0 ? words(own) : `${words(own)} without ${words(except)}`;
}

function largest<One extends { readonly block: Block }>(list: readonly One[]): One[] {
  return list.filter(
    ({ block }, index) =>
      !list.some(
        (other, at) =>
          at !== index && contains(other.block, block) && (other.block.length < block.length || at < index),
      ),
  );
}

const whole: Readonly<Record<string, string>> = {
  "0.0.0.0/0": "all IPv4 addresses",
  "::/0": "all IPv6 addresses",
  "2000::/3": "all IPv6 addresses",
};

function few(blocks: readonly string[]): string {
  const names = blocks.map((block) => whole[block] ?? block);
  const rest = names.length - mostBlocks;
  if (rest > 1) return `${names.slice(0, mostBlocks).join(", ")} and ${rest} more blocks`;
  return andWords(names);
}

const mostEntries = 3;

/** `requests with user agent curl or wget and AS number 64500`: the criteria of the rules that decide before and after each change. */
export function criteriaWords({ changes }: Pick<OutcomePart, "changes">): string[] {
  return changes.map(({ before, after, certainty }) => {
    const acls = [before.acl, after.acl].filter((acl) => acl !== undefined);
    const words = new Set(acls.flatMap((acl) => wordsOf(acl, certainty === "certain")));
    return words.size === 0 ? "requests that no other ACL decides" : `requests with ${andWords(words)}`;
  });
}

/** These blocks together match every address. */
const everywhere = ["0.0.0.0/0", "::/0"];

/** Without a certain change, it matters whether only all signals of `not_match` together exclude a request. */
function wordsOf(acl: PlannedAcl, isSure: boolean): string[] {
  const [matching = [], excluding = []] = sides.map((side) =>
    criteriaOf(acl.rule, side).flatMap(({ signal, properties, texts, entries, isUnknown }) => {
      if (everywhere.every((block) => texts.includes(block))) return [];
      const noun = signal?.noun ?? properties[0]!;
      if (properties.some((name) => acl.secret.has(name))) return `${noun} ${hidden}`;
      const rest = entries.length - mostEntries;
      const all = orWords([
        ...texts.slice(0, mostEntries).map((text) => shownEntry(clipped(text))),
        ...(isUnknown ? ["a value known after apply"] : []),
        ...(rest > 0 ? [`${rest} more`] : []),
      ]);
      return side === "match" ? `${noun} ${all}` : `${noun} other than ${all}`;
    }),
  );
  return [...matching, ...(excluding.length > 1 && !isSure ? [orWords(excluding)] : excluding)];
}

/** `requests that rules name by user agent or hostname`: without entries. */
export function criteriaNouns(parts: readonly OutcomePart[]): string {
  const acls = parts.flatMap((part) => decider(part) ?? []);
  const nouns = new Set(acls.flatMap((acl) => sides.flatMap((side) => literalsOf(acl, side))));
  return nouns.size === 0 ? "some requests" : `requests that rules name by ${orWords(nouns)}`;
}

/** Which named facts exempt requests from the effect: `, except requests with certain user agents`. */
export function exceptionWords(parts: readonly OutcomePart[], { after }: AclAnalysis): string {
  const nouns = new Set<string>();
  for (const part of parts) {
    const last = part.isAfter ? part.cause.after : undefined;
    for (const acl of inOrder(after)) {
      if (acl === last) break;
      const flag = flagOf(acl.rule.action);
      const isOther = flag !== "log" && ends[flag ?? ""] !== part.after;
      if (isOther) for (const noun of literalsOf(acl, "match")) nouns.add(noun);
    }
    if (last) for (const noun of literalsOf(last, "not_match")) nouns.add(noun);
  }
  if (nouns.size === 0) return "";
  return `, except requests ${orWords([...nouns].map(exceptional))}`;
}

function exceptional(noun: string): string {
  const special: Readonly<Record<string, string>> = {
    "curated list": "that are on certain curated lists",
    "signature's key": "with certain signatures",
  };
  return special[noun] ?? `with certain ${noun}s`;
}

/** The address blocks that the rules of the causes name. */
export function namedBlocks(parts: readonly Pick<OutcomePart, "cause">[]): string[] {
  const rules = parts.flatMap(({ cause }) => [cause.before, cause.after].flatMap((acl) => acl?.rule ?? []));
  return rules.flatMap((rule) =>
    sides.flatMap((side) =>
      criteriaOf(rule, side).flatMap(({ properties, texts }) => (properties[0]!.endsWith("cidrs") ? texts : [])),
    ),
  );
}

const ends: Readonly<Record<string, string>> = { allow: "allowed", block: "blocked", redirect: "redirected" };

function literalsOf({ rule }: PlannedAcl, side: (typeof sides)[number]): string[] {
  return criteriaOf(rule, side).flatMap(({ signal, properties }) =>
    /cidrs$|country_codes$/.test(properties[0]!) ? [] : (signal?.noun ?? properties[0]!),
  );
}

/** Whether the deciding rule matches by the property. */
export function matchesBy(part: OutcomePart, property: string): boolean {
  const acl = decider(part);
  return acl !== undefined && criteriaOf(acl.rule, "match").some(({ properties }) => properties.includes(property));
}
