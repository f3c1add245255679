/** Schemas of values that several definitions have: texts, addresses and times, and warnings about likely mistakes. */
import * as z from "zod";
import { countryNames, isBlockOf, likelyCountry, likelyRegion, quoted, rowOf } from "../../judge/access/access";
import { nearest } from "../../formats/text/nearest";
import { urlIn } from "../../formats/text/url";
import { type Report, rule, string } from "../sdk/attribute";

/* Refuses characters that a reader cannot see, so that people review exactly the text that is sent. */

/** Joiners too: two texts that look the same would not match the same requests. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** For texts that the service compares with requests, callers and users. */
export const visible = (schema = string) =>
  schema.refine((text) => !invisible.test(text), "remove line breaks, control characters and invisible characters");

const control = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

/** For texts that only people read. They may have several lines and run from right to left. */
export const prose = (schema = string) =>
  schema.refine((text) => !control.test(text), "remove control characters other than line breaks and tabs");

/* Network addresses, host names and URLs in the forms that the service accepts. */

const ipv4 = "an IPv4 address or CIDR block, such as 203.0.113.7 or 203.0.113.0/24";
const ipv6 = "an IPv6 address or CIDR block, such as 2001:db8::1 or 2001:db8::/32";

export const ipv4Cidr = string.refine((text) => isBlockOf(4, text), `give ${ipv4}`);
export const ipv6Cidr = string.refine((text) => isBlockOf(6, text), `give ${ipv6}`);

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

export const hostname = string.refine(
  (text) => text.length <= 253 && text.split(".").every((part) => label.test(part)),
  "give a host name without scheme, port or path, such as login.example.com",
);

const https = /^https:\/\/[^\s/?#@\\]+([/?#][^\s\\]*)?$/i;

export const httpsUri = visible().refine(
  (text) => https.test(text) && urlIn(text) !== undefined,
  "give a whole https URL, such as https://example.com/too-many-requests",
);

/* Warns about values that the service accepts but that are probably mistakes. */

export const texts = z.array(string);

/** Warns about each known entry of a list for which `judge` returns a message. */
export const each = (judge: (entry: string) => string | undefined) =>
  rule(texts, (entries, report) => {
    for (const entry of entries) if (typeof entry === "string") warn(judge(entry), report);
  });

/** Warns about a text for which `judge` returns a message. */
export const single = (judge: (entry: string) => string | undefined) =>
  rule(string, (entry, report) => warn(judge(entry), report));

function warn(problem: string | undefined, report: Report): void {
  if (problem !== undefined) report(problem, [], "warning");
}

/**
 * Refuses a text that is probably one of the known ones, misspelt, and warns about another one, which a later version of the service may
 * know. `likely`: what a text probably stands for. Default: the nearest known text.
 */
export const knownText = (
  name: string,
  known: readonly string[],
  likely: (text: string) => string | undefined = (text) => nearest(text, known),
) =>
  rule(string, (text, report) => {
    const near = likely(text);
    if (near === text) return;
    if (near !== undefined) {
      return report(`\`${name}\` is ${JSON.stringify(text)}: ${JSON.stringify(near)} is probably meant.`);
    }
    report(
      `This version does not know the \`${name}\` ${JSON.stringify(text)}. It knows ${known.join(", ")}. The provider sends the value unchanged.`,
      [],
      "warning",
    );
  });

export const countryCodes = each(problemOfCountry);
/** Codes that resemble no country: expectations refuse the others. */
const strangeCountry = (code: string) => (likelyCountry(code) ? undefined : problemOfCountry(code));
export const strangeCountryCodes = each(strangeCountry);
export const strangeCountryCode = single(strangeCountry);
export const subdivisionCodes = each(problemOfSubdivision);

function problemOfCountry(code: string): string | undefined {
  if (countryNames().has(code)) return undefined;
  const likely = likelyCountry(code);
  return (
    `${JSON.stringify(code)} is not an ISO 3166-1 alpha-2 code, so no request has it` +
    (likely
      ? `: ${JSON.stringify(likely)} (${countryNames().get(likely)}) is probably meant.`
      : ": give two capital letters, such as DE.")
  );
}

function problemOfSubdivision(code: string): string | undefined {
  const right = likelyRegion(code.trim());
  if (right === code) return undefined;
  const remedy = right ? `${quoted(right)} is probably meant` : `give ${rowOf("subdivision").give}`;
  return `${quoted(code)} is not an ISO 3166-2 code, so no request has it: ${remedy}.`;
}

/** The only block of a type in a state of the Go provider, which stores it as a list of one. */
export function only(blocks: unknown): { readonly [name: string]: unknown } | undefined {
  const [block]: unknown[] = Array.isArray(blocks) ? blocks : [];
  return typeof block === "object" && block !== null ? (block as object as { [name: string]: unknown }) : undefined;
}
