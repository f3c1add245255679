/**
 * The words of outcomes and logging: what happens to which requests.
 *
 * | facts | words |
 * | --- | --- |
 * | allowed -> blocked, everywhere | `Blocks sign-in and tokens for everyone.` |
 * | the same in CU and IR | `Blocks sign-in and tokens for 2.3 % of the world: everyone in Cuba (CU) and Iran (IR).` |
 * | blocked -> allowed, user agent curl | `Allows sign-in and tokens for requests with user agent curl.` |
 */
import {
  anotherKey,
  countAddresses,
  countries as everyCountry,
  countryNames,
  entriesWithin,
  parseBlock,
  rowOf,
} from "../../access/access";
import type { Api, Area, Entries, FactName, FactValuesOf, RequestCase } from "../../access/access";
import {
  amount,
  amountWords,
  counted,
  andWords,
  clipped,
  hidden,
  listed as listedWords,
  orWords,
} from "../../../formats/text/lists";
import { doubtWords } from "./assumption";
import { shownEntry } from "./match";
import type { Template } from "./template";
import type { LoggingFacts, OutcomeFacts, Requests } from "../network-acl/facts";

type Facts = OutcomeFacts | LoggingFacts;

export const outcome: Template<OutcomeFacts> = templateOf();
export const logging: Template<LoggingFacts> = templateOf();

function templateOf<F extends Facts>(): Template<F> {
  return {
    sentence: (facts, { certainty, assumptions }) =>
      sentence(facts, certainty === "certain", everyoneIn(facts)) + doubtWords(assumptions, 1),
    brief: (facts, { certainty }) => sentence(withoutNames(facts), certainty === "certain", anonymousIn(facts)),
    who: (facts) => (facts.isHidden ? hidden : requestWords(facts)),
  };
}

/** Hosts and lists of countries are values of rules. */
function withoutNames(facts: Facts): Facts {
  if (facts.kind === "logging") return facts;
  const { allowed: _allowed, ...others } = facts;
  return { ...others, hosts: { before: [], after: [] } };
}

function sentence(facts: Facts, isCertain: boolean, who: string): string {
  if (facts.kind === "logging") {
    const does = facts.direction === "lost" ? "No longer logged" : isCertain ? "Newly logged" : "May be newly logged";
    return `${does}: ${who} (${apiWords(facts.apis)}).`;
  }
  const { before, after, apis, hosts } = facts;
  const verb = isCertain ? verbs[after].does : verbs[after].may;
  return `${verb} ${apiWords(apis)}${targetWords(hosts, before)} for ${who}${endWords(before, after)}.${allowedWords(facts)}${loggedWords(facts)}`;
}

const verbs = {
  allowed: { does: "Allows", may: "May allow" },
  blocked: { does: "Blocks", may: "May block" },
  redirected: { does: "Redirects", may: "May redirect" },
};

function targetWords({ before: old, after: now }: OutcomeFacts["hosts"], before: string): string {
  if (now.length === 0) return "";
  if (before === "redirected" && old.join() === now.join()) return ` to another address of ${andWords(now)}`;
  const instead = old.length > 0 ? ` instead of ${andWords(old)}` : "";
  return ` to ${andWords(now)}${instead}`;
}

function endWords(before: string, after: string): string {
  if (before === after || before === "allowed" || after === "allowed") return "";
  return `, no longer ${before}`;
}

function allowedWords({ allowed }: OutcomeFacts): string {
  if (!allowed) return "";
  return allowed.length === 0 ? " No country is allowed." : ` Still allowed: ${listed(allowed)}.`;
}

function loggedWords({ logged }: OutcomeFacts): string {
  if (!logged) return "";
  const { api, sure, possible, of } = logged;
  const rest = possible > 0 ? `, and ${amount(possible)} that the log does not decide` : "";
  return ` In your log: ${amount(sure)} of ${counted(of, "request")} to ${apiWords([api])}${rest}.`;
}

const apiNames: Record<Api, readonly string[]> = {
  authentication: ["sign-in", "tokens"],
  management: ["the Management API"],
  dynamic_client_registration: ["client registration"],
};

/** `sign-in, tokens, the Management API and client registration` */
export const apiWords = (apis: readonly Api[]): string => andWords(apis.flatMap((api) => apiNames[api]));

function everyoneIn(facts: Requests): string {
  if (facts.isHidden) return `requests that are not shown, because a value is ${hidden.slice(1, -1)}`;
  const who = requestWords(facts);
  const share = facts.extent ? shareText(facts.extent) : undefined;
  return share === undefined ? who : `${share}: ${who}`;
}

function anonymousIn(facts: Requests): string {
  const { extent, cases, exceptions, isBound, isHidden } = facts;
  if (isHidden) return "some requests";
  const nouns = (some: readonly RequestCase[]) => [
    ...new Set(some.flatMap(({ criteria }) => criteria.map(({ fact }) => nounOf(fact)))),
  ];
  if (!extent) return `requests that rules name by ${orWords(nouns(cases))}`;
  const except =
    exceptions.length === 0
      ? isBound
        ? ", except perhaps requests that rules name"
        : ""
      : `, except requests with certain ${orWords(nouns(exceptions).map((noun) => `${noun}s`))}`;
  return `${shareText(extent) ?? familyWords(extent)}${except}`;
}

const mostAreas = 2;
const mostCases = 3;

function requestWords({ extent, cases, exceptions, isBound }: Requests): string {
  if (!extent) return few(cases.map(caseWords), mostCases, "more kinds of requests");
  const where = few(extent.areas.map(areaWords), mostAreas, "more areas");
  if (exceptions.length === 0) return isBound ? `${where}, except perhaps requests that rules name` : where;
  const rest = isBound ? "; and perhaps others that rules name" : "";
  return `${where}, except ${few(exceptions.map(caseWords), mostCases, "more kinds of requests")}${rest}`;
}

function few(words: readonly string[], most: number, more: string): string {
  const rest = words.length - most;
  // A count of one would take the place of the words.
  return rest > 1 ? `${words.slice(0, most).join("; ")}; and ${rest} ${more}` : words.join("; ");
}

/** `requests with user agent curl/8.5.0 and AS number 64500 in Germany (DE)` */
function caseWords({ criteria, areas }: RequestCase): string {
  const where = areas && few(areas.map(areaWords), mostAreas, "more areas");
  return `requests ${andWords(criteria.map(criterionWords))}${where === undefined ? "" : ` from ${where}`}`;
}

const mostEntries = 3;

function criterionWords({ fact, values, isOther }: FactValuesOf): string {
  const all = fewEntries(values);
  if (fact === "user_agent") return agentWords(values, isOther);
  if (fact === "managed") return isOther ? `on no list ${all}` : `on curated list ${all}`;
  if (fact === "signature_key") return signatureWords(values, isOther);
  return `with ${nounOf(fact)} ${isOther ? "other than " : ""}${all}`;
}

function fewEntries(values: readonly string[]): string {
  return orWords(
    listedWords(
      values.map((text) => shownEntry(clipped(text))),
      mostEntries,
    ),
  );
}

/** `with user agent wget or another one that has curl in it` */
function agentWords(values: readonly string[], isOther: boolean): string {
  const whole = values.filter((agent) => entriesWithin(agent) === undefined);
  const within = values.flatMap((agent) => [entriesWithin(agent) ?? []]).filter(({ length }) => length > 0);
  // What has curl and wget in it has curl in it.
  const isMore = (one: readonly string[], other: readonly string[]) =>
    other.length < one.length && other.every((entry) => one.includes(entry));
  const around = within.filter((one) => !within.some((other) => isMore(one, other))).map((one) => one.join(" and "));
  // curl has curl in it.
  const named = whole.filter((agent) => !within.some((entries) => entries.every((entry) => agent.includes(entry))));
  if (isOther) {
    const without = around.length > 0 ? ` that does not have ${fewEntries(around)} in it` : "";
    return `with user agent${named.length > 0 ? ` other than ${fewEntries(named)}` : ""}${without}`;
  }
  if (around.length === 0) return `with user agent ${fewEntries(named)}`;
  const one =
    named.length > 0
      ? `user agent ${fewEntries(named)} or another one`
      : `${whole.length > 0 ? "a" : "another"} user agent`;
  return `with ${one} that has ${fewEntries(around)} in it`;
}

function signatureWords(values: readonly string[], isOther: boolean): string {
  const named = values.filter((key) => key !== anotherKey);
  const other = named.length < values.length ? [anotherKey] : [];
  if (isOther && other.length > 0 && named.length === 0) return `not signed with ${anotherKey}`;
  const shown = listedWords(
    named.map((text) => shownEntry(clipped(text))),
    mostEntries,
  );
  const keys = orWords([...shown.map((id, index) => (index === 0 ? `key ${id}` : id)), ...other]);
  return `${isOther ? "not signed" : "signed"} with ${keys}`;
}

const nounOf = (fact: FactName): string => rowOf(fact).noun;

const whole: Readonly<Record<string, string>> = {
  "0.0.0.0/0": "all IPv4 addresses",
  "::/0": "all IPv6 addresses",
};

const mostBlocks = 3;

function areaWords({ countries, addresses, by }: Area): string {
  const place = placeWords(countries);
  const what = by === undefined ? "" : `${nounOf(by)} `;
  if ("outside" in addresses) {
    if (addresses.outside.length === 0) return place === "" ? "everyone" : `everyone ${place}`;
    const out = `${what}${blockWords(addresses.outside)}`;
    return place === "" ? `everyone outside ${out}` : `everyone ${place}, but not ${out}`;
  }
  const isNamed = addresses.in.some((block) => whole[block] !== undefined);
  const size = isNamed ? "" : ` (${sizeWords(addresses.in)})`;
  return `${what}${blockWords(addresses.in)}${size}${place === "" ? "" : ` ${place}`}`;
}

const blockWords = (blocks: readonly string[]): string => {
  const rest = blocks.length - mostBlocks;
  const names = blocks.map((block) => whole[block] ?? block);
  return rest > 1 ? `${names.slice(0, mostBlocks).join(", ")} and ${rest} more blocks` : andWords(names);
};

function sizeWords(texts: readonly string[]): string {
  const sizes = { 4: 0n, 6: 0n };
  for (const text of texts) {
    const [first, last] = text.split("-").map((one) => parseBlock(one)!);
    const { family } = first!;
    sizes[family] += last ? last.first - first!.first + 1n : countAddresses([first!], family);
  }
  return andWords([
    ...amountWords(sizes[4], ["address", "addresses"]),
    ...amountWords(sizes[6], ["IPv6 address", "IPv6 addresses"]),
  ]);
}

/** `in Cuba (CU)`, `outside 48 countries (AD, AL, AT, …)`; empty for the whole world. */
function placeWords(countries: Entries): string {
  if ("outside" in countries) {
    if (countries.outside.length === 0) return "";
    return isNowhere(countries.outside) ? "without a country" : `outside ${listed(countries.outside)}`;
  }
  return `in ${listed(countries.in)}`;
}

const isNowhere = (codes: readonly string[]) => everyCountry.every((code) => codes.includes(code));

const mostCodes = 5;

function listed(codes: readonly string[]): string {
  if (codes.length > mostCodes) return `${codes.length} countries (${codes.slice(0, 3).join(", ")}, …)`;
  const names = countryNames();
  return andWords(codes.map((code) => (names.has(code) ? `${names.get(code)} (${code})` : code)));
}

type Shares = NonNullable<Requests["extent"]>;

const isEverything = ({ ipv4, ipv6 }: Shares) => ipv4 === 1 && ipv6 === 1;
const isNearlyAll = ({ ipv4, ipv6 }: Shares) => Math.min(ipv4, ipv6) > 0.99;

function familyWords(extent: Shares): string {
  if (isEverything(extent)) return "everyone";
  const all = [extent.ipv4, extent.ipv6].flatMap((share, at) => {
    const family = `IPv${at === 0 ? 4 : 6}`;
    if (share === 1) return `all ${family} addresses`;
    return share < 0.001 ? [] : `${shareWords(share)} of ${family}`;
  });
  return all.length > 0 ? andWords(all) : "some addresses";
}

/** `about 69 % of the world`. Undefined: everyone, or too few to say. */
function shareText(extent: Shares): string | undefined {
  const { ipv4, ipv6 } = extent;
  const [own, share] = [[ipv4, ipv6].map(shareWords), Math.max(ipv4, ipv6)];
  if (share < 0.001 || isEverything(extent)) return undefined;
  if (isNearlyAll(extent)) return "almost everyone";
  if (own[0] === own[1]) return `${own[0]} of the world`;
  if (share === 1) return undefined;
  return andWords(
    [ipv4, ipv6].flatMap((one, at) => (one === 0 ? [] : [`${shareWords(one)} of IPv${at === 0 ? 4 : 6}`])),
  );
}

/** `about 69 %`; `all` only if nothing is missing. */
export function shareWords(share: number): string {
  if (share === 1) return "all";
  const percent = 100 * share;
  if (percent < 0.1) return "less than 0.1 %";
  const number = percent < 10 ? percent.toFixed(1).replace(/\.0$/, "") : String(Math.min(Math.round(percent), 99));
  return `about ${number} %`;
}
