/** Warns about values that the service accepts but that are probably mistakes. */
import * as z from "zod";
import { rule, type Report } from "../sdk/attribute";
import { nearest } from "../text/nearest";
import { countryMeantBy, countryNames } from "./country";

export const texts = z.array(z.string());

/** Warns about each known entry of a list for which `problemOf` returns a message. */
export const each = (problemOf: (entry: string) => string | undefined) =>
  rule(texts, (entries, report) => {
    for (const entry of entries) if (typeof entry === "string") warn(problemOf(entry), report);
  });

/** Warns about a text for which `problemOf` returns a message. */
export const single = (problemOf: (entry: string) => string | undefined) =>
  rule(z.string(), (entry, report) => warn(problemOf(entry), report));

function warn(problem: string | undefined, report: Report): void {
  if (problem !== undefined) report(problem, [], "warning");
}

/**
 * Refuses a text that is probably one of the known ones, misspelt, and warns about another one, which a later version of the service may
 * know. `meant`: what a text probably stands for. Default: the nearest known text.
 */
export const knownText = (
  name: string,
  known: readonly string[],
  meant: (text: string) => string | undefined = (text) => nearest(text, known),
) =>
  rule(z.string(), (text, report) => {
    const near = meant(text);
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
export const strangeCountryCodes = each((code) => (countryMeantBy(code) ? undefined : problemOfCountry(code)));
export const subdivisionCodes = each(problemOfSubdivision);

function problemOfCountry(code: string): string | undefined {
  if (countryNames().has(code)) return undefined;
  const meant = countryMeantBy(code);
  return (
    `${JSON.stringify(code)} is not an ISO 3166-1 alpha-2 code, so no request has it` +
    (meant
      ? `: ${JSON.stringify(meant)} (${countryNames().get(meant)}) is probably meant.`
      : ": give two capital letters, such as DE.")
  );
}

function problemOfSubdivision(code: string): string | undefined {
  const [country = "", region = "", ...more] = code.trim().split(/[-_ ]/);
  const meant = countryMeantBy(country);
  const isForm = more.length === 0 && /^[a-z0-9]{1,3}$/i.test(region) && /^[a-z]{2}$/i.test(country);
  const right = isForm && meant ? `${meant}-${region.toUpperCase()}` : undefined;
  if (right === code) return undefined;
  const remedy = right
    ? `${JSON.stringify(right)} is probably meant.`
    : "give country, hyphen and region, such as US-CA.";
  return `${JSON.stringify(code)} is not an ISO 3166-2 code, so no request has it: ${remedy}`;
}
