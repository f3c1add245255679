/** An independent evaluation of network ACLs for each request of a small world. */
import { partsOf } from "../../../../src/judge/access/access";
import type { Acl } from "../../../../src/judge/access/decide";
import type { RequestLists } from "../../../../src/judge/access/proof";

/** Each value stands for all values that the lists do not separate from it. */
export const values = {
  api: ["authentication", "management", "dynamic_client_registration"],
  ip: ["10.0.0.0", "10.0.0.1", "10.0.0.2", "11.0.0.0", "2001:db8::", "2001:db9::"],
  connecting: ["10.0.0.0", "11.0.0.0", "2001:db9::"],
  place: ["", "DE", "US", "US-CA"],
  managed: ["", "auth0.tor", "auth0.vpn", "auth0.tor auth0.vpn"],
  agent: ["", "curl", "curl/8", "bot", "bot/2", "bot curl"],
} as const;

type Name = keyof typeof values;
export type Request = Readonly<Record<Name, string>>;

export const world: readonly Request[] = (Object.keys(values) as Name[]).reduce<Request[]>(
  (requests, name) => requests.flatMap((request) => values[name].map((value) => ({ ...request, [name]: value }))),
  [{} as Request],
);

/** Entry -> the values that it matches. */
const inside: Record<string, readonly string[]> = {
  "0.0.0.0/0": ["10.0.0.0", "10.0.0.1", "10.0.0.2", "11.0.0.0"],
  "10.0.0.0/8": ["10.0.0.0", "10.0.0.1", "10.0.0.2"],
  "10.0.0.0/31": ["10.0.0.0", "10.0.0.1"],
  "10.0.0.1": ["10.0.0.1"],
  "::/0": ["2001:db8::", "2001:db9::"],
  "2001:db8::/32": ["2001:db8::"],
  // The other spelling of 10.0.0.1.
  "::ffff:10.0.0.1": [],
  DE: ["DE"],
  // Matches only if letter case does not matter.
  de: [],
  US: ["US", "US-CA"],
  "US-CA": ["US-CA"],
  "auth0.tor": ["auth0.tor", "auth0.tor auth0.vpn"],
  "auth0.vpn": ["auth0.vpn", "auth0.tor auth0.vpn"],
  curl: ["curl"],
  bot: ["bot"],
  tenant: ["authentication", "management", "dynamic_client_registration"],
  management: ["management"],
  authentication: ["authentication", "dynamic_client_registration"],
  dynamic_client_registration: ["dynamic_client_registration"],
};

/** One choice for each detail that is not documented or not known. */
export interface Choice {
  readonly pair: "one" | "two";
  readonly foldsCase: boolean;
  readonly readsMapped: boolean;
  /** Whether an entry of user agents matches each user agent that contains it. */
  readonly readsParts: boolean;
  /** The keys of ACLs: the first one is evaluated first among equal priorities. */
  readonly order: readonly string[];
  /** The place of an ACL whose priority is not known. */
  readonly place: number;
  /** Name of an unknown value -> whether it lets the rule match. */
  readonly matches: ReadonlyMap<string, boolean>;
  /** Name of an unknown value -> the action. */
  readonly actions: ReadonlyMap<string, string>;
}

export const documented: Choice = {
  pair: "one",
  foldsCase: false,
  readsMapped: false,
  readsParts: false,
  order: [],
  place: 0,
  matches: new Map(),
  actions: new Map(),
};

type Test = (request: Request) => boolean;

const properties: Record<string, readonly [name: Name, group: string]> = {
  ipv4_cidrs: ["ip", "ip"],
  ipv6_cidrs: ["ip", "ip"],
  connecting_ipv4_cidrs: ["connecting", "connecting"],
  connecting_ipv6_cidrs: ["connecting", "connecting"],
  geo_country_codes: ["place", "country"],
  geo_subdivision_codes: ["place", "region"],
  auth0_managed: ["managed", "managed"],
  user_agents: ["agent", "agent"],
};

function signalTests(side: "match" | "not_match", criteria: object | undefined, choice: Choice): Test[] {
  const groups = new Map<string, { readonly name: Name; readonly entries: unknown[] }>();
  for (const [property, list] of Object.entries(criteria ?? {})) {
    const [name, group] = properties[property]!;
    const key = choice.pair === "two" && name === "connecting" ? property : group;
    const known = groups.get(key) ?? { name, entries: [] };
    groups.set(key, known);
    known.entries.push(...(list as unknown[]));
  }
  return [...groups.values()].map(({ name, entries }) => {
    const unknown = entries.find((entry) => typeof entry === "symbol");
    const isWide = unknown !== undefined && choice.matches.get(unknown.description!) === (side === "match");
    const known = entries.filter((entry) => typeof entry === "string").map((entry) => spelled(entry, choice));
    const matched = new Set(known.flatMap((entry) => inside[entry]!));
    const isPart = (fact: string) =>
      name === "agent" && choice.readsParts && known.some((entry) => fact.includes(entry));
    return (request) => isWide || matched.has(request[name]) || isPart(request[name]);
  });
}

function spelled(entry: string, { foldsCase, readsMapped }: Choice): string {
  if (foldsCase && entry === "de") return "DE";
  return readsMapped && entry === "::ffff:10.0.0.1" ? "10.0.0.1" : entry;
}

export interface End {
  readonly by?: string;
  readonly outcome: string;
  readonly logged: boolean;
}

/** Prepared for many requests. */
export function evaluator(acls: readonly Acl[], choice: Choice): (request: Request) => End {
  const rank = ({ key }: Acl) => choice.order.indexOf(key!);
  const placeOf = ({ priority }: Acl) => (typeof priority === "symbol" ? choice.place : priority);
  const order = acls
    .filter(({ active }) => active)
    .toSorted((a, b) => placeOf(a) - placeOf(b) || rank(a) - rank(b))
    .map(({ key, rule }) => {
      const wanted = signalTests("match", rule.match as object, choice);
      const excluded = signalTests("not_match", rule.not_match as object, choice);
      const unknown = typeof rule.action === "symbol" ? rule.action.description! : undefined;
      const action = unknown === undefined ? Object.keys(partsOf(rule.action))[0]! : choice.actions.get(unknown)!;
      const scope = inside[rule.scope as string]!;
      const tenant = rule["tenant"] as symbol | undefined;
      const isHere = tenant === undefined || choice.matches.get(tenant.description!);
      const matches: Test = (request) =>
        isHere === true &&
        scope.includes(request.api) &&
        wanted.every((test) => test(request)) &&
        !excluded.some((test) => test(request));
      const uri = (partsOf(rule.action)["redirect_uri"] ?? "") as string;
      const outcome = { allow: "reached", block: "blocked", redirect: `redirected${uri}` }[action];
      return { by: key!, matches, outcome };
    });
  return (request) => {
    let logged = false;
    for (const { by, matches, outcome } of order) {
      if (!matches(request)) continue;
      if (outcome !== undefined) return { by, outcome, logged };
      logged = true;
    }
    return { outcome: "reached", logged };
  };
}

const lists: Record<string, Name> = {
  scopes: "api",
  ip_cidrs: "ip",
  connecting_ip_cidrs: "connecting",
  countries: "place",
  subdivisions: "place",
  managed: "managed",
  user_agents: "agent",
};

/** In a set, an IPv4-mapped address is its IPv4 address. */
const choiceOfSets = { readsMapped: true } as Choice;

export function isInSet(request: Request, set: RequestLists): boolean {
  return Object.entries(set).every(([list, entries]) => {
    const name = lists[list]!;
    const texts = entries.map((entry) => (name === "place" ? String(entry).toUpperCase() : String(entry)));
    return texts.some((text) => inside[spelled(text, choiceOfSets)]!.includes(request[name]));
  });
}
