/** Refuses criteria that list an entry twice, can never match, or that Auth0 does not combine. */
import {
  canonicalBlock,
  countAddresses,
  formatBlock,
  neverMatches,
  parseBlock,
  type Rule,
} from "../../../judge/access/access";
import { neverWords } from "../../../judge/impact/words/match";
import { attributePath } from "../../../formats/cty/path";
import { isList, isObject, hasUnknown, unknown } from "../../../formats/cty/value";
import type { Report } from "../../sdk/attribute";
import { amountWords } from "../../../formats/text/lists";
import { urlIn } from "../../../formats/text/url";
import { each, single } from "../schemas";

const sides = ["match", "not_match"] as const;

/** Reports equal entries of one list, and entries that mean the same block. */
export function reportDuplicates(rule: { readonly [side: string]: unknown }, report: Report): void {
  for (const side of sides) {
    for (const [signal, entries] of knownLists(rule[side])) {
      const seen = new Map<string, unknown>();
      for (const entry of entries) {
        const meaning = meaningOf(signal, entry);
        const earlier = seen.get(meaning);
        if (earlier === undefined) seen.set(meaning, entry);
        else {
          const words = earlier === entry ? `${entry} twice` : `${earlier} and ${entry}, which mean the same`;
          // The service compares letter by letter, so another spelling is legal, if pointless.
          const severity = earlier === entry ? "error" : "warning";
          report(`\`rule.${side}.${signal}\` lists ${words}: remove one.`, attributePath(side, signal), severity);
        }
      }
    }
  }
}

/** Reports entries of `match` that `not_match` excludes, one by one or all together. */
export function reportContradictions(rule: { readonly [side: string]: unknown }, report: Report): void {
  let isReported = false;
  const excluded = new Map(knownLists(rule.not_match));
  for (const [signal, entries] of knownLists(rule.match)) {
    const taken = new Set(excluded.get(signal)?.map((entry) => meaningOf(signal, entry)));
    for (const entry of entries) {
      if (!taken.has(meaningOf(signal, entry))) continue;
      isReported = true;
      report(
        `\`rule.match.${signal}\` and \`rule.not_match.${signal}\` both list ${entry}, which therefore never matches: ` +
          "remove it from one of them.",
        attributePath("match", signal),
      );
    }
  }
  isReported ||= reportExcludedRegions(excluded, new Map(knownLists(rule.match)), report);
  const never = !isReported && !hasUnknown(rule) && neverMatches(rule as unknown as Rule);
  if (never)
    report(
      `\`rule\` can never match: ${neverWords(never)}. Narrow \`not_match\`.`,
      attributePath("not_match", (never.wanted ?? never.excluded).entries[0]!.property),
    );
}

/** Reports regions if `not_match` excludes their countries. */
function reportExcludedRegions(excluded: Lists, wanted: Lists, report: Report): boolean {
  const regions = wanted.get("geo_subdivision_codes") ?? [];
  const countries = excluded.get("geo_country_codes") ?? [];
  // Only a code with a hyphen says which country the region is in.
  const isExcluded = (region: unknown) => countries.includes(/^([A-Z]{2})-/.exec(String(region))?.[1] ?? "");
  if (regions.length === 0 || !regions.every(isExcluded)) return false;
  report(
    "`rule` can never match: `rule.not_match.geo_country_codes` excludes the countries of all regions in " +
      "`rule.match.geo_subdivision_codes`. Narrow `not_match`.",
    attributePath("not_match", "geo_country_codes"),
  );
  return true;
}

type Lists = ReadonlyMap<string, readonly (string | number)[]>;

function knownLists(side: unknown): [signal: string, entries: (string | number)[]][] {
  if (!isObject(side)) return [];
  return Object.entries(side).flatMap(([signal, list]) => {
    const entries = isList(list) ? list.filter((entry) => typeof entry === "string" || typeof entry === "number") : [];
    return list === unknown || entries.length === 0 ? [] : [[signal, entries as (string | number)[]]];
  });
}

function meaningOf(signal: string, entry: string | number): string {
  return (signal.endsWith("_cidrs") && canonicalBlock(String(entry))) || String(entry);
}

/* Warns of criteria and actions that the service accepts although they are probably mistakes. */

/** A block with host bits set usually means one address, or has the wrong length. */
export const cidrBlocks = each((written) => {
  const block = parseBlock(written);
  const [address = ""] = written.split("/");
  if (!block || canonicalBlock(address) === formatBlock({ ...block, length: block.family === 4 ? 32 : 128 })) {
    return undefined;
  }
  const [size] = amountWords(countAddresses([block], block.family), ["address", "addresses"]);
  return `${JSON.stringify(written)} means all ${size} of ${formatBlock(block)}. Write ${formatBlock(block)}, or ${address} for this address alone.`;
});

export const redirectUri = single((uri) =>
  urlIn(uri) !== undefined && /^https?:\/\//i.test(uri)
    ? undefined
    : `\`redirect_uri\` is ${JSON.stringify(uri)}, which is not a whole URL. Give one such as https://example.com/blocked.`,
);

export const userAgents = each((agent) =>
  agent.includes("*")
    ? `${JSON.stringify(agent)} contains *, which the service does not document as a wildcard. Give whole user agents.`
    : undefined,
);
