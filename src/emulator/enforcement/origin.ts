/** Where a request comes from, as the edge before the service sees it, or as a header of the tester says. */
import { isIP } from "node:net";
import { ServiceError } from "../http/response";

export const originHeader = "x-tenantform-origin";

/** What network ACLs look at. What is absent is known not to be there. */
export interface Origin {
  /** Address of the end user. */
  readonly ip?: string;
  /** Address of the host that connects, such as a reverse proxy. */
  readonly connecting_ip?: string;
  readonly asn?: string;
  readonly country?: string;
  readonly subdivision?: string;
  readonly user_agent?: string;
  /** The name that the client asks for (TLS server name). */
  readonly hostname?: string;
  readonly ja3?: string;
  readonly ja4?: string;
  /** The curated lists that it is on. */
  readonly managed?: readonly string[];
  /** The keys whose HTTP message signatures it bears. */
  readonly signature_keys?: readonly string[];
}

const facts = {
  ip: "203.0.113.7: the end user's address; the request's own by default",
  connecting_ip: "address of the host that connects, such as a reverse proxy; the same as ip by default",
  asn: "64500: AS number",
  country: "DE: ISO 3166-1",
  subdivision: "DE-BE: ISO 3166-2",
  user_agent: '"curl/8.7; x": the header of that name by default',
  hostname: "the name that the client asks for; that of the request by default",
  ja3: "JA3 fingerprint",
  ja4: "JA4 fingerprint",
  managed: "auth0.tor,auth0.vpn: curated lists that it is on",
} as const;

type Fact = keyof typeof facts;

export const originDescription =
  `Where the request comes from, while the tenant enforces its network ACLs: name=value, separated by semicolons, ` +
  `values with semicolons in double quotes: ip=203.0.113.7; country=DE; asn=64500. What it leaves out, the request ` +
  `does not have. ${Object.entries(facts)
    .map(([name, words]) => `${name} (${words})`)
    .join(", ")}.`;

const isFact = (name: string): name is Fact => Object.hasOwn(facts, name);

const refuse = (problem: string) =>
  new ServiceError(
    400,
    `${originHeader}: ${problem}; it says name=value; name=value with ${Object.keys(facts).join(", ")}`,
  );

/** A zone belongs to one host's interfaces: no address on the internet has one. */
const address = { is: "an address", fits: (text: string) => isIP(text) > 0 && !text.includes("%") };
const formed = (is: string, form: RegExp) => ({ is, fits: (text: string) => form.test(text) });

/** Facts with a form; an empty one says that the request has none. */
const forms: Partial<Record<Fact, { readonly is: string; readonly fits: (text: string) => boolean }>> = {
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
  const part = /\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))\s*(?:;|$)/y;
  while (text.slice(part.lastIndex).trim() !== "") {
    const from = part.lastIndex;
    const [, name = "", quoted, bare = ""] = part.exec(text) ?? [];
    if (name === "") throw refuse(`"${text.slice(from).trim()}" is not name=value`);
    if (!isFact(name)) throw refuse(`"${name}" is not known`);
    given[name] = quoted === undefined ? bare.trim() : quoted.replace(/\\(.)/g, "$1");
  }
  for (const [name, { is, fits }] of Object.entries(forms)) {
    const fact = given[name as Fact];
    if (fact !== undefined && !fits(fact)) throw refuse(`${name} "${fact}" is not ${is}`);
  }
  return given;
}

/** What is said of a request, and what can be seen of it where nothing is said. */
export function originOf(request: Request, said: Partial<Record<Fact, string>>, keys: readonly string[]): Origin {
  // The port is open to this machine alone.
  const ip = said.ip ?? "127.0.0.1";
  return {
    ip,
    connecting_ip: said.connecting_ip ?? ip,
    asn: said.asn,
    country: said.country?.toUpperCase(),
    subdivision: said.subdivision?.toUpperCase(),
    user_agent: said.user_agent ?? request.headers.get("user-agent") ?? undefined,
    hostname: said.hostname ?? new URL(request.url).hostname,
    ja3: said.ja3?.toLowerCase(),
    ja4: said.ja4?.toLowerCase(),
    managed: said.managed?.split(",").map((name) => name.trim().toLowerCase()),
    signature_keys: keys,
  };
}
