/** Weighs an effect on requests by its share of an API and by its direction. docs/guides/findings.md lists the rules. */
import type { Api, Extent } from "../../access/access";
import type { Level } from "../effect";

/** The larger share of the two families: a block of all IPv4 addresses stops everybody who has only IPv4. */
export const largestShare = ({ ipv4, ipv6 }: Extent): number => Math.max(ipv4, ipv6);

/** `extent`: the requests that are stopped; undefined: their share is not known. */
export function stopLevel(extent: Extent | undefined, apis: readonly Api[], namesHosts: boolean): Level {
  // A host name may be the one that everybody uses.
  if (!extent) return namesHosts ? "high" : "medium";
  const share = largestShare(extent);
  if (share > 0.5) return apis.some((api) => api !== "dynamic_client_registration") ? "critical" : "high";
  if (share >= 0.1) return "high";
  return share >= 0.01 ? "medium" : "low";
}

/** More addresses than this are not one organization. IPv6 counts networks of 2^64 addresses. */
const manyAddresses = 2n ** 16n;
const manyOfSix = manyAddresses << 64n;

/** `extent`: the requests that are newly allowed; undefined: their share is not known. */
export function openingLevel(extent: Extent | undefined, isSigned: boolean): Level {
  // Anybody can send a user agent. Only the owner of the key can sign.
  if (!extent) return isSigned ? "medium" : "high";
  if (largestShare(extent) > 0.5) return "critical";
  const { wholeCountries, addresses } = extent;
  const isWide = wholeCountries.length > 0 || addresses.ipv4 > manyAddresses || addresses.ipv6 > manyOfSix;
  return isWide ? "high" : "medium";
}
