/** The origin of a request, from the request itself and from a header that states the rest. */
import { isIP } from "node:net";
import { ServiceError } from "../http/response";
import { pairsIn } from "./pairs";

export const originHeader = "x-tenantform-origin";

/** The facts that network ACLs match. The request does not have the absent ones. */
export interface Origin {
  /** Address of the end user. */
  readonly ip?: string;
  /** Address of the host that connects, such as a reverse proxy. */
  readonly connecting_ip?: string;
  readonly asn?: string;
  readonly country?: string;
  readonly subdivision?: string;
  readonly user_agent?: string;
  /** The host name that the client requests (TLS server name). */
  readonly hostname?: string;
  readonly ja3?: string;
  readonly ja4?: string;
  /** The curated lists with its address. */
  readonly managed?: readonly string[];
  /** The keys of its valid HTTP message signatures. */
  readonly signature_keys?: readonly string[];
}

const facts = {
  ip: "203.0.113.7: address of the end user; that of the request by default",
  connecting_ip: "address of the host that connects, such as a reverse proxy; the same as ip by default",
  asn: "64500: AS number",
  country: "DE: ISO 3166-1",
  subdivision: "DE-BE: ISO 3166-2",
  user_agent: '"curl/8.7; x": the header user-agent by default',
  hostname: "host name that the client requests; that of the request by default",
  ja3: "JA3 fingerprint",
  ja4: "JA4 fingerprint",
  managed: "auth0.tor,auth0.vpn: curated lists with its address",
} as const;

type Fact = keyof typeof facts;

/** The fingerprints of the TLS client, which log events have in one object. */
export const fingerprints = ["ja3", "ja4"] as const;

export const originDescription =
  `The origin of the request, if the tenant enforces its network ACLs: name=value, separated by semicolons. Put values ` +
  `with semicolons in double quotes: ip=203.0.113.7; country=DE; user_agent="a; b". The request does not have the facts ` +
  `that are left out. ${Object.entries(facts)
    .map(([name, words]) => `${name} (${words})`)
    .join(", ")}.`;

const isFact = (name: string): name is Fact => Object.hasOwn(facts, name);

const refuse = (problem: string) =>
  new ServiceError(
    400,
    `${originHeader}: ${problem}; write name=value; name=value with ${Object.keys(facts).join(", ")}`,
  );

/** An address with a zone is valid only on one host. */
const address = { is: "an address", matches: (text: string) => isIP(text) > 0 && !text.includes("%") };
const formed = (is: string, form: RegExp) => ({ is, matches: (text: string) => form.test(text) });

/** The forms of facts. An empty text states that the request does not have the fact. */
const forms: Partial<Record<Fact, { readonly is: string; readonly matches: (text: string) => boolean }>> = {
  ip: address,
  connecting_ip: address,
  asn: formed("an AS number", /^\d{0,10}$/),
  country: formed("a country's two letters", /^([a-z][a-z0-9])?$/i),
  subdivision: formed("a region such as US-CA", /^([a-z][a-z0-9]-[a-z0-9]{1,3})?$/i),
  hostname: formed("a host name", /^[\w.:[\]-]*$/),
  ja3: formed("32 hexadecimal digits", /^([\da-f]{32})?$/i),
  ja4: formed("a JA4 fingerprint", /^([a-z][a-z\d]{2}[di]\w*)?$/i),
};

/** Reads `ip=203.0.113.7; user_agent="a; b"`. */
export function parseOrigin(text: string): Partial<Record<Fact, string>> {
  const given: Partial<Record<Fact, string>> = {};
  for (const [name, value] of pairsIn(text, refuse)) {
    if (!isFact(name)) throw refuse(`"${name}" is not known`);
    given[name] = value;
  }
  for (const [name, { is, matches }] of Object.entries(forms)) {
    const fact = given[name as Fact];
    if (fact !== undefined && !matches(fact)) throw refuse(`${name} "${fact}" is not ${is}`);
  }
  return given;
}

/** Completes the stated facts with those that the request shows. */
export function originOf(request: Request, stated: Partial<Record<Fact, string>>, keys: readonly string[]): Origin {
  // Only this machine can reach the port.
  const ip = stated.ip ?? "127.0.0.1";
  return {
    ip,
    connecting_ip: stated.connecting_ip ?? ip,
    asn: stated.asn,
    country: stated.country?.toUpperCase(),
    subdivision: stated.subdivision?.toUpperCase(),
    user_agent: stated.user_agent ?? request.headers.get("user-agent") ?? undefined,
    hostname: stated.hostname ?? new URL(request.url).hostname,
    ja3: stated.ja3?.toLowerCase(),
    ja4: stated.ja4?.toLowerCase(),
    managed: stated.managed?.split(",").map((name) => name.trim().toLowerCase()),
    signature_keys: keys,
  };
}
