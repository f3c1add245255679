/**
 * Random pairs of versions against an oracle: every request of a small world is evaluated in both versions, and must be claimed by exactly
 * the changes that say its two outcomes.
 */
import { changesOf, outcomeKey, type Changed, type RequestCase } from "../../src/access/changes";
import type { Acl } from "../../src/access/decide";
import { parseBlock } from "../../src/access/cidr";
import { rangeOf } from "../../src/access/addresses";
import type { Area, Entries } from "../../src/access/sets/extent";

const seed = Number(process.env["SEED"] ?? 7);
const pairs = 3_000;

/** Numbers from 0 to 1, always the same ones. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;
const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const some = <T>(random: Random, list: readonly T[]): T[] => {
  const found = list.filter(() => random() < 0.4);
  return found.length > 0 ? found : [pick(random, list)];
};

const entries = {
  ipv4_cidrs: ["0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "192.0.2.0/24"],
  ipv6_cidrs: ["::/0", "2001:db8::/32", "2001:db8::1"],
  connecting_ipv4_cidrs: ["10.0.0.0/8", "198.51.100.7"],
  geo_country_codes: ["US", "DE", "KP", "IR"],
  geo_subdivision_codes: ["US-CA", "KP-01"],
  auth0_managed: ["auth0.tor", "auth0.relay"],
  user_agents: ["curl/8.5.0", "Mozilla"],
  hostnames: ["x.example.com", "login.example.com"],
  asns: [64500, 64501],
  ja3_fingerprints: ["e7d705a3286e19ea42f587b344ee6865"],
} as const;
type Property = keyof typeof entries;
const properties = Object.keys(entries) as Property[];
const scopes = ["tenant", "authentication", "management", "dynamic_client_registration"];
const actions = [
  { allow: true },
  { allow: true },
  { block: true },
  { block: true },
  { block: true },
  { log: true },
  { redirect: true, redirect_uri: "https://a.example/x" },
  { redirect: true, redirect_uri: "https://b.example/y" },
];

function criteria(random: Random, used: readonly Property[], most: number): object {
  const names = used.filter(() => random() < 0.5).slice(0, most);
  return Object.fromEntries(
    (names.length > 0 ? names : [pick(random, used)]).map((name) => [
      name,
      some(random, entries[name] as readonly unknown[]),
    ]),
  );
}

function randomAcl(random: Random, priority: number, used: readonly Property[]): Acl {
  const form = random();
  return {
    active: random() < 0.95,
    priority,
    key: `acl ${priority}`,
    rule: {
      action: pick(random, actions),
      scope: pick(random, scopes),
      ...(form < 0.7 && { match: criteria(random, used, 2) }),
      ...((form > 0.5 || form >= 0.7) && { not_match: criteria(random, used, 2) }),
    } as Acl["rule"],
  };
}

function changed(random: Random, acls: readonly Acl[], used: readonly Property[]): Acl[] {
  const after = [...acls];
  for (let count = 1 + Math.floor(random() * 2); count > 0; count--) {
    const at = Math.floor(random() * after.length);
    const how = random();
    if (how < 0.25) after.splice(at, 1);
    else if (how < 0.5) after.push(randomAcl(random, 50 + count + Math.floor(random() * 20) * 3, used));
    else if (how < 0.85 && after[at])
      after[at] = { ...randomAcl(random, after[at]!.priority, used), key: after[at]!.key! };
    else if (after[at]) after[at] = { ...after[at]!, active: !after[at]!.active };
  }
  return after;
}

type Request = Readonly<Record<string, string | readonly string[] | undefined>>;

const has = (text: string, list: readonly unknown[]) => list.map(String).includes(text);
const isInBlock = (address: string, text: string) => {
  const [at] = rangeOf(parseBlock(address)!);
  const [from, to] = rangeOf(parseBlock(text)!);
  return from <= at && at < to;
};

const tests: Record<string, (request: Request, list: readonly unknown[]) => boolean> = {
  ipv4_cidrs: ({ ip }, list) => list.some((text) => isInBlock(ip as string, text as string)),
  connecting_ipv4_cidrs: ({ ip, connecting = ip }, list) =>
    list.some((text) => isInBlock(connecting as string, text as string)),
  geo_country_codes: ({ country }, list) => country !== undefined && has(country as string, list),
  geo_subdivision_codes: ({ region }, list) => region !== undefined && has(region as string, list),
  auth0_managed: ({ managed }, list) => (managed as readonly string[]).some((name) => has(name, list)),
  user_agents: ({ agent }, list) => agent !== undefined && has(agent as string, list),
  hostnames: ({ host }, list) => host !== undefined && has(host as string, list),
  asns: ({ asn }, list) => asn !== undefined && has(asn as string, list),
  ja3_fingerprints: ({ ja3 }, list) => ja3 !== undefined && has(ja3 as string, list),
};

/** The two address properties are one signal. */
function signals(criteriaOf: object | undefined): ((request: Request) => boolean)[] {
  const { ipv4_cidrs: four, ipv6_cidrs: six, ...others } = (criteriaOf ?? {}) as Record<string, readonly unknown[]>;
  const address = [...(four ?? []), ...(six ?? [])];
  return [
    ...(address.length > 0 ? [(request: Request) => tests["ipv4_cidrs"]!(request, address)] : []),
    ...Object.entries(others).map(
      ([name, list]) =>
        (request: Request) =>
          tests[name]!(request, list),
    ),
  ];
}

const covers: Record<string, readonly string[]> = {
  tenant: ["authentication", "management", "dynamic_client_registration"],
  authentication: ["authentication", "dynamic_client_registration"],
  management: ["management"],
  dynamic_client_registration: ["dynamic_client_registration"],
};

function evaluator(acls: readonly Acl[]): (request: Request, api: string) => string {
  const order = acls
    .filter(({ active }) => active)
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ rule }) => {
      const [wanted, excluded] = [signals(rule.match), signals(rule.not_match)];
      const { redirect_uri: uri } = rule.action;
      const outcome = rule.action["allow"] ? "allowed" : rule.action["block"] ? "blocked" : `redirected${uri}`;
      const matches = (request: Request) =>
        wanted.every((test) => test(request)) && !excluded.some((test) => test(request));
      return { scope: covers[rule.scope]!, matches, outcome, isLog: rule.action["log"] === true };
    });
  return (request, api) =>
    order.find(({ scope, matches, isLog }) => !isLog && scope.includes(api) && matches(request))?.outcome ?? "allowed";
}

/** Every request that the constants of these properties tell apart. */
function worldOf(used: readonly Property[]): Request[] {
  const is = (name: Property) => used.includes(name);
  const axes: Record<string, readonly (string | readonly string[] | undefined)[]> = {
    ip: [
      ...(is("ipv4_cidrs") || is("ipv6_cidrs")
        ? ["10.1.2.3", "10.1.0.0", "10.200.0.1", "192.0.2.9", "2001:db8::1", "2001:db8::2"]
        : []),
      ...(is("connecting_ipv4_cidrs") ? ["10.0.0.1", "198.51.100.7"] : []),
      "8.8.8.8",
      "2a00::1",
    ],
    // Left out: the user connects directly.
    connecting: is("connecting_ipv4_cidrs") ? [undefined, "8.8.8.8", "10.0.0.1", "198.51.100.7"] : [undefined],
    agent: is("user_agents") ? [undefined, ...entries.user_agents] : [undefined],
    host: is("hostnames") ? [undefined, ...entries.hostnames] : [undefined],
    asn: is("asns") ? [undefined, "64500", "64501"] : [undefined],
    ja3: is("ja3_fingerprints") ? [undefined, ...entries.ja3_fingerprints] : [undefined],
    managed: is("auth0_managed") ? [[], ["auth0.tor"], ["auth0.relay"], ["auth0.tor", "auth0.relay"]] : [[]],
  };
  const places = [
    ...["FR", undefined, "US", "KP", ...(is("geo_country_codes") ? ["DE", "IR"] : [])].map((country) => ({ country })),
    ...(is("geo_subdivision_codes")
      ? [
          { country: "US", region: "US-CA" },
          { country: "KP", region: "KP-01" },
        ]
      : []),
  ];
  return Object.entries(axes).reduce<Request[]>(
    (all, [name, values]) => all.flatMap((request) => values.map((value) => ({ ...request, [name]: value }))),
    places as Request[],
  );
}

const holds = (given: Entries, isIn: (text: string) => boolean) =>
  "in" in given ? given.in.some(isIn) : !given.outside.some(isIn);

function isWithin(address: string, text: string): boolean {
  const [first, last] = text.split("-");
  if (last === undefined) return isInBlock(address, text);
  const at = rangeOf(parseBlock(address)!)[0];
  return rangeOf(parseBlock(first!)!)[0] <= at && at <= rangeOf(parseBlock(last)!)[0];
}

const isInArea = ({ country, ip, connecting = ip }: Request, areas: readonly Area[]) =>
  areas.some(
    ({ countries, addresses, by }) =>
      holds(countries, (code) => code === country) &&
      holds(addresses, (text) => isWithin((by ? connecting : ip) as string, text)),
  );

const factOf: Record<string, string> = {
  user_agent: "agent",
  hostname: "host",
  asn: "asn",
  ja3: "ja3",
  subdivision: "region",
};

function isInCase(request: Request, { criteria: given, areas }: RequestCase): boolean {
  const isMet = given.every(({ fact, values, isOther }) => {
    const is =
      fact === "managed"
        ? (request["managed"] as readonly string[]).some((name) => values.includes(name))
        : fact === "connecting_ip"
          ? values.some((text) => isWithin((request["connecting"] ?? request["ip"]) as string, text))
          : request[factOf[fact]!] !== undefined && values.includes(request[factOf[fact]!] as string);
    return is !== isOther;
  });
  return isMet && (areas === undefined || isInArea(request, areas));
}

/** Whether the change says that it is about the request. */
const claims = ({ extent, cases, exceptions }: Changed<Acl>, request: Request): boolean =>
  extent
    ? isInArea(request, extent.areas) && !exceptions.some((one) => isInCase(request, one))
    : cases.some((one) => isInCase(request, one));

/** The first contradiction. */
function mistakeIn(before: readonly Acl[], after: readonly Acl[], used: readonly Property[]): unknown {
  const { changed: found, undecided } = changesOf({ before, after }, outcomeKey);
  if (undecided.length > 0) return { undecided };
  const [was, is] = [before, after].map(evaluator) as [ReturnType<typeof evaluator>, ReturnType<typeof evaluator>];
  const world = worldOf(used);
  const named = new Set<unknown>();
  for (const api of covers["tenant"]!) {
    const own = found.filter(({ apis }) => (apis as readonly string[]).includes(api));
    for (const request of world) {
      const [first, second] = [was(request, api), is(request, api)];
      const kind = (text: string) => text.replace(/^redirected.*/, "redirected");
      const truth = first === second ? undefined : JSON.stringify([kind(first), kind(second), true]);
      const claiming = own.filter((one) => claims(one, request));
      for (const { exceptions, extent, key } of own) {
        if (key === truth) continue;
        for (const one of exceptions)
          if (extent && isInArea(request, extent.areas) && isInCase(request, one)) named.add(one);
      }
      const isRight =
        truth === undefined ? claiming.length === 0 : claiming.length > 0 && claiming.every(({ key }) => key === truth);
      if (!isRight)
        return {
          api,
          request,
          first,
          second,
          claiming: claiming.map(({ key }) => key),
          found: JSON.stringify(
            own.map(({ extent, cases, exceptions, key }) => ({ key, areas: extent?.areas, cases, exceptions })),
          ),
        };
    }
  }
  const unnamed = found.flatMap(({ exceptions }) => exceptions).find((one) => !named.has(one));
  return unnamed && { "no such request": unnamed };
}

test("a change names exactly the requests that it changes, and exceptions that exist", () => {
  const random = randomFrom(seed);
  const mistakes: unknown[] = [];
  for (let index = 0; index < pairs; index++) {
    const used = properties.filter(() => random() < 0.35).slice(0, 4);
    const own = used.length > 0 ? used : [pick(random, properties)];
    const before = Array.from({ length: Math.floor(random() * 5) }, (_, at) =>
      randomAcl(random, 10 * (at + 1) + 1, own),
    );
    const after = changed(random, before, own);
    const mistake = mistakeIn(before, after, own);
    if (mistake) mistakes.push({ index, mistake, before, after });
  }
  // The smallest one is the easiest to read.
  const [first] = mistakes.toSorted((one, other) => JSON.stringify(one).length - JSON.stringify(other).length);
  expect([mistakes.length, first]).toEqual([0, undefined]);
}, 600_000);
