/** Checks facts of requests. A fact that cannot be read would count as not known, and hide that an ACL matches. */
import { parseBlock } from "./cidr";
import { countryMeantBy, countryNames } from "./country";
import { curatedLists } from "./curated-list";
import { isPercentEncoded } from "./path";
import type { AccessRequest } from "./request";

export type FactName = Exclude<keyof AccessRequest, "api"> | "path";

/** Everything that is known about one fact: its form, its description, the signals that match it, and its list in sets of requests. */
export interface FactDescription {
  readonly kind: "text" | "address" | "number" | "list";
  /** Completes "… is not". */
  readonly what: string;
  /** Completes "give". */
  readonly give: string;
  /** Describes the fact in help texts and schemas. */
  readonly help: string;
  readonly example: string | number;
  /** Properties of rules that match the fact. */
  readonly signals: readonly string[];
  readonly fits: (text: string) => boolean;
  /** Whether a text has the right form although it is not valid. */
  readonly hasForm?: (text: string) => boolean;
  /** The fact that a text probably stands for. */
  readonly meant?: (text: string) => string | undefined;
  /** The list of such facts in a set of requests. */
  readonly list: ListDescription;
}

/** Left out: the same as for one fact. */
interface ListDescription extends Partial<Pick<FactDescription, "what" | "give" | "example" | "fits" | "meant">> {
  readonly name: string;
  readonly help: string;
}

const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;
const withoutUnseen = (text: string) => text.replace(unseen, "").trim();
const isSeen = (text: string) => text.search(unseen) < 0;

/** Quoted, with an escape for every invisible character. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(unseen, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);

const code = /^[A-Z][A-Z0-9]$/i;
const region = /^[A-Z][A-Z0-9]-[A-Z0-9]{1,3}$/i;

const address = {
  kind: "address",
  what: "an IP address",
  give: "an IPv4 or IPv6 address, such as 203.0.113.7 or 2001:db8::1",
  fits: (text: string) => parseBlock(text) !== undefined,
} as const;

/** UK has the form of a code, but is none: no request comes from there. */
function fitsCountry(text: string): boolean {
  return countryNames().has(text.toUpperCase()) || (code.test(text) && countryMeantBy(text) === undefined);
}

function regionMeantBy(text: string): string | undefined {
  const [country = "", part = "", ...more] = text.split(/[-_ ]+/);
  const meant = more.length === 0 ? `${countryMeantBy(country)}-${part.toUpperCase()}` : "";
  return region.test(meant) ? meant : undefined;
}

const fingerprint = (text: string) => /^[0-9a-f]{32}$/i.test(text);
/** Protocol, version, and whether there is a server name. The rest may be missing. */
const ja4 = (text: string) => /^[a-z][a-z0-9]{2}[di]\w*$/i.test(text);
const host = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i;

const hostMeantBy = (text: string) => /^(?:[a-z]+:\/\/)?([^/:?#]+)/i.exec(text)?.[1];

const token = (text: string) => /^[\x21-\x7e]{1,255}$/.test(text);

/** Scopes of network ACLs. A set without scopes has the requests of all of them. */
const scopes: readonly string[] = ["authentication", "management", "dynamic_client_registration"];

/** Other names of the scopes, without punctuation. */
const spokenScopes: readonly (readonly [RegExp, string])[] = [
  [/^(sign(ing)?(in|on|up)|login|auth(enti[a-z]*|orize)?|oauth2?|oidc)/, "authentication"],
  [/^(management|mgmt|admin|apiv2|scim)/, "management"],
  [/^(regist|dcr|dynamicclient|oidcregister)/, "dynamic_client_registration"],
];

function scopeMeantBy(text: string): string | undefined {
  const letters = text.toLowerCase().replace(/[^a-z\d]/g, "");
  return spokenScopes.toReversed().find(([form]) => form.test(letters))?.[1];
}

const curatedMeantBy = (text: string) => curatedLists.find((name) => name.endsWith(`.${text.toLowerCase()}`));

const addressList = {
  what: "an IP address or a CIDR block",
  give: "an IPv4 or IPv6 address or block, such as 203.0.113.7, 198.51.100.0/24 or 2001:db8::/32",
  example: "198.51.100.0/24",
  meant: blockMeantBy,
} as const;

/** The block in a URL, with a port, in brackets, or with a length that is too long. */
function blockMeantBy(text: string): string | undefined {
  const bare = text.replace(/^[a-z]+:\/\//i, "");
  const [, named = "", length] = /^\[?([\da-f.:]+?)\]?(?:\/(\d+))?$/i.exec(bare) ?? [];
  const [withoutPort = ""] = bare.split(/:(?=\d+$)/);
  const longest = named.includes(":") ? 128 : 32;
  const near = [length === undefined ? named : `${named}/${Math.min(Number(length), longest)}`, withoutPort];
  return near.find((one) => one !== text && parseBlock(one) !== undefined);
}

/** Adding a fact here adds it to probes, pages and messages. A schema that lists facts picks it by name. */
export const factTable = {
  path: {
    kind: "text",
    what: "a path",
    give: "one such as /api/v2/clients, percent-encoded where it must be",
    help: "Path of the request, such as `/api/v2/clients`.",
    example: "/oauth/token",
    signals: [],
    fits: (text) => isSeen(text) && isPercentEncoded(text),
    list: {
      name: "scopes",
      what: "a scope",
      give: scopes
        .map(quoted)
        .join(", ")
        .replace(/, ([^,]*)$/, " or $1"),
      help:
        "Scopes, as of network ACLs: `authentication`, `management`, or `dynamic_client_registration`, which is `/oidc/register` and " +
        "also belongs to `authentication`.",
      example: "authentication",
      fits: (text) => scopes.includes(text),
      meant: scopeMeantBy,
    },
  },
  ip: {
    ...address,
    help: "Address of the end user, IPv4 or IPv6.",
    example: "203.0.113.7",
    signals: ["ipv4_cidrs", "ipv6_cidrs"],
    list: { ...addressList, name: "ip_cidrs", help: "Addresses and CIDR blocks of end users, IPv4 and IPv6." },
  },
  connecting_ip: {
    ...address,
    help: "Address of the host that connects, such as a proxy. Default: `ip`.",
    example: "198.51.100.7",
    signals: ["connecting_ipv4_cidrs", "connecting_ipv6_cidrs"],
    list: {
      ...addressList,
      name: "connecting_ip_cidrs",
      help: "Addresses and CIDR blocks of the hosts that connect, such as proxies.",
    },
  },
  country: {
    kind: "text",
    what: "the ISO 3166-1 alpha-2 code of a country",
    give: "two letters, such as DE",
    help: "ISO 3166-1 alpha-2 code of the country.",
    example: "DE",
    signals: ["geo_country_codes", "geo_subdivision_codes"],
    fits: fitsCountry,
    meant: countryMeantBy,
    hasForm: (text) => code.test(text),
    list: { name: "countries", help: "ISO 3166-1 alpha-2 codes of countries." },
  },
  subdivision: {
    kind: "text",
    what: "an ISO 3166-2 code",
    give: "country, hyphen and region, such as US-CA",
    help: "ISO 3166-2 code of the region.",
    example: "US-CA",
    signals: ["geo_subdivision_codes"],
    fits: (text) => region.test(text) && fitsCountry(text.slice(0, 2)),
    hasForm: (text) => region.test(text),
    meant: regionMeantBy,
    list: { name: "subdivisions", help: "ISO 3166-2 codes of regions." },
  },
  asn: {
    kind: "number",
    what: "an AS number",
    give: "a whole number from 0 to 4294967295",
    help: "AS number of the network.",
    example: 64500,
    signals: ["asns"],
    fits: (text) => /^\d{1,10}$/.test(text) && Number(text) <= 4294967295,
    meant: (text) => /^AS *(\d+)$/i.exec(text)?.[1],
    list: { name: "asns", help: "AS numbers of networks." },
  },
  user_agent: {
    kind: "text",
    what: "a user agent",
    give: "the header's value on one line, without characters that cannot be seen",
    help: "User agent.",
    example: "HashiCorp Terraform/1.11.4",
    signals: ["user_agents"],
    fits: isSeen,
    list: { name: "user_agents", help: "User agents. The whole header must be equal." },
  },
  hostname: {
    kind: "text",
    what: "a host name",
    give: "one without scheme, port and path, such as login.example.com",
    help: "Host name of the request.",
    example: "acme.eu.auth0.com",
    signals: ["hostnames"],
    fits: (text) => text.length <= 254 && host.test(text),
    meant: hostMeantBy,
    list: { name: "hostnames", help: "Host names of requests." },
  },
  ja3: {
    kind: "text",
    what: "a JA3 fingerprint",
    give: "32 hexadecimal digits",
    help: "JA3 fingerprint of the TLS client.",
    example: "e7d705a3286e19ea42f587b344ee6865",
    signals: ["ja3_fingerprints"],
    fits: fingerprint,
    list: { name: "ja3", help: "JA3 fingerprints of TLS clients." },
  },
  ja4: {
    kind: "text",
    what: "a JA4 fingerprint",
    give: "one such as t13d1516h2_8daaf6152771_02713d6af862",
    help: "JA4 fingerprint of the TLS client.",
    example: "t13d1516h2_8daaf6152771_02713d6af862",
    signals: ["ja4_fingerprints"],
    fits: ja4,
    list: { name: "ja4", help: "JA4 fingerprints of TLS clients." },
  },
  managed: {
    kind: "list",
    what: "the name of a curated list",
    give: "one such as auth0.tor",
    help: "All curated lists that contain the client, such as `auth0.tor`.",
    example: "auth0.tor",
    signals: ["auth0_managed"],
    fits: token,
    list: { name: "managed", help: "Curated lists. At least one of them contains the client.", meant: curatedMeantBy },
  },
  signature_key: {
    kind: "text",
    what: "the id of a key",
    give: "one such as key_8mJ2rTqZsWv5nYxB4cKdEf",
    help: "Id of the key that signed the request.",
    example: "key_8mJ2rTqZsWv5nYxB4cKdEf",
    signals: ["http_message_signature"],
    fits: token,
    list: { name: "signature_keys", help: "Ids of keys. One of them signed the request." },
  },
} as const satisfies Record<FactName, FactDescription>;

export const factNames = Object.keys(factTable) as readonly FactName[];

export type ListName = (typeof factTable)[FactName]["list"]["name"];

const descriptionOf = (name: FactName): FactDescription => factTable[name];

/** Everything that is known about a list of facts in a set of requests. */
export interface ListOfFacts extends Pick<FactDescription, "what" | "give" | "help" | "example" | "fits" | "meant"> {
  readonly name: ListName;
  readonly fact: FactName;
  /** The type of its entries. */
  readonly entries: "text" | "number";
  readonly signals: readonly string[];
}

/** The lists of a set of requests, in the order of the facts. */
export const factLists: readonly ListOfFacts[] = factNames.map((fact) => {
  const { list, kind, ...own } = descriptionOf(fact);
  return { ...own, ...list, name: list.name as ListName, fact, entries: kind === "number" ? "number" : "text" };
});

export const listNames: readonly ListName[] = factLists.map(({ name }) => name);

const listOf = new Map<string, ListOfFacts>(factLists.map((list) => [list.name, list]));

/** The problem of an entry of a list and the remedy. undefined: the entry is readable. */
export function problemOfEntry(name: ListName, value: string | number): string | undefined {
  const list = listOf.get(name)!;
  const text = String(value);
  return text !== "" && list.fits(text) ? undefined : refusalOf(list, text);
}

/** Every request has these facts, so an empty text is an error. */
const always = new Set<FactName>(["path", "ip", "connecting_ip"]);

/** Whether the text has the form of the fact. Faster than the search for the problem. */
export const isFact = (name: FactName, text: string): boolean =>
  text === "" ? !always.has(name) : descriptionOf(name).fits(text);

/** The problem of an unreadable fact and the remedy. undefined: the fact is readable. */
export function problemOf(name: FactName, value: string | number): string | undefined {
  const text = String(value);
  return isFact(name, text) ? undefined : refusalOf(descriptionOf(name), text);
}

type Form = Pick<FactDescription, "what" | "give" | "fits" | "meant">;

/** Names the nearest valid text if there is one. */
function refusalOf(form: Form, text: string): string {
  const { fits, meant } = form;
  const bare = withoutUnseen(text);
  const near = bare !== text && fits(bare) ? bare : meant?.(bare);
  return refusalWords(form, text, near !== undefined && near !== "" && fits(near) ? near : undefined);
}

/** Says that a text is not the fact, and what to give. `near`: the fact that is probably meant. */
export function refusal(name: FactName, text: string, near?: string): string {
  return refusalWords(descriptionOf(name), text, near);
}

function refusalWords({ what, give }: Pick<Form, "what" | "give">, text: string, near: string | undefined): string {
  const remedy = near === undefined ? `give ${give}` : `${quoted(near)} is probably meant`;
  return `${quoted(text)} is not ${what}: ${remedy}.`;
}

/** Whether an invalid fact still has the right form, such as the country UK. */
export const hasForm = (name: FactName, value: string | number): boolean =>
  descriptionOf(name).hasForm?.(String(value)) ?? false;

/** The first fact that cannot be read, in words that name it. */
export function problemIn(given: { readonly [name: string]: unknown }): string | undefined {
  for (const name of factNames) {
    for (const value of [given[name] ?? []].flat() as unknown[]) {
      const isText = typeof value === "string" || typeof value === "number";
      const problem = isText
        ? problemOf(name, value)
        : `${quoted(String(JSON.stringify(value)))} is not ${descriptionOf(name).what}.`;
      if (problem !== undefined) return `${name}: ${problem}`;
    }
  }
  return undefined;
}
