/** Words why a rule matches a request, does not match, or may match. */
import { rowOf, type Contradiction, type FactName, type MatchReason, type Named } from "../../access/access";

/** `match.asns 4 matches the AS number 4, and not_match.geo_country_codes DE does not match the country FR` */
export const matchWords = (reasons: readonly MatchReason[]): string =>
  reasons.map(reasonWords).join(", and ") || "the rule has no criteria";

const unread = {
  "not known": "its value is not known yet",
  "not readable": "this version cannot read its value",
  "no signal": "this version does not know the signal",
};

function reasonWords(reason: MatchReason): string {
  switch (reason.is) {
    case "criterion":
      return criterionWords(reason);
    case "unread":
      return `${reason.side}.${reason.properties.join(" and ")} may match: ${unread[reason.why]}`;
    case "scope": {
      const { scope = "that is not known yet", api } = reason;
      return reason.matches === "no"
        ? `scope ${scope} does not cover ${api}`
        : `this version does not know the scope ${scope}`;
    }
    case "property":
      return `${reason.name} may match: this version does not know it`;
    case "everything":
      return "match_all matches every request";
    case "unknown action":
      return "this version does not know the action";
    case "contradiction":
      return neverWords(reason);
  }
}

const addresses: ReadonlySet<FactName> = new Set(["ip", "connecting_ip"]);

function criterionWords(reason: Extract<MatchReason, { readonly is: "criterion" }>): string {
  const { signal, named, matches, fact, mayBeTwo } = reason;
  const isOne = isOneList(named);
  const object = `the ${rowOf(signal).noun} ${fact ?? ""}`.trim() + (fact === "" ? ", which is missing" : "");
  const loosely = addresses.has(signal) ? "in part, or if written in another way" : "if the service compares loosely";
  const words = {
    yes: `${isOne ? "matches" : "match"} ${object}`,
    no: `${isOne ? "does" : "do"} not match ${object}`,
    perhaps: `may match ${object}, ${fact === undefined ? "which is not known" : loosely}`,
  };
  const doubt = mayBeTwo ? `, but maybe ${named.properties.join(" and ")} must both match` : "";
  return `${namedWords(named)} ${words[matches]}${doubt}`;
}

const isOneList = ({ entries }: Named) => entries.every(({ property }) => property === entries[0]!.property);

/** Why a rule matches no request. */
export function neverWords({ signal, wanted, excluded }: Contradiction): string {
  const { noun } = rowOf(signal);
  return wanted
    ? `${namedWords(wanted)} ${isOneList(wanted) ? "is" : "are"} excluded by ${namedWords(excluded)}: no ${noun} is left to match`
    : `${namedWords(excluded)} ${isOneList(excluded) ? "matches" : "match"} every ${noun}: no request is left to match`;
}

/** `match.ipv4_cidrs 192.0.2.0/24, 203.0.113.7`, with at most four entries. */
export function namedWords({ side, properties, entries }: Named): string {
  const lists = properties.map((property) => {
    const own = entries.filter((entry) => entry.property === property).map(({ text }) => shownEntry(text));
    const shown = own.length > 4 ? [...own.slice(0, 3), `${own.length - 3} more`] : own;
    return { property, shown };
  });
  const named = lists.filter(({ shown }) => shown.length > 0);
  if (named.length === 0) return `${side}.${properties.join(" and ")} without entries`;
  return named.map(({ property, shown }) => `${side}.${property} ${shown.join(", ")}`).join(" and ");
}

/** Quoted if it looks like several entries, or begins or ends with a space. */
export const shownEntry = (text: string): string => (/[,"\n\r\t]|^\s|\s$|^$/.test(text) ? JSON.stringify(text) : text);
