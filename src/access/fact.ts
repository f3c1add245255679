/** Checks facts of requests. A fact that cannot be read would count as not known, and hide that an ACL matches. */
import { parseBlock } from "./cidr";
import { countryMeantBy, countryNames } from "./country";
import { isPercentEncoded } from "./path";
import type { AccessRequest } from "./request";

export type FactName = Exclude<keyof AccessRequest, "api"> | "path";

interface Form {
  /** Completes "… is not". */
  readonly what: string;
  /** Completes "give". */
  readonly give: string;
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

const address: Form = {
  what: "an IP address",
  give: "an IPv4 or IPv6 address, such as 203.0.113.7 or 2001:db8::1",
  fits: (text) => parseBlock(text) !== undefined,
};

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

const forms: Record<FactName, Form> = {
  path: {
    what: "a path",
    give: "one such as /api/v2/clients, percent-encoded where it must be",
    fits: (text) => isSeen(text) && isPercentEncoded(text),
  },
  ip: address,
  connecting_ip: address,
  asn: {
    what: "an AS number",
    give: "a whole number from 0 to 4294967295",
    fits: (text) => /^\d{1,10}$/.test(text) && Number(text) <= 4294967295,
  },
  country: {
    what: "the ISO 3166-1 alpha-2 code of a country",
    give: "two letters, such as DE",
    fits: fitsCountry,
    meant: countryMeantBy,
    hasForm: (text) => code.test(text),
  },
  subdivision: {
    what: "an ISO 3166-2 code",
    give: "country, hyphen and region, such as US-CA",
    fits: (text) => region.test(text) && fitsCountry(text.slice(0, 2)),
    hasForm: (text) => region.test(text),
    meant: regionMeantBy,
  },
  user_agent: {
    what: "a user agent",
    give: "the header's value on one line, without characters that cannot be seen",
    fits: isSeen,
  },
  hostname: {
    what: "a host name",
    give: "one without scheme, port and path, such as login.example.com",
    fits: (text) => text.length <= 254 && host.test(text),
    meant: hostMeantBy,
  },
  ja3: { what: "a JA3 fingerprint", give: "32 hexadecimal digits", fits: fingerprint },
  ja4: { what: "a JA4 fingerprint", give: "one such as t13d1516h2_8daaf6152771_02713d6af862", fits: ja4 },
  managed: { what: "the name of a curated list", give: "one such as auth0.tor", fits: token },
  signature_key: { what: "the id of a key", give: "one such as key_8mJ2rTqZsWv5nYxB4cKdEf", fits: token },
};

/** Every request has these facts, so an empty text is an error. */
const always = new Set<FactName>(["path", "ip", "connecting_ip"]);

/** What is wrong with a fact, and what to give instead; undefined where it can be read. */
export function problemOf(name: FactName, value: string | number): string | undefined {
  const text = String(value);
  const { what, give, fits, meant } = forms[name];
  if (text === "" ? !always.has(name) : fits(text)) return undefined;
  const bare = withoutUnseen(text);
  const near = bare !== text && fits(bare) ? bare : meant?.(bare);
  const remedy = near !== undefined && near !== "" && fits(near) ? `${quoted(near)} is probably meant` : `give ${give}`;
  return `${quoted(text)} is not ${what}: ${remedy}.`;
}

/** Whether an invalid fact still has the right form, such as the country UK. */
export const hasForm = (name: FactName, value: string | number): boolean =>
  forms[name].hasForm?.(String(value)) ?? false;

/** The first fact that cannot be read, in words that name it. */
export function problemIn(facts: { readonly [name: string]: unknown }): string | undefined {
  for (const name of Object.keys(forms) as FactName[]) {
    for (const value of [facts[name] ?? []].flat() as unknown[]) {
      const isText = typeof value === "string" || typeof value === "number";
      const problem = isText
        ? problemOf(name, value)
        : `${quoted(String(JSON.stringify(value)))} is not ${forms[name].what}.`;
      if (problem !== undefined) return `${name}: ${problem}`;
    }
  }
  return undefined;
}
