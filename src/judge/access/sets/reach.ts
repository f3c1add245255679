/**
 * Converts rules to boxes. A box has one set of values for each field that it restricts: the requests whose facts are all in these sets.
 *
 * A box of a rule has a condition if a value of the rule is not known, or if Auth0 may compare loosely: the country `de` matches Germany
 * under the condition that letter case does not matter.
 */
import { countries as everyCountry, homeOf, internetUsersOf, likelyCode } from "../fact-forms";
import { addressRanges, parseBlock, type Range, rangeOf, unmapped } from "../cidr";
import { factNames, rowOf } from "../fact";
import type { FactName } from "../facts";
import { canonical, hasUnknown, isUnknown } from "../../../formats/cty/value";
import type { Acl } from "../decide";
import { criteriaIn, type Criterion, type Rule, unknownProperties } from "../rule";
import { type AccessRequest, type Api, scopeCovers, scopeIsKnown } from "../request";
import type { Signal } from "../signal";
import {
  allOf,
  type Alternative,
  type Bits,
  bitsOf,
  type Box,
  type Condition,
  createField,
  type Field,
  has,
  narrowed,
  type Part,
  type Test,
  type Way,
  waysOf,
} from "./way";

/** Why it is not sure which requests a rule matches, or what it does to them. */
export interface Doubt {
  /** `match.geo_country_codes`, `action`, `priority`. */
  readonly path: string;
  readonly why:
    | "not known"
    | "not readable"
    | "letter case"
    | "part of a text"
    | "one or two signals"
    | "mapped address"
    | "same priority";
}

/** The fields of all requests that some rules tell apart. */
export interface World {
  /** Country and address are the last two. */
  readonly fields: readonly Field[];
  /** Index of the fields. */
  readonly country: number;
  /** The address that connects, if no rule names the user's. Else the user's, from which the user connects. */
  readonly ip: number;
  readonly connecting: Connecting | undefined;
  /** The countries in which a class of regions lies. Undefined: any. */
  home(subdivision: number): Bits | undefined;
  readonly subdivision: number;
  /** The requests that do not exist, because a region lies in one country. */
  readonly impossible: readonly Box[];
  /** How the rule matches requests to the API. */
  reach(rule: Rule, api: Api): readonly Way[];
}

/**
 * Exists if some rules name the address that connects, and some the user's. The first class has the requests whose user connects directly,
 * from the address of the field `ip`. Each of the others has addresses that connect, whatever the user's address is.
 */
export interface Connecting {
  readonly field: number;
  /** The addresses of users who connect directly from one of these classes. */
  users(classes: Bits): Bits;
}

/** The values that a part of one criterion matches in one field. */
interface Matched {
  readonly field: string;
  readonly property: string;
  readonly test: Test<never>;
  readonly given: Condition;
}

const curated = "auth0_managed";

/** The fields in the order in which requests are told apart. Each curated list has a field of its own. */
const last: readonly FactName[] = ["connecting_ip", "subdivision", "country", "ip"];
const order: readonly FactName[] = [...factNames.filter((name) => name !== "path" && !last.includes(name)), ...last];

/** A key that no rule names. It is no id. */
export const anotherKey = "another key";
const isSigned: Test<string | undefined> = (value) => value !== undefined;

/** Assumptions about Auth0. All others are about a rule. */
export const partial = "part of a text";
const [folded, mapped, oneSignal] = ["letter case", "mapped address", "one signal"] as const;
const ofService: ReadonlySet<string> = new Set([partial, folded, mapped, oneSignal]);
const certainly: Condition = new Map();

export function createWorld(rules: readonly Rule[]): World {
  const all = [...new Set(rules)];
  const matched = new Map<Criterion, readonly Matched[]>();
  for (const rule of all) for (const one of criteriaIn(rule)) matched.set(one, one.signal ? matchedBy(one) : []);
  const entries = fieldsOf(matched);
  const names = entries.map(([name]) => name);
  const plain = entries.map(([, field]) => field);
  const at = (name: string) => names.indexOf(name);
  const [country, subdivision, ip] = [at("country"), at("subdivision"), names.length - 1];
  const connecting = ip === at("connecting_ip") || at("connecting_ip") < 0 ? undefined : at("connecting_ip");
  const pair = connecting === undefined ? undefined : connectingFrom(plain, connecting, ip);
  const fields = plain.map((field, index) => (index === connecting ? withDirect(field) : field));
  const partOf = (criterion: Criterion): Part => {
    const read = matched.get(criterion)!.flatMap(({ field, property, test, given }) => {
      const bits = plain[at(field)]!.set(test as Test<unknown>);
      return bits === 0n ? [] : [{ property, cuts: [[at(field), bits] as const], given }];
    });
    const unread = criterion.unread.map(({ property, name, needsSignature }) => {
      const keys = at("signature_key");
      const cuts = needsSignature ? [[keys, plain[keys]!.set(isSigned as Test<unknown>)] as const] : [];
      return { property, cuts, given: new Map([[name, true]]) };
    });
    const alternatives = [...read, ...unread];
    return { side: criterion.side, alternatives: isTwoSignals(criterion) ? oneOrBoth(alternatives) : alternatives };
  };
  const known = new Map<Rule, readonly Way[]>();
  const reachOf = (rule: Rule): readonly Way[] => {
    const others = unknownProperties(rule).map(({ name, value }) => [`${name} ${canonical(value)}`, true] as const);
    const { action: _action, ...criteria } = rule;
    const ways = waysOf(criteriaIn(rule).map(partOf), plain, new Map(others), canonical(criteria), (one) =>
      ofService.has(one),
    );
    return pair ? ways.flatMap((way) => directAndProxied(way, pair, ip)) : ways;
  };
  const home = (index: number) => {
    const [own] = (fields[subdivision]!.classes[index] as readonly (string | undefined)[]).map(homeOf);
    return own === undefined ? undefined : fields[country]!.set(homeTest(own) as Test<unknown>);
  };
  return {
    fields,
    country,
    subdivision,
    ip,
    connecting: pair,
    home,
    impossible: fields[subdivision]!.classes.flatMap((_, index) => {
      const others = fields[country]!.whole & ~(home(index) ?? fields[country]!.whole);
      return others === 0n
        ? []
        : [
            new Map([
              [subdivision, 1n << BigInt(index)],
              [country, others],
            ]),
          ];
    }),
    reach(rule, api) {
      const covered = scopeCovers(rule.scope, api);
      if (covered === "no") return [];
      const found = known.get(rule) ?? reachOf(rule);
      known.set(rule, found);
      if (covered === "yes") return found;
      const scope = `scope ${canonical(rule.scope)}`;
      return found.map(({ box, given }) => ({ box, given: new Map([...given, [scope, true]]) }));
    },
  };
}

/** Each field with its name. The last one is that of addresses. */
function fieldsOf(matched: ReadonlyMap<Criterion, readonly Matched[]>): (readonly [name: string, field: Field])[] {
  const tests = (...names: readonly string[]) =>
    [...matched.values()].flat().flatMap(({ field, test }) => (names.includes(field) ? [test] : []));
  const addresses = (fact: FactName, ...names: readonly FactName[]) => {
    const texts = names.flatMap((name) => textsOf(matched, name));
    return createField<Range>(fact, addressRanges(texts), tests(...names) as Test<Range>[]) as Field;
  };
  const [namesUsers, namesConnecting] = [textsOf(matched, "ip"), textsOf(matched, "connecting_ip")].map(
    ({ length }) => length > 0,
  );
  const ofFact = (fact: FactName): (readonly [string, Field])[] => {
    if (fact === "ip") {
      const name = namesConnecting && !namesUsers ? "connecting_ip" : "ip";
      return [[name, addresses(name, "ip", "connecting_ip")]];
    }
    if (fact === "connecting_ip") return namesConnecting && namesUsers ? [[fact, addresses(fact, fact)]] : [];
    const named = textsOf(matched, fact);
    if (fact === "managed") {
      return named.map((name) => {
        const key = `${curated} ${name}`;
        return [key, createField(fact, [undefined, name], tests(key) as Test<string | undefined>[]) as Field];
      });
    }
    const own = tests(fact) as Test<string | undefined>[];
    if (fact === "country") {
      const homes = textsOf(matched, "subdivision").flatMap((region) => homeOf(region) ?? []);
      return [[fact, createField(fact, countryValues(named), [...own, ...homes.map(homeTest)]) as Field]];
    }
    if (fact === "signature_key") {
      const isOpen = [...matched.keys()].some(({ unread }) => unread.some(({ needsSignature }) => needsSignature));
      const values = [undefined, anotherKey, ...named];
      return [[fact, createField(fact, values, [...own, ...(isOpen ? [isSigned] : [])]) as Field]];
    }
    const regions =
      fact === "subdivision" ? named.map((region) => (value: string | undefined) => value === region) : [];
    const values = fact === "user_agent" ? new Set([...named, ...agentsAround(named, own)]) : named;
    return [[fact, createField(fact, [undefined, ...values], [...own, ...regions]) as Field]];
  };
  return order.flatMap(ofFact);
}

const withDirect = ({ fact, classes, set }: Field): Field => ({
  fact,
  classes: [[], ...classes],
  whole: allOf(classes.length + 1),
  set: (test) => set(test) << 1n,
});

function connectingFrom(fields: readonly Field[], field: number, ip: number): Connecting {
  const ranges = fields[field]!.classes as readonly (readonly Range[])[];
  const classOf = (fields[ip]!.classes as readonly (readonly Range[])[]).map(([first]) =>
    ranges.findIndex((own) => own.some(([from, to]) => from <= first![0] && first![0] < to)),
  );
  return {
    field,
    users: (classes) => bitsOf(classOf.flatMap((one, index) => (has(classes, one + 1) ? index : []))),
  };
}

/** Users who connect directly, and requests through an address that connects. */
function directAndProxied({ box, given }: Way, { field, users }: Connecting, ip: number): Way[] {
  const bits = box.get(field);
  if (bits === undefined) return [{ box, given }];
  const through = new Map([...box, [field, bits << 1n] as const]);
  const direct = narrowed(new Map([...box, [field, 1n] as const]), [[ip, users(bits << 1n)]]);
  return [...(direct ? [{ box: direct, given }] : []), { box: through, given }];
}

/** Whether the two properties of connecting addresses must perhaps both match. */
const isTwoSignals = ({ signal, side, properties }: Criterion) =>
  signal?.mayBeTwoSignals === true && side === "match" && properties.length > 1;

/** The alternatives of two properties, which are one signal or two. */
function oneOrBoth(all: readonly (Alternative & { readonly property: string })[]): Alternative[] {
  const joined = (...some: readonly Alternative[]): Alternative => ({
    cuts: some.flatMap(({ cuts }) => cuts),
    given: new Map([...some.flatMap(({ given }) => [...given]), [oneSignal, some.length === 1]]),
  });
  const both = all.flatMap((one, index) =>
    all.slice(index + 1).flatMap((other) => (other.property === one.property ? [] : joined(one, other))),
  );
  return [...all.map((one) => joined(one)), ...both];
}

function matchedBy({ signal, entries }: Criterion): Matched[] {
  const { name, facts, properties } = signal!;
  return properties.flatMap((property): Matched[] => {
    const texts = realOf(
      name,
      entries.flatMap((entry) => (entry.property === property ? entry.text : [])),
    );
    if (texts.length === 0) return [];
    if (name === "ip" || name === "connecting_ip") {
      const blocks = texts.flatMap((text) => parseBlock(text) ?? []);
      const strange = blocks.map(unmapped).filter((block, index) => block !== blocks[index]);
      const exact = { field: name, property, test: isWithin(blocks.map(rangeOf)), given: certainly };
      if (strange.length === 0) return [exact];
      return [exact, { ...exact, test: isWithin(strange.map(rangeOf)), given: new Map([[mapped, true]]) }];
    }
    const exact = new Set(facts(texts, "certainly"));
    const loose = new Set(facts(texts, "possibly").filter((fact) => !exact.has(fact)));
    const parts = { property, test: partsTest(signal!, texts), given: new Map([[partial, true]]) };
    return [
      ...testsOf(name, property, exact, certainly),
      ...testsOf(name, property, loose, new Map([[folded, true]])),
      ...(name === "user_agent" ? [{ field: name, ...parts }] : []),
    ];
  });
}

/** More combinations of parts are not told apart. */
const mostAgents = 200;

/** The entries in a value that stands for other user agents: curl of `...curl...`. Undefined: the value stands for itself. */
export function entriesWithin(agent: string): readonly string[] | undefined {
  const [first, ...others] = agent.split("...");
  return first === "" && others.pop() === "" ? others : undefined;
}

/** Agents that no rule names, with entries in them: `...curl...`. The tests tell them from all others, and combinations from each other. */
function agentsAround(entries: readonly string[], tests: readonly Test<string | undefined>[]): string[] {
  const single = entries.map((entry) => ["", ...entry.split("*").filter((piece) => piece !== ""), ""].join("..."));
  const kindOf = (agent: string) => tests.map((test) => test(agent)).join();
  const kinds = new Map(single.map((agent) => [kindOf(agent), agent]));
  const joined: string[] = [];
  for (const one of kinds.values()) {
    for (const other of kinds.values()) {
      if (kinds.size >= mostAgents) return [...single, ...joined];
      const both = `${other}${one.slice("...".length)}`;
      const kind = kindOf(both);
      if (kinds.has(kind)) continue;
      kinds.set(kind, both);
      joined.push(both);
    }
  }
  return [...single, ...joined];
}

/** An entry may match an agent of which it is only a part. */
const partsTest = (signal: Signal, entries: readonly string[]) => (value: string | undefined) =>
  value !== undefined && signal.matches(entries, { user_agent: value } as AccessRequest) === "perhaps";

const isWithin =
  (ranges: readonly Range[]) =>
  ([from]: Range) =>
    ranges.some(([first, end]) => first <= from && from < end);

function testsOf(field: FactName, property: string, facts: ReadonlySet<string>, given: Condition): Matched[] {
  if (field === "managed") {
    return [...facts].map((list) => {
      return { field: `${curated} ${list}`, property, test: (value: string | undefined) => value === list, given };
    });
  }
  const test = (value: string | undefined) => value !== undefined && facts.has(value);
  return facts.size === 0 ? [] : [{ field, property, test, given }];
}

/** The facts that rules name. */
function textsOf(matched: ReadonlyMap<Criterion, readonly Matched[]>, fact: FactName): string[] {
  const isAddress = rowOf(fact).kind === "address";
  const own = [...matched.keys()].filter(({ signal }) => signal?.name === fact);
  const texts = own.flatMap(({ signal, texts: written }) =>
    isAddress ? written : signal!.facts(realOf(fact, written), "possibly"),
  );
  return [...new Set(texts)];
}

/** An entry that is no code, such as UK, matches no request. */
const realOf = (fact: FactName, texts: readonly string[]) =>
  fact === "country" || fact === "subdivision" ? texts.filter((text) => likelyCode(text) === undefined) : texts;

const homeTests = new Map<string, Test<string | undefined>>();

/** One test for each country. */
function homeTest(home: string): Test<string | undefined> {
  const test = homeTests.get(home) ?? ((value: string | undefined) => value === home);
  homeTests.set(home, test);
  return test;
}

/** Countries that no rule names are the plainest, then requests without a country, then the largest. */
function countryValues(named: readonly string[]): (string | undefined)[] {
  const own = new Set(named);
  const all = [...new Set([...everyCountry, ...named])];
  const largest = (some: readonly string[]) => some.toSorted((a, b) => internetUsersOf(b) - internetUsersOf(a));
  return [...largest(all.filter((code) => !own.has(code))), undefined, ...largest(all.filter((code) => own.has(code)))];
}

/** The doubts of a rule and of its place in the order. */
export function doubtsOf(rule: Rule, priority: Acl["priority"], isShared: boolean): Doubt[] {
  const ofCriteria = criteriaIn(rule).flatMap((criterion): Doubt[] => {
    const { side, properties, unread, signal, texts } = criterion;
    const path = properties[0] === side ? side : `${side}.${properties[0]}`;
    const count = (how: "certainly" | "possibly") =>
      signal ? signal.facts(realOf(signal.name, texts), how).length : 0;
    const isFolded = count("certainly") < count("possibly");
    const isMapped = signal !== undefined && rowOf(signal.name).kind === "address" && texts.some(isMappedText);
    return [
      ...unread.map(({ property, isUnknown: isOpen }) => ({
        path: property === side ? side : `${side}.${property}`,
        why: isOpen ? ("not known" as const) : ("not readable" as const),
      })),
      ...(isFolded ? [{ path, why: "letter case" as const }] : []),
      ...(signal?.name === "user_agent" ? [{ path, why: "part of a text" as const }] : []),
      ...(isMapped ? [{ path, why: "mapped address" as const }] : []),
      ...(isTwoSignals(criterion) ? [{ path, why: "one or two signals" as const }] : []),
    ];
  });
  const others = unknownProperties(rule).map(({ name, value }) => doubtAbout(name, value));
  return [
    ...ofCriteria,
    ...others,
    ...(!isUnknown(rule.scope) && scopeIsKnown(rule.scope) ? [] : [doubtAbout("scope", rule.scope)]),
    ...(isUnknown(priority) ? [{ path: "priority", why: "not known" as const }] : []),
    ...(isShared ? [{ path: "priority", why: "same priority" as const }] : []),
  ];
}

/** About a value that is not known, or that this version does not read. */
export const doubtAbout = (path: string, value: unknown): Doubt => ({
  path,
  why: hasUnknown(value) ? "not known" : "not readable",
});

function isMappedText(text: string): boolean {
  const block = parseBlock(text);
  return block !== undefined && unmapped(block) !== block;
}
