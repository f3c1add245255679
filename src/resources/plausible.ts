/** What the service takes as it is, though it can hardly be meant so: warnings that say what probably is. */
import * as z from "zod";
import { rule, type Report } from "../sdk/attribute";
import { countryMeantBy, countryNames } from "./country";

export const texts = z.array(z.string());

/** Warns of each known entry of a list for which `doubt` has words. */
export const each = (doubt: (entry: string) => string | undefined) =>
  rule(texts, (entries, report) => {
    for (const entry of entries) if (typeof entry === "string") warn(doubt(entry), report);
  });

/** Warns of a text for which `doubt` has words. */
export const single = (doubt: (entry: string) => string | undefined) =>
  rule(z.string(), (entry, report) => warn(doubt(entry), report));

function warn(words: string | undefined, report: Report): void {
  if (words !== undefined) report(words, [], "warning");
}

export const countryCodes = each(doubtOfCountry);
export const subdivisionCodes = each(doubtOfSubdivision);

function doubtOfCountry(code: string): string | undefined {
  if (countryNames().has(code)) return undefined;
  const meant = countryMeantBy(code);
  return (
    `${JSON.stringify(code)} is no country's ISO 3166-1 alpha-2 code, and would match nobody` +
    (meant
      ? `: ${JSON.stringify(meant)} (${countryNames().get(meant)}) is probably meant.`
      : ": give two capitals, such as DE.")
  );
}

function doubtOfSubdivision(code: string): string | undefined {
  const [country = "", region = "", ...more] = code.trim().split(/[-_ ]/);
  const meant = countryMeantBy(country);
  const isForm = more.length === 0 && /^[a-z0-9]{1,3}$/i.test(region) && /^[a-z]{2}$/i.test(country);
  const right = isForm && meant ? `${meant}-${region.toUpperCase()}` : undefined;
  if (right === code) return undefined;
  const remedy = right
    ? `${JSON.stringify(right)} is probably meant.`
    : "give country, hyphen and region, such as US-CA.";
  return `${JSON.stringify(code)} is no ISO 3166-2 code, and would match nobody: ${remedy}`;
}
