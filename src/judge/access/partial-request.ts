/** Questions about a request of which some attributes are not known. */
import { isHostRange, parseBlock, type Range, unmapped } from "./cidr";
import { type Acl, inOrder, type Outcome } from "./decide";
import { factLists } from "./fact";
import { prove, type RequestLists, type Statement } from "./proof";
import type { AccessRequest } from "./request";
import { criteriaIn, criterionMatches, neverMatches, type Rule } from "./rule";
import { regionAt, regionOf } from "./sets/cover";
import { noAcls, pairsOf, versionOf } from "./sets/ends";
import { type Pairs, pairsIn } from "./sets/extent";
import { type Bits, bitsOf, indexesIn } from "./sets/way";
import { createWorld, type World } from "./sets/reach";
import type { Piece, Point } from "./sets/search";
import { canonical, notKnown } from "../../formats/cty/value";

/** No host has these addresses: "this network", multicast, reserved, and IPv6 outside of 2000::/3. */
const noHosts = { ip_cidrs: ["0.0.0.0/8", "224.0.0.0/3", "::/3", "4000::/2", "8000::/1"] };

/** Also true if the search takes too long. */
export function mayBeAllowed(acls: readonly Acl[], request: AccessRequest): boolean {
  const { api } = request;
  if (api === "dynamic_client_registration") return true;
  const requests: RequestLists[] = [{ scopes: [api] }];
  const except: RequestLists[] = api === "authentication" ? [{ scopes: ["dynamic_client_registration"] }] : [];
  if (request.ip === undefined) except.push(noHosts);
  for (const { name, fact, signals } of factLists) {
    const given = fact === "path" ? undefined : request[fact];
    if (given === undefined) continue;
    // A request on several curated lists is on one of them, so the proof is about more requests than these.
    const [value = "", ...others] = [given].flat();
    if (value !== "") requests[0] = { ...requests[0], [name]: [value] };
    if (value !== "" && fact !== "managed") continue;
    const known = new Set<string | number>([value, ...others]);
    const absent = namedBy(acls, signals).filter((text) => !known.has(text));
    if (absent.length > 0) except.push({ [name]: absent });
  }
  const statement: Statement = { outcomes: ["blocked", "redirected"], requests, except };
  return prove(statement, acls).verdict !== "held";
}

const namedBy = (acls: readonly Acl[], signals: readonly string[]): string[] =>
  acls
    .flatMap(({ rule }) => criteriaIn(rule))
    .flatMap(({ properties, texts }) => (signals.includes(properties[0]!) ? texts : []));

/** A number of pairs of country and address. */
export interface Share {
  /** Blocked or redirected, whatever is not known. */
  readonly certain: bigint;
  /** Certainly or possibly blocked or redirected. */
  readonly possible: bigint;
  readonly all: bigint;
}

export interface BlockedShares<A extends Acl> {
  /** Left out: the request comes from an address of the other family. */
  readonly ipv4?: Share;
  readonly ipv6?: Share;
  /** Whether the country makes a difference. */
  readonly byCountry: boolean;
  /** The ACLs that certainly block; if there are none, those that possibly block. In order of evaluation. */
  readonly by: readonly A[];
}

/**
 * How much of its API is blocked for the request, over all countries and addresses. Any other attribute that is not known has a value that
 * no rule names. Only the host name has some value.
 */
export function blockedSharesOf<A extends Acl>(acls: readonly A[], request: AccessRequest): BlockedShares<A> {
  const country = request.country ?? request.subdivision?.replace(/-.*/s, "");
  const known = { user_agent: noAgent, ...request, ...(country !== undefined && { country }) };
  const left = inOrder(acls).flatMap((acl) => {
    const rule = residual(acl.rule, known);
    return rule ? { ...acl, rule, acl } : [];
  });
  const world = createWorld(left.map(({ rule }) => rule));
  const points = world.fields.reduce<Point[]>(
    (all, { fact, whole }) =>
      all.flatMap((point) => (fact === "hostname" ? indexesIn(whole) : [0]).map((value) => [...point, value])),
    [[]],
  );
  const parts = pairsOf<(typeof left)[number]>(
    [noAcls, versionOf(left, request.api, world)],
    ({ after }) => isDenied(after),
    (end) => String(isDenied(end)),
  );
  const places = placesOfHosts(world);
  const regions = (some: readonly Piece[]) => points.map((point) => regionAt(some, point, world) & places);
  const possible = regions(parts).reduce((all, one) => all | one);
  const certain = regions(parts.filter(({ ends }) => ends.isCertain)).reduce((all, one) => all & one);
  const main = certain === 0n ? possible : certain;
  const deciding = parts.filter((part) => regions([part]).some((one) => (one & main) !== 0n));
  const by = new Set(deciding.map(({ ends }) => ends.after.acl?.acl));
  const [few, most, all] = [certain, possible, places].map((region) => pairsIn(region, world)) as [Pairs, Pairs, Pairs];
  const own = request.ip === undefined ? undefined : parseBlock(request.ip);
  const share = (family: 4 | 6) =>
    own && unmapped(own).family !== family
      ? {}
      : { [`ipv${family}`]: { certain: few[family], possible: most[family], all: all[family] } };
  return {
    ...share(4),
    ...share(6),
    byCountry: [few, most].some(
      ({ rows }) => rows.length > 0 && (new Set(rows).size > 1 || rows.length < all.rows.length),
    ),
    by: inOrder(acls).filter((acl) => by.has(acl)),
  };
}

/** No rule names it, and "*" perhaps matches it. */
const noAgent = "\uFFFF";

const isDenied = ({ outcome }: { readonly outcome: Outcome }) => outcome !== "allowed";

function placesOfHosts(world: World): Bits {
  const [country, ip] = [world.fields[world.country]!, world.fields[world.ip]!];
  const isOfHosts = (ranges: readonly unknown[]) => (ranges as readonly Range[]).some(isHostRange);
  const hosts = ip.classes.flatMap((ranges, index) => (isOfHosts(ranges) ? index : []));
  return regionOf(world, country.whole, bitsOf(hosts));
}

/** The rule for requests with the known attributes: what it says about the others. Undefined: it matches none of these requests. */
function residual(rule: Rule, request: AccessRequest): Rule | undefined {
  if (neverMatches(rule)) return undefined;
  const rest: { -readonly [part in keyof Rule]: Rule[part] } = { ...rule };
  for (const criterion of criteriaIn(rule)) {
    const { side, signal, properties } = criterion;
    if (signal === undefined || signal.name === "path" || request[signal.name] === undefined) continue;
    const { matches } = criterionMatches(criterion, request);
    if (matches === (side === "match" ? "no" : "yes")) return undefined;
    const open = matches === "perhaps" ? { [properties[0]!]: notKnown(canonical([request, rule[side]])) } : {};
    const others = Object.entries(rest[side]!).filter(([name]) => !properties.includes(name));
    rest[side] = { ...Object.fromEntries(others), ...open };
  }
  return rest;
}
