/** Checks facts of requests. A fact that cannot be read would count as not known, and hide that an ACL matches. */
import { parseBlock } from "./cidr";
import { countryMeantBy, countryNames } from "./country";
import { isPercentEncoded } from "./path";
import type { AccessRequest } from "./request";

export type FactName = Exclude<keyof AccessRequest, "api"> | "path";

/** Everything that is known about one fact: its form, its description, and the signals that match it. */
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
  },
  ip: {
    ...address,
    help: "Address of the end user, IPv4 or IPv6.",
    example: "203.0.113.7",
    signals: ["ipv4_cidrs", "ipv6_cidrs"],
  },
  connecting_ip: {
    ...address,
    help: "Address of the host that connects, such as a proxy. Default: `ip`.",
    example: "198.51.100.7",
    signals: ["connecting_ipv4_cidrs", "connecting_ipv6_cidrs"],
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
  },
  asn: {
    kind: "number",
    what: "an AS number",
    give: "a whole number from 0 to 4294967295",
    help: "AS number of the network.",
    example: 64500,
    signals: ["asns"],
    fits: (text) => /^\d{1,10}$/.test(text) && Number(text) <= 4294967295,
  },
  user_agent: {
    kind: "text",
    what: "a user agent",
    give: "the header's value on one line, without characters that cannot be seen",
    help: "User agent.",
    example: "HashiCorp Terraform/1.11.4",
    signals: ["user_agents"],
    fits: isSeen,
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
  },
  ja3: {
    kind: "text",
    what: "a JA3 fingerprint",
    give: "32 hexadecimal digits",
    help: "JA3 fingerprint of the TLS client.",
    example: "e7d705a3286e19ea42f587b344ee6865",
    signals: ["ja3_fingerprints"],
    fits: fingerprint,
  },
  ja4: {
    kind: "text",
    what: "a JA4 fingerprint",
    give: "one such as t13d1516h2_8daaf6152771_02713d6af862",
    help: "JA4 fingerprint of the TLS client.",
    example: "t13d1516h2_8daaf6152771_02713d6af862",
    signals: ["ja4_fingerprints"],
    fits: ja4,
  },
  managed: {
    kind: "list",
    what: "the name of a curated list",
    give: "one such as auth0.tor",
    help: "All curated lists that contain the client, such as `auth0.tor`.",
    example: "auth0.tor",
    signals: ["auth0_managed"],
    fits: token,
  },
  signature_key: {
    kind: "text",
    what: "the id of a key",
    give: "one such as key_8mJ2rTqZsWv5nYxB4cKdEf",
    help: "Id of the key that signed the request.",
    example: "key_8mJ2rTqZsWv5nYxB4cKdEf",
    signals: ["http_message_signature"],
    fits: token,
  },
} as const satisfies Record<FactName, FactDescription>;

export const factNames = Object.keys(factTable) as readonly FactName[];

const descriptionOf = (name: FactName): FactDescription => factTable[name];

/** Every request has these facts, so an empty text is an error. */
const always = new Set<FactName>(["path", "ip", "connecting_ip"]);

/** The problem of an unreadable fact and the remedy. undefined: the fact is readable. */
export function problemOf(name: FactName, value: string | number): string | undefined {
  const text = String(value);
  const { fits, meant } = descriptionOf(name);
  if (text === "" ? !always.has(name) : fits(text)) return undefined;
  const bare = withoutUnseen(text);
  const near = bare !== text && fits(bare) ? bare : meant?.(bare);
  return refusal(name, text, near !== undefined && near !== "" && fits(near) ? near : undefined);
}

/** Says that a text is not the fact, and what to give. `near`: the fact that is probably meant. */
export function refusal(name: FactName, text: string, near?: string): string {
  const { what, give } = descriptionOf(name);
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
