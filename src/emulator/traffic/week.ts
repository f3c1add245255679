/** A made-up week of requests to a tenant: people, machines, and attackers. */
import type { Origin } from "../enforcement/origin";
import type { Participants } from "../logs/event";
import type { Random } from "../state/identity";
import { activity, countries, hostnames, originOf, personAt, scripts } from "./population";
import { pick, seededRandom } from "./random";

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
  /** Milliseconds since 1970; a Monday by default. */
  readonly start?: number;
}

export const usualStart = Date.parse("2026-11-02T00:00:00Z");
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const minutes = (7 * day) / minute;

type Made = Omit<MadeRequest, "at">;

/** Requests of one kind, spread evenly over a time. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  make(at: number): Made;
}

const places: Readonly<Record<string, readonly [method: "GET" | "POST", path: string]>> = {
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
  const [method, usual] = places[type] ?? ["POST", "/oauth/token"];
  return { method, path: path ?? usual, origin, type, participants };
}

const applications: readonly (readonly [Participants, number])[] = [
  [{ client_id: "AcmeWebShop", client_name: "Acme Web Shop" }, 52],
  [{ client_id: "AcmeMobileApp", client_name: "Acme for phones" }, 30],
  [{ client_id: "AcmeSupportDesk", client_name: "Support desk" }, 11],
  [{ client_id: "tpa_PartnerPortal", client_name: "Partner portal" }, 7],
];
const usualTypes = [
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
] as const;

const person = (at: number, people: number, random: Random): Made => {
  const { origin, user_id, user_name } = personAt(at, people, random);
  const application = pick(applications, random);
  return made(pick(usualTypes, random), origin, { ...application, user_id, user_name, connection: "Users" });
};

/** Three machines with fixed addresses; one writes to the management API and registers applications now and then. */
function machine(random: Random): Made {
  const number = Math.floor(random() * 3);
  const named = { client_id: `AcmeBackend${number}`, client_name: `Backend ${number}` };
  const place = { ip: `192.0.2.${10 + number}`, country: "DE", asn: "64510", hostname: "acme.tenant.example" };
  const origin = originOf(scripts.machine, place);
  if (number > 0 || random() < 0.6) return made(random() < 0.01 ? "feccft" : "seccft", origin, named);
  return made("sapi", origin, named, random() < 0.02 ? "/oidc/register" : undefined);
}

const stolen = [
  ["fu", 58],
  ["fp", 36],
  ["limit_mu", 4],
  ["pwd_leak", 1.5],
  ["s", 0.5],
] as const;

function stuffing(random: Random): Made {
  const isFirst = random() < 0.7;
  const ip = `${isFirst ? "203.0.113" : "198.51.100"}.${1 + Math.floor(random() * 40)}`;
  const place = { ip, country: isFirst ? "SC" : "PA", asn: isFirst ? "65540" : "65541", hostname: hostnames[0]![0] };
  const user_name = `leaked${Math.floor(random() * 1e6)}@mail.example`;
  const named = { ...applications[0]![0], user_name, connection: "Users" };
  return made(pick(stolen, random), originOf(scripts.stuffing, place), named);
}

const probed = [
  ["f", 4],
  ["fsa", 3],
  ["feacft", 2],
  ["feccft", 1],
] as const;

function scanner(random: Random): Made {
  const place = { ip: "192.0.2.66", country: "RO", asn: "65542", hostname: hostnames[1]![0] };
  return made(pick(probed, random), originOf(scripts.scanner, place), {
    client_id: `probe${Math.floor(random() * 50)}`,
  });
}

/** An integration that repeats a failing refresh without a pause. */
function partner(random: Random): Made {
  const place = { ip: "198.51.100.200", country: "NL", asn: "64505", hostname: hostnames[0]![0] };
  const named = { client_id: "tpa_PartnerSync", client_name: "Partner sync" };
  return made(random() < 0.9 ? "fertft" : "sertft", originOf(scripts.partner, place), named);
}

/** Requests a second of the integration that fails. */
const partnerRate = 80;

/** Shares of all requests. */
const shares = { machines: 0.1, stuffing: 0.05, scanner: 0.02, partner: 0.02 };

/** The attacks and the bursts, each at its time. */
function incidents(requests: number, start: number, random: Random): Stretch[] {
  const at = (days: number, hours: number) => start + days * day + hours * hour;
  const stretch = (from: number, length: number, count: number, make: () => Made): Stretch => ({
    from,
    to: from + length,
    count,
    make,
  });
  const part = (share: number, parts: number) => Math.round((requests * share) / parts);
  const burst = part(shares.partner, 6);
  return [
    stretch(at(1, 2), 3 * hour, part(shares.stuffing, 3), () => stuffing(random)),
    stretch(at(3, 14), 1.5 * hour, part(shares.stuffing, 3), () => stuffing(random)),
    stretch(at(5, 21), 2 * hour, part(shares.stuffing, 3), () => stuffing(random)),
    ...Array.from({ length: 14 }, (_, index) =>
      stretch(at(index / 2, 7 + (index % 5)), 10 * minute, part(shares.scanner, 14), () => scanner(random)),
    ),
    ...Array.from({ length: 6 }, (_, index) =>
      stretch(at(index, 9.25), (burst / partnerRate) * 1000, burst, () => partner(random)),
    ),
  ];
}

/** The number of requests of a stretch that lie before a time, so that the parts of all minutes add up to its count. */
const before = ({ from, to, count }: Stretch, time: number) =>
  Math.round(count * Math.min(1, Math.max(0, (time - from) / (to - from))));

/** In order of time. Keeps one minute in memory. */
export function* week({ requests, seed, start = usualStart }: WeekOptions): Generator<MadeRequest> {
  const random = seededRandom(seed);
  const special = incidents(requests, start, random);
  const machines: Stretch = {
    from: start,
    to: start + 7 * day,
    count: Math.round(requests * shares.machines),
    make: () => machine(random),
  };
  const people = Math.max(100, Math.round(requests / 50));
  const human = requests - [machines, ...special].reduce((sum, { count }) => sum + count, 0);
  const weights = Array.from({ length: minutes }, (_, index) =>
    countries.reduce((sum, { share, offset }) => sum + share * activity(start + index * minute, offset), 0),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;

  for (let index = 0; index < minutes; index++) {
    const from = start + index * minute;
    const to = from + minute;
    const drawn: MadeRequest[] = [];
    const draw = (count: number, low: number, high: number, make: (at: number) => Made) => {
      for (let number = 0; number < count; number++) {
        const at = Math.floor(low + random() * (high - low));
        drawn.push({ at, ...make(at) });
      }
    };
    const already = Math.round((human * passed) / total);
    passed += weights[index]!;
    const due = index === minutes - 1 ? human : Math.round((human * passed) / total);
    draw(due - already, from, to, (at) => person(at, people, random));
    for (const stretch of [machines, ...special]) {
      if (stretch.to <= from || stretch.from >= to) continue;
      const count = before(stretch, to) - before(stretch, from);
      draw(count, Math.max(from, stretch.from), Math.min(to, stretch.to), (at) => stretch.make(at));
    }
    yield* drawn.toSorted((a, b) => a.at - b.at);
  }
}
