/** Counts exactly how much of an API network ACLs block, over every address and country that a request can come from. */
import { effectOf } from "./action";
import { all } from "./ternary";
import {
  both,
  createAddressSpace,
  drop,
  empty,
  isEmpty,
  without,
  type AddressSpace,
  type AddressSet,
} from "./address-set";
import { inOrder, type Acl } from "./decide";
import { addressLists, countryGroups, factorsOf, withDefaults, type Factors, type World } from "./factors";
import type { AccessRequest } from "./request";
import { coversApi, type Rule } from "./rule";

/** The share of the requests over one address family. */
export interface Share {
  /** Blocked or redirected under all assumptions. */
  readonly certain: bigint;
  /** Certainly or possibly blocked or redirected. */
  readonly possible: bigint;
  readonly all: bigint;
  /** The same for the earlier version. */
  readonly before: { readonly certain: bigint; readonly possible: bigint };
}

export interface BlockedShares<A extends Acl> {
  /** Left out: the request comes from an address of the other family. */
  readonly ipv4?: Share;
  readonly ipv6?: Share;
  /** Whether the country makes a difference. A share then counts pairs of address and country. */
  readonly byCountry: boolean;
  /** The ACLs that certainly block; if there are none, those that possibly block. In order of evaluation. */
  by(): A[];
}

/**
 * Counts for the last version, and compares it with the first. Each fact that `request` leaves out takes every value that no
 * ACL names.
 */
export function blockedSharesOf<A extends Acl>(
  versions: readonly [readonly A[], readonly A[]],
  request: AccessRequest,
  countries: readonly string[],
): BlockedShares<A> {
  const [before, after] = versions.map((acls) =>
    inOrder(acls).filter(({ rule }) => coversApi(rule.scope, request.api) !== "no"),
  ) as [A[], A[]];
  const acls = [...before, ...after];
  const whole = withDefaults(request, acls);
  const line = createAddressSpace(request.ip, acls.flatMap(addressLists));
  const codes = whole.country === undefined ? countries : [whole.country];
  const world: World = { line, request: whole, countries: codes };
  const factors = new Map(acls.map(({ rule }) => [rule, factorsIn(rule, request.api, world)]));
  const groups = countryGroups([...factors.values()], codes.length);
  const sweeps = groups.map((group) => ({
    weight: BigInt(group.length),
    was: evaluate(before, factors, group[0]!, line),
    is: evaluate(after, factors, group[0]!, line),
  }));
  const share = (family: 4 | 6): Share | undefined => {
    if (!line.hasAny(line.whole, family)) return undefined;
    const count = (side: "was" | "is", of: keyof BlockedAddresses) =>
      sweeps.reduce((sum, { weight, [side]: blocked }) => sum + weight * line.sizeOf(blocked[of], family), 0n);
    return {
      certain: count("is", "certain"),
      possible: count("is", "possible"),
      all: line.sizeOf(line.whole, family) * BigInt(codes.length),
      before: { certain: count("was", "certain"), possible: count("was", "possible") },
    };
  };
  const [ipv4, ipv6] = [share(4), share(6)];
  return {
    ...(ipv4 && { ipv4 }),
    ...(ipv6 && { ipv6 }),
    byCountry: groups.length > 1,
    by() {
      const of = sweeps.some(({ is }) => !isEmpty(is.certain)) ? "certain" : "possible";
      const found = new Set<Acl>();
      groups.forEach(([country], index) => {
        const blocked = sweeps[index]!.is[of];
        evaluate(after, factors, country!, line, (acl, may) => !isEmpty(both(may, blocked)) && found.add(acl));
      });
      return after.filter((acl) => found.has(acl));
    },
  };
}

/** The factors of a rule for one API. */
function factorsIn(rule: Rule, api: AccessRequest["api"], world: World): Factors {
  const { addresses, countries } = factorsOf(rule, world);
  const scope = coversApi(rule.scope, api);
  return { addresses, countries: countries.map((country) => all([scope, country])) };
}

interface BlockedAddresses {
  readonly certain: AddressSet;
  readonly possible: AddressSet;
}

/** Evaluates the ACLs for all addresses at once, as `decide` does for one request. */
function evaluate(
  acls: readonly Acl[],
  factors: ReadonlyMap<Rule, Factors>,
  country: number,
  line: AddressSpace,
  onBlocked?: (acl: Acl, spans: AddressSet) => unknown,
): BlockedAddresses {
  const [allowed, ended, possible, passed] = [empty(line), empty(line), empty(line), empty(line)];
  const open = line.whole.slice();
  let priority: number | undefined;
  for (const acl of acls) {
    // The order of equal priorities is not known, so all of them see the same requests.
    if (acl.priority !== priority) drop(open, passed);
    priority = acl.priority;
    const effect = effectOf(acl.rule.action);
    const { countries, addresses } = factors.get(acl.rule)!;
    if (effect === "logged" || countries[country] === "no") continue;
    const isSure = countries[country] === "yes" && effect !== undefined;
    // An ACL with an unknown priority may be evaluated before these.
    const isPlaced = !Number.isNaN(acl.priority);
    const [mayBlock, mayAllow] = [effect?.outcome !== "allowed", effect === undefined || effect.outcome === "allowed"];
    for (let word = 0; word < open.length; word++) {
      const may = open[word]! & addresses.may[word]!;
      if (may === 0) continue;
      if (mayAllow) allowed[word]! |= may;
      if (mayBlock) possible[word]! |= may;
      if (!isSure) continue;
      const yes = may & addresses.yes[word]!;
      ended[word]! |= yes;
      if (isPlaced) passed[word]! |= yes;
    }
    if (mayBlock) onBlocked?.(acl, both(open, addresses.may));
  }
  return { certain: without(both(possible, ended), allowed), possible };
}
