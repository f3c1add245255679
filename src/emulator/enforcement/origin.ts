/** The origin of a request, from the request itself and from a header that states the rest. */
import { isIP } from "node:net";
import { ServiceError } from "../http/response";

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

interface Fact {
  /** What a value is that has this form. An empty text states that the request does not have the fact. */
  readonly form?: readonly [is: string, matches: (text: string) => boolean];
  /** How rules write it. */
  readonly write?: (text: string) => string;
}

const upper = (text: string) => text.toUpperCase();
const lower = (text: string) => text.toLowerCase();
const formed = (is: string, form: RegExp): Fact["form"] => [is, (text) => form.test(text)];
/** An address with a zone is valid only on one host. */
const address: Fact["form"] = ["an address", (text) => isIP(text) > 0 && !text.includes("%")];

const facts = {
  ip: { form: address },
  connecting_ip: { form: address },
  asn: { form: formed("an AS number", /^\d{0,10}$/) },
  country: { form: formed("a country's two letters", /^([a-z][a-z0-9])?$/i), write: upper },
  subdivision: { form: formed("a region such as US-CA", /^([a-z][a-z0-9]-[a-z0-9]{1,3})?$/i), write: upper },
  user_agent: {},
  hostname: { form: formed("a host name", /^[\w.:[\]-]*$/) },
  ja3: { form: formed("32 hexadecimal digits", /^([\da-f]{32})?$/i), write: lower },
  ja4: { form: formed("a JA4 fingerprint", /^([a-z][a-z\d]{2}[di]\w*)?$/i), write: lower },
  managed: { write: lower },
} as const satisfies Record<string, Fact>;

type FactName = keyof typeof facts;
type Stated = Partial<Record<FactName, string>>;

const isFact = (name: string): name is FactName => Object.hasOwn(facts, name);

const refuse = (problem: string) =>
  new ServiceError(
    400,
    `${originHeader}: ${problem}; write name=value; name=value with ${Object.keys(facts).join(", ")}`,
  );

/** The parts of a header such as `ip=203.0.113.7; user_agent="a; b"`. */
function pairsIn(text: string): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  const part = /\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))\s*(?:;|$)/y;
  while (text.slice(part.lastIndex).trim() !== "") {
    const from = part.lastIndex;
    const [, name = "", quoted, bare = ""] = part.exec(text) ?? [];
    if (name === "") throw refuse(`"${text.slice(from).trim()}" is not name=value`);
    pairs.push([name, quoted === undefined ? bare.trim() : quoted.replace(/\\(.)/g, "$1")]);
  }
  return pairs;
}

/** The facts that the header states, as rules write them. */
export function parseOrigin(text: string): Stated {
  const given: Stated = {};
  for (const [name, value] of pairsIn(text)) {
    if (!isFact(name)) throw refuse(`"${name}" is not known`);
    given[name] = value;
  }
  for (const name of Object.keys(given) as FactName[]) {
    const { form, write }: Fact = facts[name];
    const value = given[name]!;
    if (form && !form[1](value)) throw refuse(`${name} "${value}" is not ${form[0]}`);
    if (write) given[name] = write(value);
  }
  return given;
}

/** Completes the stated facts with those that the request shows. */
export function originOf(request: Request, { managed, ...stated }: Stated, keys: readonly string[]): Origin {
  // Only this machine can reach the port.
  const ip = stated.ip ?? "127.0.0.1";
  return {
    connecting_ip: ip,
    user_agent: request.headers.get("user-agent") ?? undefined,
    hostname: new URL(request.url).hostname,
    ...stated,
    ip,
    managed: managed?.split(",").map((name) => name.trim()),
    signature_keys: keys,
  };
}
