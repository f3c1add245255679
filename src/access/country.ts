/** The alpha-2 codes of ISO 3166-1, and XK, the usual code of Kosovo. */
export const countries: readonly string[] = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY
  BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK
  FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR
  IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK
  ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
  PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF
  TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);

/** Common names that are not the official name or code. */
const spoken: Readonly<Record<string, string>> = { UK: "GB", USA: "US", UAE: "AE", "GREAT BRITAIN": "GB" };

let names: ReadonlyMap<string, string> | undefined;

/** Code -> English name from the runtime. */
export function countryNames(): ReadonlyMap<string, string> {
  const known = new Intl.DisplayNames(["en"], { type: "region" });
  return (names ??= new Map(countries.map((code) => [code, known.of(code)!])));
}

/** The code of the country that a text most probably means. */
export function countryMeantBy(text: string): string | undefined {
  const written = text.trim().toUpperCase();
  if (countryNames().has(written)) return written;
  return spoken[written] ?? [...countryNames()].find(([, name]) => name.toUpperCase() === written)?.[0];
}

/** The right code if no request has this one, such as GB for UK and GB-ENG for UK-ENG; undefined: requests may have it. */
export function codeMeantBy(text: string): string | undefined {
  const [country = "", ...region] = text.trim().split("-");
  const meant = countryMeantBy(country);
  if (meant === undefined || meant === country.toUpperCase()) return undefined;
  return [meant, ...region.map((part) => part.toUpperCase())].join("-");
}
