/** A request that shows what a change does, without the facts that must not be shown. */
import type { WholeRequest } from "../../access/access";
import { hidden } from "../hidden";

/** Fact of a request -> the signals that look at it. */
const signalsOf: Record<string, readonly string[]> = {
  ip: ["ipv4_cidrs", "ipv6_cidrs"],
  connecting_ip: ["connecting_ipv4_cidrs", "connecting_ipv6_cidrs"],
  country: ["geo_country_codes", "geo_subdivision_codes"],
  subdivision: ["geo_subdivision_codes"],
  asn: ["asns"],
  user_agent: ["user_agents"],
  hostname: ["hostnames"],
  ja3: ["ja3_fingerprints"],
  ja4: ["ja4_fingerprints"],
  managed: ["auth0_managed"],
  signature_key: ["http_message_signature"],
};

export interface Witness {
  readonly path: string;
  readonly ip: string;
  readonly connecting_ip: string;
  readonly country: string | null;
  readonly subdivision: string | null;
  readonly asn: number | string | null;
  readonly user_agent: string | null;
  readonly hostname: string | null;
  readonly ja3: string | null;
  readonly ja4: string | null;
  readonly managed: readonly string[];
  readonly signature_key: string | null;
}

/** A request as it may be shown: a fact that a sensitive list is about is not. */
export function shownWitness(request: WholeRequest, secrets: ReadonlySet<string>): Witness {
  const isSecret = (fact: string) => (signalsOf[fact] ?? []).some((signal) => secrets.has(signal));
  const shown = <T>(fact: string, value: T | undefined) =>
    value === undefined ? null : isSecret(fact) ? (hidden as T & string) : value;
  return {
    path: request.path,
    ip: shown("ip", request.ip)!,
    connecting_ip: shown("connecting_ip", request.connecting_ip)!,
    country: shown("country", request.country),
    subdivision: shown("subdivision", request.subdivision),
    asn: shown("asn", request.asn),
    user_agent: shown("user_agent", request.user_agent),
    hostname: shown("hostname", request.hostname),
    ja3: shown("ja3", request.ja3),
    ja4: shown("ja4", request.ja4),
    managed: (request.managed ?? []).map((name) => (isSecret("managed") ? hidden : name)),
    signature_key: shown("signature_key", request.signature_key),
  };
}

/** `/api/v2/ from 203.0.113.7, country DE`. */
export function requestWords(request: WholeRequest, secrets: ReadonlySet<string>): string {
  const { path, ip, connecting_ip, managed, ...facts } = shownWitness(request, secrets);
  const through = connecting_ip === ip ? "" : ` through ${connecting_ip}`;
  const others = Object.entries(facts).flatMap(([name, value]) =>
    value === null ? [] : [`${name.replaceAll("_", " ")} ${value}`],
  );
  return [`${path} from ${ip}${through}`, ...others, ...managed.map((name) => `on list ${name}`)].join(", ");
}
