/** The made-up people of the traffic: their places, their programs, and the hours at which they are awake. */
import { createHash } from "node:crypto";
import type { Origin } from "../enforcement/origin";
import type { Random } from "../state/identity";
import { pick } from "./random";

interface Country {
  readonly code: string;
  readonly share: number;
  /** Hours from UTC. */
  readonly offset: number;
  readonly subdivisions: readonly string[];
}

export const countries: readonly Country[] = [
  { code: "US", share: 34, offset: -6, subdivisions: ["US-CA", "US-TX", "US-NY"] },
  { code: "DE", share: 17, offset: 1, subdivisions: ["DE-BE", "DE-BY"] },
  { code: "GB", share: 11, offset: 0, subdivisions: ["GB-ENG", "GB-SCT"] },
  { code: "FR", share: 8, offset: 1, subdivisions: ["FR-IDF"] },
  { code: "IN", share: 8, offset: 5.5, subdivisions: ["IN-KA", "IN-MH"] },
  { code: "BR", share: 6, offset: -3, subdivisions: ["BR-SP"] },
  { code: "JP", share: 5, offset: 9, subdivisions: ["JP-13"] },
  { code: "CA", share: 4, offset: -5, subdivisions: ["CA-ON", "CA-QC"] },
  { code: "AU", share: 3, offset: 10, subdivisions: ["AU-NSW"] },
  { code: "NL", share: 2, offset: 1, subdivisions: ["NL-NH"] },
  { code: "PL", share: 1.5, offset: 1, subdivisions: ["PL-14"] },
  { code: "SG", share: 0.5, offset: 8, subdivisions: [] },
];

const hour = 3_600_000;

/** How active people are at a time, from their local hour and day. */
export function activity(at: number, offset: number): number {
  const local = new Date(at + offset * hour);
  const hours = local.getUTCHours() + local.getUTCMinutes() / 60;
  const awake = 0.08 + Math.max(0, Math.sin(((hours - 6) / 17) * Math.PI)) ** 1.3;
  return [0, 6].includes(local.getUTCDay()) ? awake * 0.55 : awake;
}

interface Agent {
  readonly header: string;
  readonly ja3: string;
  readonly ja4: string;
}

const fingerprints = (name: string): Omit<Agent, "header"> => {
  const digest = createHash("sha256").update(name).digest("hex");
  return { ja3: digest.slice(0, 32), ja4: `t13d1516h2_${digest.slice(32, 44)}_${digest.slice(44, 56)}` };
};
const agent = (header: string): Agent => ({ header, ...fingerprints(header) });

const mozilla = "Mozilla/5.0";
const blink = "AppleWebKit/537.36 (KHTML, like Gecko)";
const browsers: readonly (readonly [Agent, number])[] = [
  [agent(`${mozilla} (Windows NT 10.0; Win64; x64) ${blink} Chrome/142.0.0.0 Safari/537.36`), 38],
  [agent(`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${blink} Chrome/142.0.0.0 Safari/537.36`), 16],
  [agent(`${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1`), 22],
  [agent(`${mozilla} (Linux; Android 15; K) ${blink} Chrome/142.0.0.0 Mobile Safari/537.36`), 14],
  [agent(`${mozilla} (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0`), 6],
  [agent(`${mozilla} (Windows NT 10.0; Win64; x64) ${blink} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.1`), 4],
];
export const scripts = {
  stuffing: agent("python-requests/2.32.3"),
  scanner: agent("scanner/1.0"),
  machine: agent("acme-backend/4.2"),
  partner: agent("partner-sync/1.9 (node)"),
};

/** The facts that the tenant sees of a program. */
export const originOf = (who: Agent, place: Omit<Origin, "user_agent" | "ja3" | "ja4">): Origin => ({
  connecting_ip: place.ip,
  ...place,
  user_agent: who.header,
  ja3: who.ja3,
  ja4: who.ja4,
});

/** The same number for the same text. */
function numberOf(text: string): number {
  let hash = 2166136261;
  for (let place = 0; place < text.length; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 16777619);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const hexadecimal = (number: number) => (number & 0xffff).toString(16);

/** An address that nobody has: the benchmarking block of IPv4 or the documentation block of IPv6, a part for each country. */
function addressIn(place: number, number: number): string {
  if (number % 10 < 3) return `2001:db8:${hexadecimal(place + 1)}:${hexadecimal(number >>> 8)}::${hexadecimal(number)}`;
  const host = place * 8192 + (number % 8192);
  return `198.${18 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
}

export interface Person {
  readonly user_id: string;
  readonly user_name: string;
  readonly origin: Origin;
}

export const hostnames: readonly (readonly [string, number])[] = [
  ["login.acme.example", 4],
  ["acme.tenant.example", 1],
];

/** A person who is active at a time. A few people make most of the requests. */
export function personAt(at: number, people: number, random: Random): Person {
  const weighted = countries.map((one, place) => [[one, place], one.share * activity(at, one.offset)] as const);
  const [{ code, subdivisions, share }, place] = pick(weighted, random);
  const among = Math.max(1, Math.round((people * share) / 100));
  const name = `${code.toLowerCase()}${Math.floor(among * random() ** 3)}`;
  const number = numberOf(name);
  // One request in twelve comes from another place of the same country.
  const seat = random() < 1 / 12 ? numberOf(`${name} ${Math.floor(random() * 1e6)}`) : number;
  const origin = originOf(
    pick(browsers, () => (number % 997) / 997),
    {
      ip: addressIn(place, seat),
      country: code,
      subdivision: subdivisions[number % Math.max(1, subdivisions.length)],
      asn: String(64496 + ((place + (number % 3)) % 16)),
      hostname: pick(hostnames, random),
    },
  );
  return { user_id: `auth0|${name}`, user_name: `${name}@users.example`, origin };
}
