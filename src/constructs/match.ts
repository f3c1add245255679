/** Short forms for the signals of a rule. */
import { Token } from "./library";
import type { KnownGeoCountryCode, NetworkAclRuleMatch } from "./bindings/network-acl";

/**
 * Signals for `match` and `notMatch` of a rule. The rule matches if every signal in `match` matches, and none in `notMatch`. For every
 * request, use `matchAll: true` instead of both.
 * @example
 * match: Match.countries("KP", "IR")
 * @example
 * notMatch: Match.both(Match.addresses("203.0.113.0/24", "2001:db8::/32"), Match.networks(64496))
 */
export const Match = {
  /**
   * Requests from one of the countries, by their ISO 3166-1 alpha-2 codes.
   * @example
   * match: Match.countries("KP", "IR")
   */
  countries: (...codes: readonly (KnownGeoCountryCode | (string & {}))[]): NetworkAclRuleMatch => ({
    geoCountryCodes: separate("countries", codes),
  }),

  /**
   * Requests of end users at one of the addresses or CIDR blocks, IPv4 and IPv6 mixed.
   * @throws Error if an address is a token, because it may be IPv4 or IPv6. Give it as `ipv4Cidrs` or `ipv6Cidrs`.
   * @example
   * match: Match.addresses("203.0.113.0/24", "2001:db8::/32")
   */
  addresses(...blocks: readonly string[]): NetworkAclRuleMatch {
    const { ipv4, ipv6 } = byFamily(separate("addresses", blocks));
    return { ...(ipv4.length > 0 && { ipv4Cidrs: ipv4 }), ...(ipv6.length > 0 && { ipv6Cidrs: ipv6 }) };
  },

  /**
   * Requests through a host at one of the addresses or CIDR blocks, such as your reverse proxy.
   * @throws Error if an address is a token. Give it as `connectingIpv4Cidrs` or `connectingIpv6Cidrs`.
   * @example
   * notMatch: Match.through("198.51.100.7", "2001:db8::7")
   */
  through(...blocks: readonly string[]): NetworkAclRuleMatch {
    const { ipv4, ipv6 } = byFamily(separate("through", blocks));
    return {
      ...(ipv4.length > 0 && { connectingIpv4Cidrs: ipv4 }),
      ...(ipv6.length > 0 && { connectingIpv6Cidrs: ipv6 }),
    };
  },

  /**
   * Requests from one of the networks, by their AS numbers.
   * @example
   * match: Match.networks(64496, 64497)
   */
  networks: (...asns: readonly number[]): NetworkAclRuleMatch => ({ asns: separate("networks", asns) }),

  /**
   * Requests for one of the host names.
   * @example
   * match: Match.hostnames("login.example.com")
   */
  hostnames: (...names: readonly string[]): NetworkAclRuleMatch => ({ hostnames: separate("hostnames", names) }),

  /**
   * Requests through Tor, VPNs and open proxies, as Auth0 lists them. Early Access.
   * @example
   * match: Match.anonymizers()
   */
  anonymizers: (): NetworkAclRuleMatch => ({ auth0Managed: ["auth0.tor", "auth0.vpn", "auth0.proxy"] }),

  /**
   * Requests that are signed (RFC 9421) with one of these keys. Early Access.
   * @example
   * notMatch: Match.signedBy("key_8mJ2rTqZsWv5nYxB4cKdEf")
   */
  signedBy: (...keys: readonly string[]): NetworkAclRuleMatch => ({
    httpMessageSignature: { keys: separate("signedBy", keys).map((id) => ({ id })) },
  }),

  /**
   * Joins several signals. In `match`, all of them must match. Entries of the same signal are merged.
   * @throws Error if an argument is not an object, such as a list
   * @example
   * match: Match.both(Match.countries("DE"), Match.networks(64496))
   */
  both(...parts: readonly NetworkAclRuleMatch[]): NetworkAclRuleMatch {
    const together: Record<string, unknown> = {};
    for (const [signal, entries] of parts.flatMap(signalsOf)) together[signal] = united(together[signal], entries);
    return together;
  },
} as const;

/** Refuses a list in place of separate arguments, which would become a list in a list, and a text that `...` takes apart, such as a token. */
function separate<T>(name: string, values: readonly T[]): T[] {
  if (values.some((value) => Array.isArray(value)))
    throw new Error(`Match.${name} takes separate arguments: write ... before the list, Match.${name}(...list).`);
  if (values.length > 1 && values.every((value) => typeof value === "string" && value.length <= 1)) {
    const remedy = "give a list that only Terraform knows to the attribute itself, such as { geoCountryCodes: list }";
    throw new Error(`Match.${name} got the letters of the text ${JSON.stringify(values.join(""))}: ${remedy}.`);
  }
  return [...values];
}

function signalsOf(part: unknown, index: number): [string, unknown][] {
  if (typeof part === "object" && part !== null && !Array.isArray(part)) return Object.entries(part);
  throw new Error(
    `Match.both takes signals as separate arguments, Match.both(Match.countries("DE"), Match.networks(64496)): ` +
      `argument ${index + 1} is ${Array.isArray(part) ? "a list; write ... before it" : String(part)}.`,
  );
}

/** Merges two lists of the same signal, or the lists of keys in it. */
function united(earlier: unknown, later: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...(earlier as unknown[]), ...(later as unknown[])];
  if (!hasKeys(earlier) || !hasKeys(later)) return later;
  return { ...later, keys: united(earlier.keys, later.keys) };
}

function hasKeys(signal: unknown): signal is { readonly keys: unknown } {
  return typeof signal === "object" && signal !== null && Array.isArray((signal as { keys?: unknown }).keys);
}

function byFamily(blocks: readonly string[]): { ipv4: string[]; ipv6: string[] } {
  if (Token.isUnresolved(blocks) || blocks.some((block) => Token.isUnresolved(block))) {
    throw new Error(
      "An address is not known yet, so it may be IPv4 or IPv6. Give it as ipv4Cidrs or ipv6Cidrs (for a proxy: connectingIpv4Cidrs " +
        "or connectingIpv6Cidrs), and join it with the other addresses by Match.both.",
    );
  }
  // Synth reports a value that is not a text.
  const isIpv6 = (block: unknown) => typeof block === "string" && block.includes(":");
  return { ipv4: blocks.filter((block) => !isIpv6(block)), ipv6: blocks.filter(isIpv6) };
}
