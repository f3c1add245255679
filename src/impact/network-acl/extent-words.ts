/** Words which requests an extent covers, in the constants of the configuration. */
import { type Continent, continentOf, countries as everyCountry, countryNames, type Extent } from "../../access/access";
import { amountWords } from "../amount";
import { blockWords } from "./block-words";

/** `everyone`, `everyone outside Germany (DE)`, `198.51.100.0/24 (256 addresses)`. `constants`: the blocks that rules name. */
export function extentWords(extent: Extent, constants: readonly string[]): string {
  const { countries, wholeCountries, blocks } = extent;
  const places = countries.length === everyCountry.length ? undefined : placeWords(countries);
  if (wholeCountries.length === countries.length) return places ?? "everyone";
  if (blocks === undefined) {
    return places === undefined
      ? "addresses that differ by country"
      : `some addresses ${places.replace(/^everyone /, "")}`;
  }
  return [addressWords(extent, constants), ...(places === undefined ? [] : [places.replace(/^everyone /, "")])].join(
    " ",
  );
}

/** Lists the countries, or those that are left out if they are fewer. */
function placeWords(countries: readonly string[]): string {
  const own = new Set(countries);
  const others = everyCountry.filter((code) => !own.has(code));
  return others.length < countries.length ? `everyone outside ${listed(others)}` : `everyone in ${listed(countries)}`;
}

const mostCodes = 5;

const adjectives: Readonly<Record<Continent, string>> = {
  Africa: "African",
  Americas: "American",
  Antarctica: "Antarctic",
  Asia: "Asian",
  Europe: "European",
  Oceania: "Oceanian",
};

/** `Iran (IR) and North Korea (KP)`, `44 European countries (AD, AL, AT, …)` */
function listed(codes: readonly string[]): string {
  if (codes.length <= mostCodes) {
    const names = countryNames();
    return new Intl.ListFormat("en-GB").format(codes.map((code) => `${names.get(code)} (${code})`));
  }
  const continents = new Set(codes.map((code) => continentOf(code)));
  const [continent] = continents;
  const adjective = continents.size === 1 && continent !== undefined ? `${adjectives[continent]} ` : "";
  return `${codes.length} ${adjective}countries (${codes.slice(0, 3).join(", ")}, …)`;
}

function addressWords(
  { blocks = [], otherBlocks, ipv4, ipv6, addresses }: Extent,
  constants: readonly string[],
): string {
  const words = blockWords(blocks, constants);
  if (words.startsWith("all ")) return words;
  if (otherBlocks && otherBlocks.length > 0 && Math.max(ipv4, ipv6) > 0.5)
    return `everyone outside ${blockWords(otherBlocks)}`;
  const counts = [
    ...amountWords(addresses.ipv4, ["address", "addresses"]),
    ...amountWords(addresses.ipv6, ["IPv6 address", "IPv6 addresses"]),
  ];
  return `${words} (${counts.join(" and ")})`;
}

/** `about 69 %`; `all` only if nothing is missing. */
export function shareWords(share: number): string {
  if (share === 1) return "all";
  const percent = 100 * share;
  if (percent < 0.1) return "less than 0.1 %";
  const number = percent < 10 ? percent.toFixed(1).replace(/\.0$/, "") : String(Math.min(Math.round(percent), 99));
  return `about ${number} %`;
}
