/** Counts exactly how much of an API network ACLs block, over every address and country that a request can come from. */
import { addTo, both, empty, isEmpty, without, type AddressSpace, type AddressSet } from "./address-set";
import { createCount, endingsOf, isEnding, type Candidate, type Ending } from "./count";
import { inOrder, type Acl } from "./decide";
import type { AccessRequest } from "./request";
import { coversApi } from "./rule";

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
    inOrder(acls).filter(({ rule }) => isEnding(rule.action) && coversApi(rule.scope, request.api) !== "no"),
  ) as [A[], A[]];
  const { line, groups, countries: codes, candidate } = createCount([...before, ...after], request, countries);
  const [first, last] = [before, after].map((acls) => acls.flatMap((acl) => candidate(acl, request.api) ?? []));
  const sweeps = groups.map(([country, ...more]) => ({
    weight: BigInt(1 + more.length),
    was: blockedIn(endingsOf(first!, country!, line.whole), line),
    is: blockedIn(endingsOf(last!, country!, line.whole), line),
  }));
  const share = (family: 4 | 6): Share | undefined => {
    if (!line.hasAny(line.whole, family)) return undefined;
    const count = (side: "was" | "is", of: "certain" | "possible") =>
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
      const found = new Set(sweeps.flatMap(({ is }) => blockersOf(is, is[of], line)));
      return after.filter((acl) => found.has(acl));
    },
  };
}

interface Blocked<A extends Acl> {
  readonly certain: AddressSet;
  readonly possible: AddressSet;
  /** The endings that possibly block. */
  readonly endings: readonly Ending<Candidate<A>>[];
}

function blockedIn<A extends Acl>(endings: readonly Ending<Candidate<A>>[], line: AddressSpace): Blocked<A> {
  const [allowed, possible] = [empty(line), empty(line)];
  const denying = endings.filter(({ results }) => results.some(({ outcome }) => outcome !== "allowed"));
  for (const { cells } of denying) addTo(possible, cells);
  for (const { results, cells } of endings) if (results[0]!.outcome === "allowed") addTo(allowed, cells);
  return { certain: without(possible, allowed), possible, endings: denying };
}

function blockersOf<A extends Acl>({ endings }: Blocked<A>, blocked: AddressSet, line: AddressSpace): A[] {
  return endings.flatMap(({ candidate, cells }) => {
    const own = empty(line);
    addTo(own, cells);
    return candidate && !isEmpty(both(own, blocked)) ? [candidate.acl] : [];
  });
}
