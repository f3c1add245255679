/**
 * The forms of facts: which texts are one, which fact another text stands for, and how a fact is spelled. Countries, with how many people use the
 * Internet there.
 */
import { parseBlock } from "./cidr";

/**
 * The alpha-2 codes of ISO 3166-1 and XK, the usual code of Kosovo, with the number of Internet users of each country.
 *
 * Source of the numbers: The World Factbook (public domain), "Internet users", totals of 2021. It prints 3,239,000 for Ukraine,
 * but also 79 % of the population: that is 32,390,000. The totals of South Africa, Hong Kong, Taiwan, Palestine and small
 * territories are older, mostly of 2019 and 2020. The Factbook has no total for a country without a number here.
 */
// prettier-ignore
const users: ReadonlyMap<string, number> = new Map(Object.entries({
  AD: 74260, AE: 9400000, AF: 7020000, AG: 89280, AI: 12489, AL: 2291000, AM: 2212000, AO: 11550000, AQ: 4400,
  AR: 39150000, AS: 17147, AT: 8277000, AU: 24960000, AW: 103121, AX: 0, AZ: 8600000, BA: 2508000, BB: 240800,
  BD: 66300000, BE: 10920000, BF: 4840000, BG: 5175000, BH: 1500000, BI: 754000, BJ: 4420000, BL: 7128, BM: 62625,
  BN: 441000, BO: 7920000, BQ: 0, BR: 170100000, BS: 385400, BT: 670800, BV: 0, BW: 1924000, BY: 8352000, BZ: 248000,
  CA: 35340000, CC: 0, CD: 21102720, CF: 605000, CG: 1794390, CH: 8352000, CI: 12150000, CK: 9476, CL: 17100000,
  CM: 12420000, CN: 1022000000, CO: 37960000, CR: 4316000, CU: 7810000, CV: 413000, CW: 107060, CX: 790, CY: 809900,
  CZ: 9130000, DE: 75530000, DJ: 759000, DK: 5841000, DM: 58320, DO: 9350000, DZ: 31240000, EC: 13680000,
  EE: 1183000, EG: 79200000, EH: 0, ER: 792000, ES: 44180000, ET: 20400000, FI: 5115000, FJ: 809600, FK: 3343,
  FM: 44000, FO: 47703, FR: 55900000, GA: 1656000, GB: 64990000, GD: 93600, GE: 2888000, GF: 0, GG: 54726,
  GH: 22440000, GI: 31684, GL: 39358, GM: 858000, GN: 4900000, GP: 0, GQ: 864000, GR: 7800000, GS: 0, GT: 9180000,
  GU: 135509, GW: 735000, GY: 680000, HK: 6883256, HM: 0, HN: 4800000, HR: 3321000, HT: 4290000, HU: 8633000,
  ID: 167400000, IE: 4750000, IL: 8010000, IM: 0, IN: 644000000, IO: 0, IQ: 21560000, IR: 69520000, IS: 370000,
  IT: 44250000, JE: 44198, JM: 2296000, JO: 9130000, JP: 99600000, KE: 15370000, KG: 5070000, KH: 10200000,
  KI: 70200, KM: 221400, KN: 37920, KP: 0, KR: 50960000, KW: 4300000, KY: 53233, KZ: 17290000, LA: 4588000,
  LB: 4872000, LC: 140400, LI: 37440, LK: 14740000, LR: 1768000, LS: 1104000, LT: 2436000, LU: 633600, LV: 1729000,
  LY: 3095400, MA: 32560000, MC: 31820, MD: 1891000, ME: 516600, MF: 19300, MG: 5800000, MH: 16254, MK: 1743000,
  ML: 7480000, MM: 23760000, MN: 2772000, MO: 571421, MP: 17418, MQ: 0, MR: 2714000, MS: 2744, MT: 461100,
  MU: 884000, MV: 447200, MW: 4800000, MX: 98800000, MY: 32980000, MZ: 5440000, NA: 1325000, NC: 222466, NE: 5500000,
  NF: 612, NG: 115500000, NI: 3933000, NL: 16560000, NO: 5346000, NP: 15600000, NR: 10920, NU: 1292, NZ: 4896000,
  OM: 4320000, PA: 2992000, PE: 24140000, PF: 203878, PG: 3168000, PH: 58300000, PK: 48300000, PL: 32300000,
  PM: 4500, PN: 50, PR: 2559600, PS: 3602452, PT: 8200000, PW: 6696, PY: 5159000, QA: 2700000, RE: 0, RO: 15960000,
  RS: 5589000, RU: 132000000, RW: 3900000, SA: 36000000, SB: 255600, SC: 90200, SD: 13248000, SE: 8800000,
  SG: 5369000, SH: 2302, SI: 1869000, SJ: 0, SK: 4806000, SL: 1047499, SM: 25500, SN: 9860000, SO: 2465000,
  SR: 402600, SS: 869000, ST: 112200, SV: 3969000, SX: 39100, SY: 8492468, SZ: 708000, TC: 0, TD: 3060000, TF: 0,
  TG: 3010000, TH: 61200000, TJ: 3009054, TK: 805, TL: 507000, TM: 1563023, TN: 9480000, TO: 73700, TR: 68850000,
  TT: 1185000, TV: 7920, TW: 21158750, TZ: 20480000, UA: 32390000, UG: 4600000, UM: 0, US: 312800000, UY: 3060000,
  UZ: 26180000, VA: 383, VC: 85000, VE: 22734162, VG: 23585, VI: 68268, VN: 71780000, VU: 211200, WF: 1029,
  WS: 171600, XK: 1756300, YE: 8229624, YT: 0, ZA: 41516083, ZM: 3990000, ZW: 5600000,
}));

export const countries: readonly string[] = [...users.keys()];

/** 0 if the source has no figure. */
export const internetUsersOf = (country: string): number => users.get(country) ?? 0;

/** Common names that are not the official name or code. */
const spoken: Readonly<Record<string, string>> = { UK: "GB", USA: "US", UAE: "AE", "GREAT BRITAIN": "GB" };

let names: ReadonlyMap<string, string> | undefined;

/** Code -> English name from the runtime. */
export function countryNames(): ReadonlyMap<string, string> {
  if (names) return names;
  const known = new Intl.DisplayNames(["en"], { type: "region" });
  return (names = new Map(countries.map((code) => [code, known.of(code)!])));
}

/** The code of the country that a text most probably means. */
export function likelyCountry(text: string): string | undefined {
  const written = text.trim().toUpperCase();
  if (countryNames().has(written)) return written;
  return spoken[written] ?? [...countryNames()].find(([, name]) => name.toUpperCase() === written)?.[0];
}

/** The right code if no request has this one, such as GB for UK and GB-ENG for UK-ENG; undefined: requests may have it. */
export function likelyCode(text: string): string | undefined {
  const [country = "", ...region] = text.trim().split("-");
  const likely = likelyCountry(country);
  if (likely === undefined || likely === country.toUpperCase()) return undefined;
  return [likely, ...region.map((part) => part.toUpperCase())].join("-");
}

/** The country of a region, by the form of its code alone. */
export const homeOf = (region: string | undefined): string | undefined =>
  /^([A-Z]{2})-[A-Z0-9]{1,3}$/.exec(region ?? "")?.[1];

const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;
export const withoutUnseen = (text: string) => text.replace(unseen, "").trim();
export const isSeen = (text: string) => text.search(unseen) < 0;

/** Quoted, with an escape for every invisible character. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(unseen, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);

export const upper = (text: string) => text.toUpperCase();
export const lower = (text: string) => text.toLowerCase();

const unreserved = (encoded: string): string => {
  const character = String.fromCharCode(parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : encoded;
};

/**
 * Takes a path or a whole URL. Removes the query and dot segments, and decodes once the characters that mean the same when
 * decoded (letters, digits and `-._~`). The first slash may be missing.
 */
export function canonicalPath(text: string): string {
  const [path = ""] = text.replace(/^https?:\/\/[^/?#\\]*/i, "").split(/[?#]/);
  const segments: string[] = [];
  const [, ...parts] = path.replaceAll("\\", "/").replace(/^\/?/, "/").split("/");
  for (const [index, part] of parts.entries()) {
    const segment = part.replace(/%[\da-f]{2}/gi, unreserved);
    if (segment === "..") segments.pop();
    if (segment !== "." && segment !== "..") segments.push(segment);
    else if (index === parts.length - 1) segments.push("");
  }
  return `/${segments.join("/")}`;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const isPath = (text: string) => isSeen(text) && isPercentEncoded(text);
export const isBlock = (text: string) => parseBlock(text) !== undefined;
export const isToken = (text: string) => /^[\x21-\x7e]{1,255}$/.test(text);

const code = /^[A-Z][A-Z0-9]$/i;
const region = /^[A-Z][A-Z0-9]-[A-Z0-9]{1,3}$/i;
export const hasFormOfCountry = (text: string) => code.test(text);
export const hasFormOfRegion = (text: string) => region.test(text);

/** UK has the form of a code, but is none: no request comes from there. */
export function isCountry(text: string): boolean {
  return countryNames().has(text.toUpperCase()) || (code.test(text) && likelyCountry(text) === undefined);
}

export const isRegion = (text: string) => region.test(text) && isCountry(text.slice(0, 2));

export function likelyRegion(text: string): string | undefined {
  const [country = "", part = "", ...more] = text.split(/[-_ ]+/);
  const likely = more.length === 0 ? `${likelyCountry(country)}-${part.toUpperCase()}` : "";
  return region.test(likely) ? likely : undefined;
}

export const mostAsn = 4_294_967_295;
export const isAsn = (text: string) => /^\d{1,10}$/.test(text) && Number(text) <= mostAsn;
export const likelyAsn = (text: string) => /^AS *(\d+)$/i.exec(text)?.[1];

const host = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i;
export const isHost = (text: string) => text.length <= 254 && host.test(text);
export const likelyHost = (text: string) => /^(?:[a-z]+:\/\/)?([^/:?#]+)/i.exec(text)?.[1];
export const plainHost = (text: string) => text.toLowerCase().replace(/\.$/, "");

/** The curated lists of clients that the service maintains. The service may add lists. */
export const curatedLists = [
  "auth0.low_reputation",
  "auth0.icloud_relay_proxy",
  "auth0.proxy",
  "auth0.tor",
  "auth0.vpn",
];

export const likelyCurated = (text: string) => curatedLists.find((name) => name.endsWith(`.${text.toLowerCase()}`));

/** Scopes of network ACLs. A set without scopes has the requests of all of them. */
export const scopeNames: readonly string[] = ["authentication", "management", "dynamic_client_registration"];
export const isScope = (text: string) => scopeNames.includes(text);

/** Other names of the scopes, without punctuation. */
const spokenScopes: readonly (readonly [RegExp, string])[] = [
  [/^(sign(ing)?(in|on|up)|login|auth(enti[a-z]*|orize)?|oauth2?|oidc)/, "authentication"],
  [/^(management|mgmt|admin|apiv2|scim)/, "management"],
  [/^(regist|dcr|dynamicclient|oidcregister)/, "dynamic_client_registration"],
];

export function likelyScope(text: string): string | undefined {
  const letters = text.toLowerCase().replace(/[^a-z\d]/g, "");
  return spokenScopes.toReversed().find(([form]) => form.test(letters))?.[1];
}

/** The block in a URL, with a port, in brackets, or with a length that is too long. */
export function likelyBlock(text: string): string | undefined {
  const bare = text.replace(/^[a-z]+:\/\//i, "");
  const [, named = "", length] = /^\[?([\da-f.:]+?)\]?(?:\/(\d+))?$/i.exec(bare) ?? [];
  const [withoutPort = ""] = bare.split(/:(?=\d+$)/);
  const longest = named.includes(":") ? 128 : 32;
  const near = [length === undefined ? named : `${named}/${Math.min(Number(length), longest)}`, withoutPort];
  return near.find((one) => one !== text && isBlock(one));
}
