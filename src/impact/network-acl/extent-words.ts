/** Words which requests an extent covers, in the constants of the configuration. */
import { andWords } from "../list-words";
import { type Continent, continentOf, countries as everyCountry, countryNames, type Extent } from "../../access/access";
import { amountWords } from "../amount";
import { blockWords } from "./block-words";

/**
 * `everyone`, `everyone outside Germany (DE), but not 198.51.100.0/24`, `198.51.100.0/24 (256 addresses)`. `constants`: the blocks
 * that rules name.
 */
export function extentWords(extent: Extent, constants: readonly string[]): string {
  const { countries, wholeCountries, blocks, otherBlocks = [], byCountry } = extent;
  const places = placeWords(countries);
  if (wholeCountries.length === countries.length) return `everyone${places}`;
  const isMost = blocks === undefined || Math.max(...byCountry.values()) > 0.5;
  const words = blocks && blockWords(blocks, constants);
  if (otherBlocks.length > 0 && isMost && !words?.startsWith("all "))
    return places === ""
      ? `everyone outside ${blockWords(otherBlocks)}`
      : `everyone${places}, but not ${blockWords(otherBlocks)}`;
  if (words !== undefined) return words.startsWith("all ") ? words + places : `${words} (${amounts(extent)})${places}`;
  if (wholeCountries.length === 0) return `some addresses${places === "" ? " in every country" : places}`;
  const whole = new Set(wholeCountries);
  const others = countries.filter((code) => !whole.has(code));
  const rest = places === "" ? " in all other countries" : placeWords(others);
  return `everyone${placeWords(wholeCountries)}, and some addresses${rest}`;
}

/** Lists the countries, or those that are left out if they are fewer. Empty for the whole world. */
function placeWords(countries: readonly string[]): string {
  const own = new Set(countries);
  const others = everyCountry.filter((code) => !own.has(code));
  if (others.length === 0) return "";
  return others.length < countries.length ? ` outside ${listed(others)}` : ` in ${listed(countries)}`;
}

const mostCodes = 5;

/** Countries whose names need an article. */
const articled: ReadonlySet<string> = new Set("AE BS CF CG DO GB GM KM KY MH MP MV NL PH SB SC TC US VG VI".split(" "));

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
    const named = (code: string) => `${articled.has(code) ? "the " : ""}${names.get(code)} (${code})`;
    return andWords(codes.map(named));
  }
  const continents = new Set(codes.map((code) => continentOf(code)));
  const [continent] = continents;
  const adjective = continents.size === 1 && continent !== undefined ? `${adjectives[continent]} ` : "";
  return `${codes.length} ${adjective}countries (${codes.slice(0, 3).join(", ")}, …)`;
}

function amounts({ addresses }: Extent): string {
  const counts = [
    ...amountWords(addresses.ipv4, ["address", "addresses"]),
    ...amountWords(addresses.ipv6, ["IPv6 address", "IPv6 addresses"]),
  ];
  return counts.join(" and ");
}

/** `about 69 %`; `all` only if nothing is missing. */
export function shareWords(share: number): string {
  if (share === 1) return "all";
  const percent = 100 * share;
  if (percent < 0.1) return "less than 0.1 %";
  const number = percent < 10 ? percent.toFixed(1).replace(/\.0$/, "") : String(Math.min(Math.round(percent), 99));
  return `about ${number} %`;
}
