/**
 * Random pairs of versions against an oracle, which evaluates every request of a small world in both versions. A _reading_ answers each
 * question that the rules leave open: what an unknown entry is, where an ACL of unknown priority stands, how Auth0 compares. Each request
 * must be claimed by exactly the changes that some reading has, and by a certain one only if all readings have it.
 */
import { type Changed, changesOf, outcomeKey, type RequestCase } from "../../../src/judge/access/changes";
import { notKnown, partsOf } from "../../../src/judge/access/access";
import type { Acl } from "../../../src/judge/access/decide";
import { parseBlock, rangeOf } from "../../../src/judge/access/cidr";
import type { Area, Entries } from "../../../src/judge/access/sets/extent";
import { type Random, randomFrom, samples, seed } from "../../support/seed";

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const some = <T>(random: Random, list: readonly T[]): T[] => {
  const found = list.filter(() => random() < 0.4);
  return found.length > 0 ? found : [pick(random, list)];
};

const entries = {
  ipv4_cidrs: ["0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "192.0.2.0/24"],
  ipv6_cidrs: ["::/0", "2001:db8::/32", "2001:db8::1"],
  connecting_ipv4_cidrs: ["0.0.0.0/0", "10.0.0.0/8", "198.51.100.7"],
  connecting_ipv6_cidrs: ["::/0", "2001:db8::/32"],
  geo_country_codes: ["US", "DE", "KP", "IR"],
  geo_subdivision_codes: ["US-CA", "KP-01"],
  auth0_managed: ["auth0.tor", "auth0.relay"],
  user_agents: ["curl", "curl/8.5.0", "Mozilla"],
  hostnames: ["x.example.com", "login.example.com"],
  asns: [64500, 64501],
  ja3_fingerprints: ["e7d705a3286e19ea42f587b344ee6865"],
  http_message_signature: ["key_a", "key_b"],
} as const;
type Property = keyof typeof entries;
const properties = Object.keys(entries) as Property[];
const ofAddresses: readonly Property[] = properties.filter((name) => name.endsWith("_cidrs"));
const ofConnecting: readonly Property[] = properties.filter((name) => name.startsWith("connecting_"));

/** Entries that Auth0 may read in two ways. */
const ambiguous: Partial<Record<Property, readonly string[]>> = {
  ipv6_cidrs: ["::ffff:10.1.0.0/112"],
  connecting_ipv6_cidrs: ["::ffff:10.0.0.0/104"],
  geo_country_codes: ["de", "kp"],
};

/** What random rules are made of. `openness`: how often a rule leaves something open. */
interface Source {
  readonly random: Random;
  readonly used: readonly Property[];
  readonly openness: number;
  /** The names of unknown entries that may still be made. */
  readonly names: string[];
  /** How many ACLs of unknown priority may still be made. */
  floating: number;
}

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

function criteria(source: Source, most: number): object {
  const { random, used, openness, names } = source;
  const own = used.filter(() => random() < 0.5).slice(0, most);
  return Object.fromEntries(
    (own.length > 0 ? own : [pick(random, used)]).map((name) => {
      const list: unknown[] = some(random, entries[name] as readonly unknown[]);
      if (openness > 0 && random() < openness && ambiguous[name]) list.push(pick(random, ambiguous[name]));
      const unknown = openness > 0 && random() < openness ? names.pop() : undefined;
      if (unknown !== undefined) {
        if (random() < 0.2) list.length = 0;
        list.push(Symbol(unknown));
      }
      return [name, name === "http_message_signature" ? { keys: list.map((id) => ({ id })) } : list];
    }),
  );
}

function randomAcl(source: Source, priority: number): Acl {
  const { random } = source;
  const form = random();
  return {
    active: random() < 0.95,
    priority: random() < source.openness / 4 && source.floating-- > 0 ? notKnown("a place") : priority,
    key: `acl ${priority}`,
    rule: {
      action: pick(random, actions),
      scope: pick(random, scopes),
      ...(form < 0.7 && { match: criteria(source, 2) }),
      ...((form > 0.5 || form >= 0.7) && { not_match: criteria(source, 2) }),
    } as Acl["rule"],
  };
}

function changed(source: Source, acls: readonly Acl[]): Acl[] {
  const { random } = source;
  const after = [...acls];
  for (let count = 1 + Math.floor(random() * 2); count > 0; count--) {
    const at = Math.floor(random() * after.length);
    const old = after[at];
    const how = random();
    if (how < 0.2) after.splice(at, 1);
    else if (how < 0.4 || !old) after.push(randomAcl(source, 50 + count + Math.floor(random() * 20) * 3));
    else if (how < 0.65) after[at] = { ...randomAcl(source, 100 + count), priority: old.priority, key: old.key! };
    // The criteria that it keeps have the same unknown values.
    else if (how < 0.75) after[at] = { ...old, rule: { ...old.rule, action: pick(random, actions) } };
    else if (how < 0.85) after[at] = { ...old, priority: 2 + count + 10 * Math.floor(random() * 5) };
    else after[at] = { ...old, active: !old.active };
  }
  return after;
}

type Request = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One answer to each open question. */
interface Reading {
  /** Name of an unknown entry -> the entries in its place; `anything` matches every request. */
  readonly entries: ReadonlyMap<string, readonly unknown[]>;
  readonly foldsCase: boolean;
  readonly unmaps: boolean;
  readonly areTwo: boolean;
  readonly readsParts: boolean;
  readonly places: ReadonlyMap<Acl, number>;
}

const anything = "*";

/** Remembers each answer: the oracle asks about the same few texts millions of times. */
function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    if (!answers.has(text)) answers.set(text, answer(text));
    return answers.get(text)!;
  };
}

const rangeIn = remembered((text) => rangeOf(parseBlock(text)!));

const isInBlock = (address: string, text: string) => {
  const [at] = rangeIn(address);
  const [from, to] = rangeIn(text);
  return from <= at && at < to;
};

const addressTest = (name: "ip" | "connecting") => (request: Request, list: readonly unknown[], reading: Reading) =>
  list.some((entry) => {
    const text = reading.unmaps ? (entry as string).replace(/^::ffff:10(\S+)\/(\d+)$/, unmapped) : (entry as string);
    return isInBlock((request[name] ?? request["ip"]) as string, text);
  });
const unmapped = (_: string, rest: string, length: string) => `10${rest}/${Number(length) - 96}`;

const textTest = (name: string) => (request: Request, list: readonly unknown[], reading: Reading) => {
  const spell = (text: unknown) =>
    reading.foldsCase && name === "country" ? String(text).toUpperCase() : String(text);
  const isPart = (fact: string, entry: unknown) =>
    reading.readsParts && name === "agent" && fact.includes(entry as string);
  const facts = request[name] ?? [];
  return (typeof facts === "string" ? [facts] : facts).some((fact) =>
    list.some((entry) => spell(entry) === fact || isPart(fact, entry)),
  );
};

type Tester = (request: Request, list: readonly unknown[], reading: Reading) => boolean;

/** The signals: two properties with the same test are one. */
const testers: Record<string, Tester> = {
  ip: addressTest("ip"),
  connecting: addressTest("connecting"),
  geo_country_codes: textTest("country"),
  geo_subdivision_codes: textTest("region"),
  auth0_managed: textTest("managed"),
  user_agents: textTest("agent"),
  hostnames: textTest("host"),
  asns: textTest("asn"),
  ja3_fingerprints: textTest("ja3"),
  http_message_signature: textTest("key"),
};

function signals(given: object | undefined, side: "match" | "not_match", reading: Reading) {
  const groups = new Map<string, { readonly test: Tester; readonly property: string; readonly list: unknown[] }>();
  for (const [property, value] of Object.entries(given ?? {}) as [string, unknown][]) {
    const kind = property.startsWith("connecting_") ? "connecting" : property.endsWith("_cidrs") ? "ip" : property;
    const name = kind === "connecting" && reading.areTwo && side === "match" ? property : kind;
    const list = Array.isArray(value) ? value : (value as { keys: { id: unknown }[] }).keys.map(({ id }) => id);
    const own = groups.get(name) ?? { test: testers[kind]!, property, list: [] };
    groups.set(name, own);
    own.list.push(...list.flatMap((one) => (typeof one === "symbol" ? reading.entries.get(one.description!)! : [one])));
  }
  return [...groups.values()].map(({ test, property, list }) => {
    const known = list.filter((one) => one !== anything);
    const isAll = known.length < list.length;
    const isOfKeys = property === "http_message_signature";
    return (request: Request) =>
      (isAll && !(isOfKeys && request["key"] === undefined)) || test(request, known, reading);
  });
}

const covers: Record<string, readonly string[]> = {
  tenant: ["authentication", "management", "dynamic_client_registration"],
  authentication: ["authentication", "dynamic_client_registration"],
  management: ["management"],
  dynamic_client_registration: ["dynamic_client_registration"],
};

function evaluator(acls: readonly Acl[], reading: Reading): (request: Request, api: string) => string {
  const placeOf = (acl: Acl) => reading.places.get(acl) ?? (acl.priority as number);
  const order = acls
    .filter(({ active }) => active)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ rule }) => {
      const wanted = signals(partsOf(rule.match), "match", reading);
      const excluded = signals(partsOf(rule.not_match), "not_match", reading);
      const action = partsOf(rule.action);
      const outcome = action["allow"]
        ? "allowed"
        : action["block"]
          ? "blocked"
          : `redirected${String(action["redirect_uri"])}`;
      const matches = (request: Request) =>
        wanted.every((test) => test(request)) && !excluded.some((test) => test(request));
      return { scope: covers[rule.scope as string]!, matches, outcome, isLog: action["log"] === true };
    });
  return (request, api) =>
    order.find(({ scope, matches, isLog }) => !isLog && scope.includes(api) && matches(request))?.outcome ?? "allowed";
}

/** The unknown entries of rules, with their property. */
function unknownIn(value: unknown, property?: Property): [name: string, property: Property][] {
  if (typeof value === "symbol") return [[value.description!, property!]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    unknownIn(part, name in entries ? (name as Property) : property),
  );
}

function readingsOf(before: readonly Acl[], after: readonly Acl[]): Reading[] {
  const all = [...new Set([...before, ...after])].filter(({ active }) => active);
  const texts = JSON.stringify(all);
  const flags = (isOpen: boolean) => (isOpen ? [false, true] : [false]);
  const ways = <K, V>(questions: ReadonlyMap<K, readonly V[]>): ReadonlyMap<K, V>[] =>
    [...questions].reduce<ReadonlyMap<K, V>[]>(
      (maps, [name, options]) => maps.flatMap((map) => options.map((option) => new Map([...map, [name, option]]))),
      [new Map()],
    );
  const unknown = new Map(
    unknownIn(all.map(({ rule }) => rule)).map(([name, property]): [string, (readonly unknown[])[]] => {
      return [name, [[], [anything], ...entries[property].map((entry) => [entry])]];
    }),
  );
  const known = all.flatMap(({ priority }) => (typeof priority === "symbol" ? [] : priority));
  const floating = all.filter(({ priority }) => typeof priority === "symbol");
  // An ACL stays in its place if its rule stays the same.
  const placed = new Map(
    [...new Set(floating.map(({ key, rule }) => JSON.stringify([key, rule])))].map((name) => {
      return [name, [-1, ...new Set(known)].flatMap((priority) => [priority + 0.3, priority + 0.6])] as const;
    }),
  );
  return ways(unknown).flatMap((chosen) =>
    ways(placed).flatMap((places) =>
      flags(/"(de|kp)"/.test(texts)).flatMap((foldsCase) =>
        flags(texts.includes("::ffff:")).flatMap((unmaps) =>
          flags(texts.includes("connecting_ipv4") && texts.includes("connecting_ipv6")).flatMap((areTwo) =>
            flags(texts.includes("user_agents")).map((readsParts) => ({
              entries: chosen,
              foldsCase,
              unmaps,
              areTwo,
              readsParts,
              places: new Map(floating.map((acl) => [acl, places.get(JSON.stringify([acl.key, acl.rule]))!])),
            })),
          ),
        ),
      ),
    ),
  );
}

/** Agents of which the entries are a part. */
const otherAgents = ["curl/7", "curl/8.5.0 x", "Mozilla/5", "curl/7 Mozilla", "curl/8.5.0 Mozilla"];

/** Every request that the constants of these properties tell apart. */
function worldOf(used: readonly Property[]): Request[] {
  const is = (...names: readonly Property[]) => names.some((name) => used.includes(name));
  const four = is("ipv4_cidrs", "ipv6_cidrs") ? ["10.1.2.3", "10.1.0.0", "10.200.0.1", "192.0.2.9"] : [];
  const six = is("ipv6_cidrs") ? ["2001:db8::1", "2001:db8::2"] : [];
  const between = is(...ofConnecting) ? ["10.0.0.1", "198.51.100.7", "2001:db8::3"] : [];
  const axes: Record<string, readonly (string | readonly string[] | undefined)[]> = {
    ip: [...four, ...six, ...between, "8.8.8.8", "2a00::1"],
    // Left out: the user connects directly.
    connecting: is(...ofConnecting) ? [undefined, ...between, "8.8.8.8", "2a00::1"] : [undefined],
    agent: is("user_agents") ? [undefined, ...entries.user_agents, ...otherAgents] : [undefined],
    host: is("hostnames") ? [undefined, ...entries.hostnames] : [undefined],
    asn: is("asns") ? [undefined, "64500", "64501"] : [undefined],
    ja3: is("ja3_fingerprints") ? [undefined, ...entries.ja3_fingerprints] : [undefined],
    managed: is("auth0_managed") ? [[], ["auth0.tor"], ["auth0.relay"], ["auth0.tor", "auth0.relay"]] : [[]],
    key: is("http_message_signature") ? [undefined, "key_a", "key_b", "key_z"] : [undefined],
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
  const told = Object.entries(axes).filter(([, values]) => values.some((value) => value !== undefined));
  return told.reduce<Request[]>(
    (all, [name, values]) => all.flatMap((request) => values.map((value) => ({ ...request, [name]: value }))),
    places as Request[],
  );
}

const holds = (given: Entries, isIn: (text: string) => boolean) =>
  "in" in given ? given.in.some(isIn) : !given.outside.some(isIn);

const endsOf = remembered((text) => text.split("-") as [first: string, last?: string]);

function isWithin(address: string, text: string): boolean {
  const [first, last] = endsOf(text);
  if (last === undefined) return isInBlock(address, text);
  const [at] = rangeIn(address);
  return rangeIn(first)[0] <= at && at <= rangeIn(last)[0];
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
  signature_key: "key",
  subdivision: "region",
};

const agentsIn = remembered((rules) =>
  [...rules.matchAll(/"user_agents":(\[.*?\])/g)].map(([, list]) => JSON.parse(list!) as (string | null)[]),
);

/** Whether the same lists have a part of each. An agent that a rule names stands for itself. */
function areAlike(agent: string, around: string, rules: string): boolean {
  const lists = agentsIn(rules);
  const partsIn = (text: string) => lists.map((list) => list.some((entry) => entry !== null && text.includes(entry)));
  return around.startsWith("...") && !lists.flat().includes(agent) && partsIn(agent).join() === partsIn(around).join();
}

/** `ids`: the rules, with the keys and user agents that they name. */
function isInCase(request: Request, { criteria: given, areas }: RequestCase, ids: string): boolean {
  const isMet = given.every(({ fact, values, isOther }) => {
    const own = request[factOf[fact] ?? ""];
    const is =
      fact === "managed"
        ? (request["managed"] as readonly string[]).some((name) => values.includes(name))
        : fact === "connecting_ip"
          ? values.some((text) => isWithin((request["connecting"] ?? request["ip"]) as string, text))
          : own !== undefined &&
            (values.includes(own as string) ||
              (fact === "user_agent" && values.some((one) => areAlike(own as string, one, ids))) ||
              (fact === "signature_key" && values.includes("another key") && !ids.includes(own as string)));
    return is !== isOther;
  });
  return isMet && (areas === undefined || isInArea(request, areas));
}

/** Whether the change says that it is about the request. */
const claims = ({ extent, cases, exceptions }: Changed<Acl>, request: Request, ids: string): boolean =>
  extent
    ? isInArea(request, extent.areas) && !exceptions.some((one) => isInCase(request, one, ids))
    : cases.some((one) => isInCase(request, one, ids));

/** What a reading does to a request: the kinds of outcomes if it changes. */
function changeOf(first: string, second: string): string {
  const kind = (text: string) => text.replace(/^redirected.*/, "redirected");
  return first === second ? "" : JSON.stringify([kind(first), kind(second)]).slice(0, -1);
}

/** The first contradiction. */
function mistakeIn(before: readonly Acl[], after: readonly Acl[], used: readonly Property[]): unknown {
  const { changed: found, undecided } = changesOf({ before, after }, outcomeKey);
  if (undecided.length > 0) return { undecided };
  const ids = JSON.stringify([before, after].map((acls) => acls.filter(({ active }) => active)));
  const readings = readingsOf(before, after).map((reading) => [evaluator(before, reading), evaluator(after, reading)]);
  const named = new Set<unknown>();
  const world = worldOf(used);
  for (const api of covers["tenant"]!) {
    const own = found.filter(({ apis }) => (apis as readonly string[]).includes(api));
    for (const request of world) {
      const results = readings.map(([was, is]) => [was!(request, api), is!(request, api)] as const);
      const changes = new Set(results.map(([first, second]) => changeOf(first, second)));
      const isOne = new Set(results.map((pair) => pair.join(" "))).size === 1;
      const told = new Set(own.filter((one) => claims(one, request, ids)).map(({ key }) => key));
      for (const { exceptions, extent, key } of own) {
        if (told.has(key)) continue;
        for (const one of exceptions)
          if (extent && isInArea(request, extent.areas) && isInCase(request, one, ids)) named.add(one);
      }
      const right = [...changes].flatMap((change) => (change === "" ? [] : `${change},${isOne}]`));
      // Redirects to several targets are one kind of change.
      const isRight =
        changes.size === 1 && !isOne
          ? told.size === right.length && [...told].every((key) => key.startsWith([...changes][0]!))
          : told.size === right.length && right.every((key) => told.has(key));
      if (!isRight) return { api, request, right, told: [...told], readings: readings.length };
    }
  }
  const unnamed = found.flatMap(({ exceptions }) => exceptions).find((one) => !named.has(one));
  return unnamed && { "no such request": unnamed };
}

const isAny = () => true;

test.each([
  ["with any signals", samples(400, 2_000), 4, 0, isAny],
  ["with addresses that connect", samples(100, 500), 4, 0, (name: Property) => ofConnecting.includes(name)],
  ["with lists that are known in part", samples(50, 250), 2, 0.4, isAny],
  [
    "with lists of addresses that are known in part",
    samples(50, 250),
    3,
    0.4,
    (name: Property) => ofAddresses.includes(name),
  ],
] as const)(
  "a change names exactly the requests that it changes, %s",
  (_, pairs, most, openness, isWanted) => {
    const random = randomFrom(seed);
    const mistakes: unknown[] = [];
    const wanted = properties.filter(isWanted);
    for (let index = 0; index < pairs; index++) {
      const others = properties.filter(() => random() < 0.35);
      const used = [...new Set([pick(random, wanted), ...others])].slice(0, most);
      const floating = Math.floor(random() * 3);
      const source = { random, used, openness, floating, names: ["one", "other"].slice(floating) };
      const before = Array.from({ length: Math.floor(random() * (openness > 0 ? 4 : 5)) }, (_none, at) =>
        randomAcl(source, 10 * (at + 1) + 1),
      );
      const after = changed(source, before);
      const mistake = mistakeIn(before, after, used);
      if (mistake) mistakes.push({ index, mistake, before, after });
    }
    // The smallest one is the easiest to read.
    const [first] = mistakes.toSorted((one, other) => JSON.stringify(one).length - JSON.stringify(other).length);
    expect([mistakes.length, first]).toEqual([0, undefined]);
  },
  600_000,
);
