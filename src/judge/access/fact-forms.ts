/** The forms of facts: which texts are one, which fact another text stands for, and how a fact is spelled. */
import { parseBlock } from "./cidr";
import { likelyCountry, countryNames } from "./country";

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
