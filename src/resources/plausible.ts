/** What the service takes as it is, though it can hardly be meant so: warnings that say what probably is. */
import * as z from "zod";
import { canonicalBlock, countAddresses, formatBlock, parseBlock } from "../access/cidr";
import type { Report } from "../sdk/attribute";
import { rule } from "../sdk/attribute";
import { countryMeantBy, countryNames } from "./country";

const texts = z.array(z.string());

/** Warns of each known entry of a list for which `doubt` has words. */
const each = (doubt: (entry: string) => string | undefined) =>
  rule(texts, (entries, report) => {
    for (const entry of entries) if (typeof entry === "string") warn(doubt(entry), report);
  });

const single = (doubt: (entry: string) => string | undefined) =>
  rule(z.string(), (entry, report) => warn(doubt(entry), report));

function warn(words: string | undefined, report: Report): void {
  if (words !== undefined) report(words, [], "warning");
}

export const countryCodes = each(doubtOfCountry);
export const countryCode = single(doubtOfCountry);
export const subdivisionCodes = each(doubtOfSubdivision);
export const subdivisionCode = single(doubtOfSubdivision);

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

/** A block is often written by an address in it, and a network of millions by a slip in its length. */
export const cidrBlocks = each((written) => {
  const block = parseBlock(written);
  const [address = ""] = written.split("/");
  if (!block || canonicalBlock(address) === formatBlock({ ...block, length: block.family === 4 ? 32 : 128 }))
    return undefined;
  const count = countAddresses([block], block.family);
  const size = count > 1n << 40n ? `2^${count.toString(2).length - 1}` : count.toLocaleString("en-US");
  return `${JSON.stringify(written)} means all ${size} addresses of ${formatBlock(block)}: write it so, or ${address} where it alone is meant.`;
});

export const redirectUri = single((uri) =>
  URL.canParse(uri) && /^https?:\/\//i.test(uri)
    ? undefined
    : `\`redirect_uri\` is ${JSON.stringify(uri)}, no whole URL, where clients would be sent: such as https://example.com/blocked.`,
);

export const userAgents = each((agent) =>
  agent.includes("*")
    ? `${JSON.stringify(agent)} holds a *, which the service does not say to stand for any text: give whole user agents.`
    : undefined,
);

export const userIds = rule(texts, (ids, report) => doubtUserIds(ids, (words) => warn(words, report)));
export const userIdKeys = rule(z.record(z.string(), z.string()), (notes, report) => {
  doubtUserIds(Object.keys(notes), (words, key) => report(words, [{ key }], "warning"));
  for (const [key, note] of Object.entries(notes)) {
    if (key.includes("|") || typeof note !== "string" || !/^[\w-]+\|\S+$/.test(note)) continue;
    const words = `${JSON.stringify(key)} is no user id, but its note ${JSON.stringify(note)} looks like one: put the id first, and the note after it.`;
    report(words, [{ key }], "warning");
  }
});

export const organizationId = single((id) =>
  id === "" || id.startsWith("org_")
    ? undefined
    : `\`organization_id\` is ${JSON.stringify(id)}, which does not look like an id: those begin with org_; a name does not do.`,
);

function doubtUserIds(ids: readonly unknown[], doubt: (words: string, id: string) => void): void {
  const known = new Set(ids);
  for (const id of ids) {
    if (typeof id !== "string") continue;
    const bare = id.trim();
    if (bare !== id) {
      const twice = known.has(bare) ? `, and ${JSON.stringify(bare)} is listed too` : "";
      doubt(`${JSON.stringify(id)} has blanks around it${twice}: ${JSON.stringify(bare)} is probably meant.`, id);
    } else if (/^[^\s|@]+@[^\s|@]+\.[^\s|@]+$/.test(id)) {
      doubt(`${JSON.stringify(id)} is an e-mail address: members are named by user ids, such as auth0|65f0c2.`, id);
    }
  }
}

export const path = single((written) =>
  written.startsWith("/")
    ? undefined
    : `\`path\` is ${JSON.stringify(written)}, without the leading slash: ${JSON.stringify(`/${written}`)} is probably meant, and ` +
      "is what is judged.",
);
