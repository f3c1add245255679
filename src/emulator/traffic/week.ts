/**
 * A made-up week of requests to a tenant. It has people, machines and attackers as sources, each with a number of requests and a course over
 * the week. All addresses are from blocks for documentation and benchmarks, which nobody has.
 */
import { createHash } from "node:crypto";
import type { Origin } from "../enforcement/origin";
import type { Participants } from "../logs/event";
import { seededRandom, type Random } from "../state/identity";

/** A request, and the event that it leaves if the tenant lets it through. */
export interface MadeRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly origin: Origin;
  readonly type: string;
  readonly participants: Participants;
}

export interface WeekOptions {
  readonly requests: number;
  /** The same seed makes the same week. */
  readonly seed: number;
}

/** A Monday. */
export const usualStart = Date.parse("2026-11-02T00:00:00Z");
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const minutes = (7 * day) / minute;

type Made = Omit<MadeRequest, "at">;

interface Source {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** The part of the requests that lies before a time between `from` and `to`. */
  share(time: number): number;
  make(at: number): Made;
}

type Weighted<Choice> = readonly (readonly [Choice, number])[];

/** The choice whose share of the sum contains a random number. */
function pick<Choice>(choices: Weighted<Choice>, random: Random): Choice {
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  return (choices.find(([, weight]) => (left -= weight) < 0) ?? choices.at(-1)!)[0];
}

type Place = Pick<Origin, "ip" | "country" | "subdivision" | "asn" | "hostname">;

/** A program with fingerprints of its own, at a place. */
function originOf(userAgent: string, place: Place): Origin {
  const digest = createHash("sha256").update(userAgent).digest("hex");
  const ja4 = `t13d1516h2_${digest.slice(32, 44)}_${digest.slice(44, 56)}`;
  return { connecting_ip: place.ip, ...place, user_agent: userAgent, ja3: digest.slice(0, 32), ja4 };
}

const calls: Readonly<Record<string, readonly [method: "GET" | "POST", path: string]>> = {
  s: ["POST", "/u/login"],
  fp: ["POST", "/u/login"],
  fu: ["POST", "/u/login"],
  f: ["POST", "/u/login"],
  limit_mu: ["POST", "/u/login"],
  pwd_leak: ["POST", "/u/login"],
  ss: ["POST", "/u/signup"],
  scpr: ["POST", "/dbconnections/change_password"],
  gd_auth_succeed: ["POST", "/u/mfa-otp-challenge"],
  ssa: ["GET", "/authorize"],
  fsa: ["GET", "/authorize"],
  slo: ["GET", "/v2/logout"],
  sapi: ["POST", "/api/v2/users"],
};

function made(type: string, origin: Origin, participants: Participants, path?: string): Made {
  const [method, usual] = calls[type] ?? ["POST", "/oauth/token"];
  return { method, path: path ?? usual, origin, type, participants };
}

/** Countries with their shares of the people, hours from UTC, and regions. */
const countries: readonly (readonly [code: string, share: number, offset: number, ...regions: string[]])[] = [
  ["US", 34, -6, "US-CA", "US-TX", "US-NY"],
  ["DE", 17, 1, "DE-BE", "DE-BY"],
  ["GB", 11, 0, "GB-ENG", "GB-SCT"],
  ["FR", 8, 1, "FR-IDF"],
  ["IN", 8, 5.5, "IN-KA", "IN-MH"],
  ["BR", 6, -3, "BR-SP"],
  ["JP", 5, 9, "JP-13"],
  ["CA", 4, -5, "CA-ON", "CA-QC"],
  ["AU", 3, 10, "AU-NSW"],
  ["NL", 2, 1, "NL-NH"],
  ["PL", 1.5, 1, "PL-14"],
  ["SG", 0.5, 8],
];

/** How active people are at a time, from their local hour and day. */
function activity(at: number, offset: number): number {
  const local = new Date(at + offset * hour);
  const hours = local.getUTCHours() + local.getUTCMinutes() / 60;
  const awake = 0.08 + Math.max(0, Math.sin(((hours - 6) / 17) * Math.PI)) ** 1.3;
  return [0, 6].includes(local.getUTCDay()) ? awake * 0.55 : awake;
}

const blink = "AppleWebKit/537.36 (KHTML, like Gecko)";
const browsers: Weighted<string> = [
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/142.0.0.0 Safari/537.36`, 38],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${blink} Chrome/142.0.0.0 Safari/537.36`, 16],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1", 22],
  [`Mozilla/5.0 (Linux; Android 15; K) ${blink} Chrome/142.0.0.0 Mobile Safari/537.36`, 14],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0", 6],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.1`, 4],
];
const [login, tenant] = ["login.acme.example", "acme.tenant.example"];
const hostnames: Weighted<string> = [
  [login, 4],
  [tenant, 1],
];
const applications: Weighted<Participants> = [
  [{ client_id: "AcmeWebShop", client_name: "Acme Web Shop" }, 52],
  [{ client_id: "AcmeMobileApp", client_name: "Acme for phones" }, 30],
  [{ client_id: "AcmeSupportDesk", client_name: "Support desk" }, 11],
  [{ client_id: "tpa_PartnerPortal", client_name: "Partner portal" }, 7],
];
const usualTypes: Weighted<string> = [
  ["sertft", 30],
  ["s", 21],
  ["seacft", 21],
  ["ssa", 13],
  ["slo", 5],
  ["fp", 4],
  ["gd_auth_succeed", 3],
  ["fu", 1],
  ["ss", 1],
  ["scpr", 1],
];

/** The same number for the same text. */
const numberOf = (text: string) => createHash("sha256").update(text).digest().readUInt32BE();

/** The benchmarking block of IPv4 or the documentation block of IPv6, a part for each country. */
function addressIn(place: number, number: number): string {
  const hexadecimal = (value: number) => (value & 0xffff).toString(16);
  if (number % 10 < 3) return `2001:db8:${hexadecimal(place + 1)}:${hexadecimal(number >>> 8)}::${hexadecimal(number)}`;
  const host = place * 8192 + (number % 8192);
  return `198.${18 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
}

/** A person who is active at a time. A few people make most of the requests. */
function person(at: number, people: number, random: Random): Made {
  const active = countries.map((one, index) => [[index, one] as const, one[1] * activity(at, one[2])] as const);
  const [place, [code, share, , ...regions]] = pick(active, random);
  const name = `${code.toLowerCase()}${Math.floor(Math.max(1, Math.round((people * share) / 100)) * random() ** 3)}`;
  const number = numberOf(name);
  // One request in twelve comes from another place of the same country.
  const seat = random() < 1 / 12 ? numberOf(`${name} ${Math.floor(random() * 1e6)}`) : number;
  const origin = originOf(
    pick(browsers, () => (number % 997) / 997),
    {
      ip: addressIn(place, seat),
      country: code,
      subdivision: regions[number % Math.max(1, regions.length)],
      asn: String(64496 + ((place + (number % 3)) % 16)),
      hostname: pick(hostnames, random),
    },
  );
  const known = { user_id: `auth0|${name}`, user_name: `${name}@users.example`, connection: "Users" };
  return made(pick(usualTypes, random), origin, { ...pick(applications, random), ...known });
}

/** Three machines with fixed addresses; one writes to the management API and registers applications now and then. */
function machine(random: Random): Made {
  const number = Math.floor(random() * 3);
  const named = { client_id: `AcmeBackend${number}`, client_name: `Backend ${number}` };
  const place = { ip: `192.0.2.${10 + number}`, country: "DE", asn: "64510", hostname: tenant };
  const origin = originOf("acme-backend/4.2", place);
  if (number > 0 || random() < 0.6) return made(random() < 0.01 ? "feccft" : "seccft", origin, named);
  return made("sapi", origin, named, random() < 0.02 ? "/oidc/register" : undefined);
}

const stolen: Weighted<string> = [
  ["fu", 58],
  ["fp", 36],
  ["limit_mu", 4],
  ["pwd_leak", 1.5],
  ["s", 0.5],
];

function stuffing(random: Random): Made {
  const [network, country, asn] = random() < 0.7 ? ["203.0.113", "SC", "65540"] : ["198.51.100", "PA", "65541"];
  const place = { ip: `${network}.${1 + Math.floor(random() * 40)}`, country, asn, hostname: login };
  const user_name = `leaked${Math.floor(random() * 1e6)}@mail.example`;
  const named = { ...applications[0]![0], user_name, connection: "Users" };
  return made(pick(stolen, random), originOf("python-requests/2.32.3", place), named);
}

const probed: Weighted<string> = [
  ["f", 4],
  ["fsa", 3],
  ["feacft", 2],
  ["feccft", 1],
];

function scanner(random: Random): Made {
  const origin = originOf("scanner/1.0", { ip: "192.0.2.66", country: "RO", asn: "65542", hostname: tenant });
  return made(pick(probed, random), origin, { client_id: `probe${Math.floor(random() * 50)}` });
}

/** An integration that repeats a failing refresh without a pause. */
function partner(random: Random): Made {
  const place = { ip: "198.51.100.200", country: "NL", asn: "64505", hostname: login };
  const named = { client_id: "tpa_PartnerSync", client_name: "Partner sync" };
  return made(random() < 0.9 ? "fertft" : "sertft", originOf("partner-sync/1.9 (node)", place), named);
}

/** Requests a second of the integration that fails. */
const partnerRate = 80;

/** The machines, and the attacks and bursts, each at its time. */
function programs(requests: number, random: Random): Source[] {
  const source = (days: number, hours: number, length: number, count: number, make: typeof machine): Source => {
    const from = usualStart + days * day + hours * hour;
    const share = (time: number) => (time - from) / length;
    return { from, to: from + length, count: Math.round(count), share, make: () => make(random) };
  };
  const burst = Math.round((requests * 0.02) / 6);
  const times = (count: number) => Array.from({ length: count }, (_, index) => index);
  return [
    source(0, 0, 7 * day, requests * 0.1, machine),
    source(1, 2, 3 * hour, (requests * 0.05) / 3, stuffing),
    source(3, 14, 1.5 * hour, (requests * 0.05) / 3, stuffing),
    source(5, 21, 2 * hour, (requests * 0.05) / 3, stuffing),
    ...times(14).map((n) => source(n / 2, 7 + (n % 5), 10 * minute, (requests * 0.02) / 14, scanner)),
    ...times(6).map((n) => source(n, 9.25, Math.max(1, (burst / partnerRate) * 1000), burst, partner)),
  ];
}

function peopleOf(requests: number, count: number, random: Random): Source {
  const people = Math.max(100, Math.round(requests / 50));
  let sum = 0;
  const passed = Array.from({ length: minutes + 1 }, (_, index) => {
    const before = sum;
    for (const [, share, offset] of countries) sum += share * activity(usualStart + index * minute, offset);
    return before;
  });
  return {
    from: usualStart,
    to: usualStart + 7 * day,
    count,
    share: (time) => passed[(time - usualStart) / minute]! / passed[minutes]!,
    make: (at) => person(at, people, random),
  };
}

/** In order of time. Keeps one minute in memory. */
export function* week({ requests, seed }: WeekOptions): Generator<MadeRequest> {
  const random = seededRandom(seed);
  const others = programs(requests, random);
  const human = requests - others.reduce((sum, { count }) => sum + count, 0);
  const sources = [peopleOf(requests, human, random), ...others];
  for (let index = 0; index < minutes; index++) {
    const start = usualStart + index * minute;
    const drawn: MadeRequest[] = [];
    for (const { from, to, count, share, make } of sources) {
      const [low, high] = [Math.max(from, start), Math.min(to, start + minute)];
      if (low >= high) continue;
      // Rounding the sums before both times, the numbers of all minutes add up to the count.
      const due = Math.round(count * share(high)) - Math.round(count * share(low));
      for (let number = 0; number < due; number++) {
        const at = Math.floor(low + random() * (high - low));
        drawn.push({ at, ...make(at) });
      }
    }
    yield* drawn.toSorted((a, b) => a.at - b.at);
  }
}
