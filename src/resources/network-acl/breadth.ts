/** How much of the Management API a set of ACLs cuts off, measured on requests from everywhere that nothing else is known of. */
import { decide, type Acl } from "../../access/decide";
import { countries } from "../country";

export interface Breadth<A extends Acl> {
  /** Parts of the requests over IPv4 and over IPv6 that are certainly blocked or redirected, 0 to 1. */
  readonly ipv4: number;
  readonly ipv6: number;
  /** The ACLs that do it. */
  readonly by: readonly A[];
}

/** More than this part of the requests is most of them. */
export const most = 0.75;

const samples = 64;

/** `hostname`: that Terraform asks for. */
export function breadthOf<A extends Acl>(acls: readonly A[], hostname: string): Breadth<A> {
  const concerned = acls.filter(({ active, rule }) => active && rule.scope !== "authentication");
  const by = new Set<A>();
  const cutOff = (addressOf: (index: number) => string) => {
    let count = 0;
    for (let index = 0; index < samples; index++) {
      const country = countries[Math.floor((index * countries.length) / samples)]!;
      const verdict = decide(concerned, {
        ...ordinary,
        country,
        subdivision: `${country}-?`,
        hostname,
        ...bothAre(addressOf(index)),
      });
      if (verdict.cutOff !== "yes") continue;
      count++;
      by.add(verdict.by!);
    }
    return count / samples;
  };
  if (!concerned.some(({ rule }) => rule.action.block || rule.action.redirect)) return { ipv4: 0, ipv6: 0, by: [] };
  return { ipv4: cutOff(ipv4Address), ipv6: cutOff(ipv6Address), by: [...by] };
}

/** Facts that no list names, and no signature. */
const ordinary = {
  api: "management",
  asn: 4_294_967_294,
  user_agent: "?",
  ja3: "?",
  ja4: "?",
  managed: [],
  signature_key: "",
} as const;

function bothAre(ip: string) {
  return { ip, connecting_ip: ip };
}

/** Spread evenly over all addresses (in another order than the countries), each in the midst of its part. */
function scattered(index: number): number {
  return (((index * 37) % samples) + 0.5) / samples;
}

function ipv4Address(index: number): string {
  const first = Math.floor(scattered(index) * 224);
  return `${first}.${(index * 89 + 71) % 256}.${(index * 53 + 29) % 256}.${(index * 31 + 101) % 254}`;
}

/** Of the part that is in use, 2000::/3. */
function ipv6Address(index: number): string {
  const first = 0x2000 + Math.floor(scattered(index) * 0x2000);
  return `${first.toString(16)}:${(index * 947 + 71).toString(16)}:${(index * 389 + 29).toString(16)}::${(index * 31 + 101).toString(16)}`;
}
