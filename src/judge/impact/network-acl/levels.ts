/**
 * The levels of changes of outcomes, as one table. The first row that holds decides; the guide of findings is made from it. A measure of an
 * effect that is not certain is at most high.
 */
import {
  type Api,
  type Changed,
  criteriaOf,
  type FactName,
  factNames,
  type FactValues,
  flagOf,
  type Outcome,
  signalsOf,
  type WholeRequest,
} from "../../access/access";
import { type Level, levels } from "../../codes/row";
import type { PlannedAcl } from "./acl";
import type { LoggedRequests } from "./facts";
import { hidden } from "../../../formats/text/lists";

/** What the levels depend on. */
export interface Measure {
  readonly before: Outcome;
  readonly after: Outcome;
  readonly apis: readonly Api[];
  /** The share of the affected requests in the world. Undefined: by facts that are not counted. */
  readonly share: number | undefined;
  /** The share of the requests of a log. Undefined: no log shows it. */
  readonly logged?: number | undefined;
  /** Whether nearly all addresses of a country are affected. */
  readonly isWholeCountry: boolean;
  /** Whether an ACL allowed the requests by their address. */
  readonly wasAllowedByAddress: boolean;
  /** Whether more addresses than one organization has are affected. */
  readonly isWide: boolean;
  readonly isSigned: boolean;
  readonly namesHosts: boolean;
  /** Whether the redirect leads to another host than before, which is not the tenant's. */
  readonly isOtherHost: boolean;
}

export interface LevelRow {
  readonly level: Level;
  /** Completes "The level is …:". */
  readonly when: string;
  readonly holds: (measure: Measure) => boolean;
}

const isMoreThan =
  (least: number) =>
  ({ share, logged }: Measure) =>
    (logged ?? share ?? 0) > least;
const isAtLeast =
  (least: number) =>
  ({ share, logged }: Measure) =>
    (logged ?? share ?? 0) >= least;
const isUnlogged = ({ logged }: Measure) => logged === undefined;

/** Requests that were allowed are blocked or redirected. */
export const blockLevels: readonly LevelRow[] = [
  {
    level: "critical",
    when: "more than half of the requests to sign-in and tokens or to the Management API",
    holds: (one) => isMoreThan(0.5)(one) && one.apis.some((api) => api !== "dynamic_client_registration"),
  },
  { level: "high", when: "at least 10 % of the requests", holds: isAtLeast(0.1) },
  {
    level: "high",
    when: "a country (at least 90 % of its addresses) that could sign in, whatever its share; with `--logs`, the share of the log decides",
    holds: (one) => isUnlogged(one) && one.isWholeCountry && one.apis.includes("authentication"),
  },
  {
    level: "high",
    when: "requests that an ACL allowed by their address, such as those of an office; with `--logs`, the share of the log decides",
    holds: (one) => isUnlogged(one) && one.wasAllowedByAddress,
  },
  {
    level: "high",
    when: "requests with a host name, which may be the one that everybody uses",
    holds: (one) => isUnlogged(one) && one.share === undefined && one.namesHosts,
  },
  { level: "medium", when: "at least 1 % of the requests", holds: isAtLeast(0.01) },
  {
    level: "medium",
    when: "requests by other attributes that the review does not count, such as a user agent",
    holds: ({ share, logged }) => share === undefined && logged === undefined,
  },
  { level: "low", when: "fewer requests", holds: () => true },
];

/** Requests that were blocked or redirected are allowed. */
export const openingLevels: readonly LevelRow[] = [
  { level: "critical", when: "more than half of the requests", holds: ({ share }) => (share ?? 0) > 0.5 },
  {
    level: "medium",
    when: "requests that are signed with a key, because only its owner can send them",
    holds: ({ share, isSigned }) => share === undefined && isSigned,
  },
  {
    level: "high",
    when: "requests by another attribute, such as a user agent, because everybody can send it",
    holds: ({ share }) => share === undefined,
  },
  {
    level: "high",
    when: "all addresses of a country, or more addresses than one organization has (65,536 of IPv4, or as many networks of IPv6)",
    holds: ({ isWide }) => isWide,
  },
  { level: "medium", when: "fewer addresses", holds: () => true },
];

/** Requests that were blocked are redirected, that were redirected are blocked, or are redirected to another URI. */
export const moveLevels: readonly LevelRow[] = [
  {
    level: "high",
    when: "redirects that lead to another host than before, which is not a host of the tenant",
    holds: ({ isOtherHost }) => isOtherHost,
  },
  { level: "medium", when: "more than half of the requests", holds: isMoreThan(0.5) },
  { level: "low", when: "fewer requests", holds: () => true },
];

/** The least and the most that a log allows. */
const boundsOf = ({ api, sure, possible, of }: LoggedRequests) =>
  [sure, sure + possible].map((count) => ({ apis: [api], logged: count / of }));

/** Requests that the log does not decide leave a range of levels: in it, the share of the world decides. */
export function levelOfOutcome(measure: Measure, isCertain: boolean, log?: LoggedRequests): Level {
  const { before, after } = measure;
  const table = after === "allowed" ? openingLevels : before === "allowed" ? blockLevels : moveLevels;
  const rankOf = (one: Measure) => levels.indexOf(table.find(({ holds }) => holds(one))!.level);
  const world = rankOf(measure);
  const [least = world, most = world] = (log ? boundsOf(log) : []).map((bound) => rankOf({ ...measure, ...bound }));
  const level = levels[Math.min(Math.max(world, least), most)]!;
  return level === "critical" && !isCertain ? "high" : level;
}

/** More addresses than this are not one organization. IPv6 counts networks of 2^64 addresses. */
const manyAddresses = 2n ** 16n;
const manyOfSix = manyAddresses << 64n;
const wholeShare = 0.9;

export function measureOf(
  change: Changed<PlannedAcl> & { readonly before: Outcome; readonly after: Outcome },
  isOtherHost: boolean,
): Measure {
  const { before, after, apis, cases, ends, direct } = change;
  const extent = countedOf(change);
  const names = (fact: string) =>
    cases.length > 0 && cases.every(({ criteria }) => criteria.some((one) => one.fact === fact));
  const isWide =
    extent !== undefined &&
    (extent.wholeCountries.length > 0 || extent.addresses.ipv4 > manyAddresses || extent.addresses.ipv6 > manyOfSix);
  return {
    before,
    after,
    apis,
    share: extent && largestShare(extent),
    isWholeCountry: extent !== undefined && [...extent.byCountry.values()].some((share) => share >= wholeShare),
    // Users who connect directly are those of an extent.
    wasAllowedByAddress: !direct && ends.some(({ before: { acl } }) => acl !== undefined && allowsByAddress(acl)),
    isWide,
    isSigned: names("signature_key"),
    namesHosts: cases.some(({ criteria }) => criteria.some(({ fact }) => fact === "hostname")),
    isOtherHost,
  };
}

/** The requests that shares count. A connecting address counts as the user's. */
export const countedOf = ({ extent, direct }: Pick<Changed<PlannedAcl>, "extent" | "direct">) => extent ?? direct;

const allowsByAddress = ({ rule }: PlannedAcl): boolean =>
  flagOf(rule.action) === "allow" &&
  criteriaOf(rule, "match").some(({ signal }) => signal?.name === "ip" || signal?.name === "connecting_ip");

/** The larger share of the two families: a block of all IPv4 addresses stops everybody who has only IPv4. */
export const largestShare = ({ ipv4, ipv6 }: { readonly ipv4: number; readonly ipv6: number }): number =>
  Math.max(ipv4, ipv6);

type Shown<Value> = Value extends readonly string[] ? Value : Value | (Value extends number ? string : never) | null;

/** Null: the request does not have the fact. */
export type Witness = { readonly path: string; readonly ip: string; readonly connecting_ip: string } & {
  readonly [N in Exclude<keyof FactValues, "ip" | "connecting_ip">]-?: Shown<NonNullable<FactValues[N]>>;
};

/** Hides each fact that a sensitive property of a rule matches, and both addresses if they are the same one. */
export function shownWitness(request: WholeRequest, secrets: ReadonlySet<string>): Witness {
  const areOne = request.ip === request.connecting_ip;
  const isMatched = (name: FactName) => signalsOf(name).some((signal) => secrets.has(signal));
  const shown = factNames.map((name) => {
    const isAddress = name === "ip" || name === "connecting_ip";
    const isSecret = isMatched(name) || (areOne && isAddress && (isMatched("ip") || isMatched("connecting_ip")));
    const value = request[name];
    if (name === "managed") return [name, (request.managed ?? []).map((list) => (isSecret ? hidden : list))];
    return [name, value === undefined ? null : isSecret ? hidden : value];
  });
  return Object.fromEntries(shown) as Witness;
}
