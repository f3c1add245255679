/** The bars of the review page: the share of each effect, and the countries with the most affected Internet users. */
import { countryNames } from "../access/access";
import {
  affectedCountries,
  type AffectedCountries,
  type AffectedCountry,
} from "../impact/network-acl/affected-countries";
import { apiWords } from "../impact/network-acl/effect-words";
import { shareWords } from "../impact/network-acl/extent-words";
import type { Effect } from "../impact/verdict/effect";
import { titled } from "./html-list";
import { markup, type Markup } from "./html-markup";
import type { Review } from "./review";

/** undefined: no share is known. */
export function sharesOf({ verdict, acls }: Review): Markup | undefined {
  const effects = verdict.effects.filter(({ share }) => share !== null);
  if (effects.length === 0) return undefined;
  const bases = new Set(effects.map(({ share }) => share!.basis));
  return titled(
    "How many are affected",
    markup`${bars(effects.map((effect) => barOf(effect)))}
<p class="note">Basis: ${[...bases].join("; ")}.</p>
${affectedCountries(acls).map(countriesOf)}`,
  );
}

interface Bar {
  readonly label: string;
  /** The length, from 0 to 1. */
  readonly value: number;
  readonly figure: string;
}

const mostBars = 12;

function bars(all: readonly Bar[], more = (count: number) => `and ${count} more effects`): Markup {
  const shown = all.length > mostBars + 1 ? all.slice(0, mostBars) : all;
  const rows = shown.map(
    ({ label, value, figure }) => markup`<li><span>${label}</span>
<span class="bar" aria-hidden="true"><i style="width:${(100 * value).toFixed(2)}%"></i></span><span>${figure}</span></li>\n`,
  );
  const rest = all.length - shown.length;
  return markup`<ul class="bars">${rows}</ul>${rest > 0 ? markup`<p class="note">${more(rest)}</p>` : undefined}`;
}

const verbs: Readonly<Record<Effect["kind"], string>> = {
  blocks: "Blocked",
  allows: "Opened",
  redirects: "Redirected",
  logs: "Logged",
  limit: "Limited",
  members: "Losing access",
  lockout: "Locked out",
  expectation: "Broken",
  key: "",
  none: "Unchanged",
};

function barOf({ kind, apis, share, certainty }: Effect): Bar {
  const { value, of } = share!;
  const verb = certainty === "certain" ? verbs[kind] : `Perhaps ${verbs[kind].toLowerCase()}`;
  return { label: `${verb}: ${apis.length > 1 ? apiWords(apis) : of}`, value, figure: shareWords(value) };
}

const titles: Readonly<Record<AffectedCountries["outcome"], string>> = {
  blocked: "Countries with blocked requests",
  redirected: "Countries with redirected requests",
  allowed: "Countries with newly allowed requests",
};

function countriesOf({ outcome, countries, areAlike }: AffectedCountries): Markup {
  const title = markup`<h3>${titles[outcome]}</h3>\n`;
  if (areAlike) return markup`${title}<p>All countries alike: ${partOf(countries[0]!)} of their requests.</p>\n`;
  const most = Math.max(...countries.map(affectedUsers), 1);
  const rows = countries.map((country) => ({
    label: `${countryNames().get(country.code) ?? country.code} (${country.code})`,
    value: affectedUsers(country) / most,
    figure: figureOf(country),
  }));
  return markup`${title}${bars(rows, (count) => `and ${count} more countries`)}\n`;
}

const affectedUsers = ({ share, users }: AffectedCountry) => share * users;

const number = new Intl.NumberFormat("en-US", {
  notation: "compact",
  compactDisplay: "long",
  maximumSignificantDigits: 3,
});

/** Almost all requests are not all of them. */
const partOf = ({ share, isWhole }: AffectedCountry) => (share === 1 && !isWhole ? "almost all" : shareWords(share));

/** `all of 644 million Internet users` */
const figureOf = (country: AffectedCountry) =>
  `${partOf(country)} of ${country.users === 0 ? "its requests" : `${number.format(country.users)} Internet users`}`;
