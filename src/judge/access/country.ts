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

/**
 * The number of Internet users of each country, by continent.
 *
 * Source of the numbers: The World Factbook (public domain), "Internet users", totals of 2021. It prints 3,239,000 for Ukraine,
 * but also 79 % of the population: that is 32,390,000. The totals of South Africa, Hong Kong, Taiwan, Palestine and small
 * territories are older, mostly of 2019 and 2020. The Factbook has no total for a country without a number here.
 * Source of the continents: UN M49, as in Unicode CLDR 48.
 */
const table = {
  Africa: `
    AO 11550000, BF 4840000, BI 754000, BJ 4420000, BW 1924000, CD 21102720, CF 605000, CG 1794390, CI 12150000,
    CM 12420000, CV 413000, DJ 759000, DZ 31240000, EG 79200000, EH, ER 792000, ET 20400000, GA 1656000,
    GH 22440000, GM 858000, GN 4900000, GQ 864000, GW 735000, IO, KE 15370000, KM 221400, LR 1768000, LS 1104000,
    LY 3095400, MA 32560000, MG 5800000, ML 7480000, MR 2714000, MU 884000, MW 4800000, MZ 5440000, NA 1325000,
    NE 5500000, NG 115500000, RE, RW 3900000, SC 90200, SD 13248000, SH 2302, SL 1047499, SN 9860000, SO 2465000,
    SS 869000, ST 112200, SZ 708000, TD 3060000, TF, TG 3010000, TN 9480000, TZ 20480000, UG 4600000, YT,
    ZA 41516083, ZM 3990000, ZW 5600000
  `,
  Americas: `
    AG 89280, AI 12489, AR 39150000, AW 103121, BB 240800, BL 7128, BM 62625, BO 7920000, BQ, BR 170100000,
    BS 385400, BV, BZ 248000, CA 35340000, CL 17100000, CO 37960000, CR 4316000, CU 7810000, CW 107060, DM 58320,
    DO 9350000, EC 13680000, FK 3343, GD 93600, GF, GL 39358, GP, GS, GT 9180000, GY 680000, HN 4800000, HT 4290000,
    JM 2296000, KN 37920, KY 53233, LC 140400, MF 19300, MQ, MS 2744, MX 98800000, NI 3933000, PA 2992000,
    PE 24140000, PM 4500, PR 2559600, PY 5159000, SR 402600, SV 3969000, SX 39100, TC, TT 1185000, US 312800000,
    UY 3060000, VC 85000, VE 22734162, VG 23585, VI 68268
  `,
  Antarctica: `
    AQ 4400
  `,
  Asia: `
    AE 9400000, AF 7020000, AM 2212000, AZ 8600000, BD 66300000, BH 1500000, BN 441000, BT 670800, CN 1022000000,
    CY 809900, GE 2888000, HK 6883256, ID 167400000, IL 8010000, IN 644000000, IQ 21560000, IR 69520000, JO 9130000,
    JP 99600000, KG 5070000, KH 10200000, KP, KR 50960000, KW 4300000, KZ 17290000, LA 4588000, LB 4872000,
    LK 14740000, MM 23760000, MN 2772000, MO 571421, MV 447200, MY 32980000, NP 15600000, OM 4320000, PH 58300000,
    PK 48300000, PS 3602452, QA 2700000, SA 36000000, SG 5369000, SY 8492468, TH 61200000, TJ 3009054, TL 507000,
    TM 1563023, TR 68850000, TW 21158750, UZ 26180000, VN 71780000, YE 8229624
  `,
  Europe: `
    AD 74260, AL 2291000, AT 8277000, AX, BA 2508000, BE 10920000, BG 5175000, BY 8352000, CH 8352000, CZ 9130000,
    DE 75530000, DK 5841000, EE 1183000, ES 44180000, FI 5115000, FO 47703, FR 55900000, GB 64990000, GG 54726,
    GI 31684, GR 7800000, HR 3321000, HU 8633000, IE 4750000, IM, IS 370000, IT 44250000, JE 44198, LI 37440,
    LT 2436000, LU 633600, LV 1729000, MC 31820, MD 1891000, ME 516600, MK 1743000, MT 461100, NL 16560000,
    NO 5346000, PL 32300000, PT 8200000, RO 15960000, RS 5589000, RU 132000000, SE 8800000, SI 1869000, SJ,
    SK 4806000, SM 25500, UA 32390000, VA 383, XK 1756300
  `,
  Oceania: `
    AS 17147, AU 24960000, CC, CK 9476, CX 790, FJ 809600, FM 44000, GU 135509, HM, KI 70200, MH 16254, MP 17418,
    NC 222466, NF 612, NR 10920, NU 1292, NZ 4896000, PF 203878, PG 3168000, PN 50, PW 6696, SB 255600, TK 805,
    TO 73700, TV 7920, UM, VU 211200, WF 1029, WS 171600
  `,
} as const;

export type Continent = keyof typeof table;

export const continents = Object.keys(table) as readonly Continent[];

const entries = continents.flatMap((continent) =>
  table[continent]
    .trim()
    .split(/,\s+/)
    .map((entry) => {
      const [code, users = "0"] = entry.split(" ");
      return { code: code!, continent, users: Number(users) };
    }),
);

const usersOf = new Map(entries.map(({ code, users }) => [code, users]));
const continentByCode = new Map(entries.map(({ code, continent }) => [code, continent]));

/** 0 if the source has no figure. */
export const internetUsersOf = (country: string): number => usersOf.get(country) ?? 0;

export const continentOf = (country: string): Continent | undefined => continentByCode.get(country);
