/** Counts exactly how much of an API network ACLs block, over every address and country that a request can come from. */
import { families, type Family } from "./addresses";
import { createCount } from "./count";
import { inOrder, type Acl, type PossibleEnd } from "./decide";
import { scopeCovers, type AccessRequest } from "./request";

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
    inOrder(acls).filter(({ rule }) => scopeCovers(rule.scope, request.api) !== "no"),
  ) as [A[], A[]];
  const count = createCount([...before, ...after], request, countries);
  const blocked = count.countries.flatMap((group, country) => {
    const [was, is] = [before, after].map((acls) => count.endsFrom(acls, request.api, country).map(blockedBy));
    return count.addresses.map(({ sizes }, index) => {
      const size = (family: Family) => BigInt(group.length) * sizes[family];
      return { size, was: was![index]!, is: is![index]! };
    });
  });
  const share = (family: Family): Share => {
    const sum = (isCounted: (one: (typeof blocked)[number]) => boolean) =>
      blocked.reduce((total, one) => (isCounted(one) ? total + one.size(family) : total), 0n);
    return {
      certain: sum(({ is }) => is.isCertain),
      possible: sum(({ is }) => is.by.length > 0),
      all: sum(() => true),
      before: { certain: sum(({ was }) => was.isCertain), possible: sum(({ was }) => was.by.length > 0) },
    };
  };
  const [ipv4, ipv6] = families.map(share) as [Share, Share];
  return {
    ...(ipv4.all > 0n && { ipv4 }),
    ...(ipv6.all > 0n && { ipv6 }),
    byCountry: count.countries.length > 1,
    by() {
      const isAnyCertain = blocked.some(({ is }) => is.isCertain);
      const found = new Set(blocked.flatMap(({ is }) => (is.isCertain || !isAnyCertain ? is.by : [])));
      return after.filter((acl) => found.has(acl));
    },
  };
}

/** The ACLs that possibly block or redirect. */
function blockedBy<A extends Acl>(ends: readonly PossibleEnd<A>[]): { readonly isCertain: boolean; readonly by: A[] } {
  const denying = ends.filter(({ results }) => results.some(({ outcome }) => outcome !== "allowed"));
  return {
    isCertain: ends.every(({ results }) => results.every(({ outcome }) => outcome !== "allowed")),
    by: denying.flatMap(({ acl }) => acl ?? []),
  };
}
