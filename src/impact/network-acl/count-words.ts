/** Words how many more or fewer entries or addresses a rule matches. */
import { amountWords } from "../amount";

const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  asns: ["AS number", "AS numbers"],
  geo_country_codes: ["country", "countries"],
  geo_subdivision_codes: ["region", "regions"],
  ja3_fingerprints: ["fingerprint", "fingerprints"],
  ja4_fingerprints: ["fingerprint", "fingerprints"],
  user_agents: ["user agent", "user agents"],
  hostnames: ["host name", "host names"],
  auth0_managed: ["curated list", "curated lists"],
  http_message_signature: ["key", "keys"],
  ipv4_cidrs: ["IPv4 address", "IPv4 addresses"],
  ipv6_cidrs: ["IPv6 address", "IPv6 addresses"],
  connecting_ipv4_cidrs: ["connecting IPv4 address", "connecting IPv4 addresses"],
  connecting_ipv6_cidrs: ["connecting IPv6 address", "connecting IPv6 addresses"],
};

/** `2 more countries` and `1 fewer country`. */
export function countWords(property: string, { more, fewer }: { readonly more: bigint; readonly fewer: bigint }) {
  const noun = nouns[property] ?? (["entry", "entries"] as const);
  return [...amountWords(more, noun, "more"), ...amountWords(fewer, noun, "fewer")];
}
