/**
 * Converts rules to boxes. A box has one set of values for each field that it restricts: the requests whose facts are all in these sets.
 *
 * A rule has two lists of boxes: the requests that it certainly matches, and those that it possibly matches. They differ if a value of the
 * rule is not known, or if Auth0 may compare loosely: the country `de` certainly matches nobody, and possibly Germany. Each such reason is
 * a doubt.
 */
import { codeMeantBy, countries as everyCountry, internetUsersOf } from "../country";
import { addressRanges, rangeOf, type Range } from "../addresses";
import { parseBlock, unmapped } from "../cidr";
import { factNames, rowOf } from "../fact";
import type { FactName } from "../facts";
import { unknownIn } from "../unknown";
import { criteriaIn, unknownProperties, type Criterion, type Rule } from "../rule";
import { scopeCovers, type Api } from "../request";
import { createField, type Bits, type Field, type Test } from "./field";

/** Restricts fields by their index. */
export type Box = ReadonlyMap<number, Bits>;

export interface Reach {
  readonly certain: readonly Box[];
  readonly possible: readonly Box[];
}

/** Why it is not sure which requests a rule matches, or what it does to them. */
export interface Doubt {
  /** `match.geo_country_codes`, `action`, `priority`. */
  readonly path: string;
  readonly why:
    "not known" | "not readable" | "letter case" | "one or two signals" | "mapped address" | "same priority";
}

/** The fields of all requests that some rules tell apart. */
export interface World {
  /** Country and address are the last two. */
  readonly fields: readonly Field[];
  /** Index of the fields. */
  readonly country: number;
  readonly ip: number;
  /** The countries in which a class of regions lies. Undefined: any. */
  home(subdivision: number): Bits | undefined;
  readonly subdivision: number;
  reach(rule: Rule, api: Api): Reach;
}

/** The values that one criterion matches in one field. */
interface Matched {
  readonly field: string;
  readonly exact: Test<never>;
  /** The same, if the service compares loosely. */
  readonly loose: Test<never>;
}

const curated = "auth0_managed";

/** The fields in the order in which requests are told apart. Each curated list has a field of its own. */
const last: readonly FactName[] = ["connecting_ip", "subdivision", "country", "ip"];
const order: readonly FactName[] = [...factNames.filter((name) => name !== "path" && !last.includes(name)), ...last];

const anotherKey = "another key";

export function createWorld(rules: readonly Rule[]): World {
  const all = [...new Set(rules)];
  const matched = new Map<Criterion, readonly Matched[]>();
  for (const rule of all) for (const one of criteriaIn(rule)) matched.set(one, one.signal ? matchedBy(one) : []);
  const tests = (field: string) =>
    [...matched.values()].flat().flatMap((one) => (one.field === field ? [one.exact, one.loose] : []));
  const regions = textsOf(matched, "subdivision");
  const homes = new Map(regions.map((region) => [region, homeOf(region)]));
  const homeTests = new Map(
    [...new Set(homes.values())].flatMap((home) =>
      home === undefined ? [] : [[home, (value: string | undefined) => value === home] as const],
    ),
  );
  const regionTests = regions.map((region) => (value: string | undefined) => value === region);
  const fieldsOf = (fact: FactName): [string, Field][] => {
    if (fact === "managed")
      return textsOf(matched, "managed").map((name) => {
        const key = `${curated} ${name}`;
        return [key, createField(fact, [undefined, name], tests(key) as Test<string | undefined>[]) as Field];
      });
    if (fact === "ip" || fact === "connecting_ip") {
      const texts = textsOf(matched, fact);
      return [[fact, createField<Range>(fact, addressRanges(texts), tests(fact) as Test<Range>[]) as Field]];
    }
    const named = textsOf(matched, fact);
    const own = tests(fact) as Test<string | undefined>[];
    if (fact === "country") {
      const values = countryValues(named);
      return [[fact, createField(fact, values, [...own, ...homeTests.values()]) as Field]];
    }
    const values = [undefined, ...(fact === "signature_key" ? [anotherKey] : []), ...named];
    return [[fact, createField(fact, values, fact === "subdivision" ? [...own, ...regionTests] : own) as Field]];
  };
  const entries = order.flatMap(fieldsOf);
  const names = entries.map(([name]) => name);
  const fields = entries.map(([, field]) => field);
  const [country, subdivision, ip] = ["country", "subdivision", "ip"].map((name) => names.indexOf(name)) as [
    number,
    number,
    number,
  ];
  const cut = ({ field, ...one }: Matched, kind: "exact" | "loose", isOutside: boolean): readonly [number, Bits] => {
    const index = names.indexOf(field);
    const bits = fields[index]!.set(one[kind] as Test<unknown>);
    return [index, isOutside ? fields[index]!.whole & ~bits : bits];
  };
  const known = new Map<Rule, Reach>();
  const signatures = names.indexOf("signature_key");
  const anyKey = (): readonly [number, Bits] => {
    const { classes } = fields[signatures]!;
    const signed = classes.flatMap((values, index) => (values.includes(undefined) ? [] : index));
    return [signatures, signed.reduce((bits, index) => bits | (1n << BigInt(index)), 0n)];
  };
  const reachOf = (rule: Rule): Reach => {
    const sides = criteriaIn(rule).map((criterion): Record<keyof Reach, Cuts[]> => {
      const own = matched.get(criterion)!;
      const { side, unreadable, needsSignature } = criterion;
      if (side === "not_match") {
        const outside = own.map((one) => cut(one, "exact", true));
        const surely = own.map((one) => cut(one, "loose", true));
        return { possible: [outside], certain: unreadable === undefined ? [surely] : [] };
      }
      const exact = own.map((one) => [cut(one, "exact", false)]);
      const loose = own.map((one) => [cut(one, "loose", false)]);
      return {
        possible: unreadable === undefined ? loose : [needsSignature ? [anyKey()] : []],
        certain: isTwoSignals(criterion) ? [] : exact,
      };
    });
    const isSure = unknownProperties(rule).length === 0;
    return {
      possible: boxesOf(sides.map(({ possible }) => possible)),
      certain: isSure ? boxesOf(sides.map(({ certain }) => certain)) : [],
    };
  };
  return {
    fields,
    country,
    subdivision,
    ip,
    home(index) {
      const values = fields[subdivision]!.classes[index] as readonly (string | undefined)[];
      const [home] = values.map((value) => (value === undefined ? undefined : homes.get(value)));
      return home === undefined ? undefined : fields[country]!.set(homeTests.get(home)! as Test<unknown>);
    },
    reach(rule, api) {
      const covered = scopeCovers(rule.scope, api);
      if (covered === "no") return { certain: [], possible: [] };
      const found = known.get(rule) ?? reachOf(rule);
      known.set(rule, found);
      return covered === "yes" ? found : { certain: [], possible: found.possible };
    },
  };
}

type Cuts = readonly (readonly [field: number, set: Bits])[];

/** Every criterion must be met in one of its ways. A box without values in one field is left out. */
function boxesOf(criteria: readonly (readonly Cuts[])[]): Box[] {
  let boxes: ReadonlyMap<number, Bits>[] = [new Map()];
  for (const ways of criteria) boxes = boxes.flatMap((box) => ways.flatMap((cuts) => narrowed(box, cuts) ?? []));
  return boxes;
}

function narrowed(box: Box, cuts: Cuts): Box | undefined {
  const rest = new Map(box);
  for (const [field, set] of cuts) {
    const bits = (rest.get(field) ?? set) & set;
    if (bits === 0n) return undefined;
    rest.set(field, bits);
  }
  return rest;
}

/** The boxes outside of the others, as boxes. */
export function subtracted(boxes: readonly Box[], others: readonly Box[], { fields }: World): Box[] {
  return others.reduce<readonly Box[]>(
    (left, other) =>
      left.flatMap((box) =>
        [...other].flatMap(([field, bits]) => narrowed(box, [[field, fields[field]!.whole & ~bits]]) ?? []),
      ),
    boxes,
  ) as Box[];
}

/** Whether the two properties of connecting addresses must perhaps both match. */
const isTwoSignals = ({ signal, side, properties }: Criterion) =>
  signal?.mayBeTwoSignals === true && side === "match" && properties.length > 1;

function matchedBy(criterion: Criterion): Matched[] {
  const signal = criterion.signal!;
  const { name } = signal;
  if (name === "ip" || name === "connecting_ip") {
    const blocks = criterion.texts.flatMap((text) => parseBlock(text) ?? []);
    const [exact, loose] = [blocks, [...blocks, ...blocks.map(unmapped)]].map((some) => {
      const ranges = some.map(rangeOf);
      return ([from]: Range) => ranges.some(([first, end]) => first <= from && from < end);
    });
    return [{ field: name, exact: exact!, loose: loose! }];
  }
  const texts = name === "country" || name === "subdivision" ? realCodes(criterion.texts) : criterion.texts;
  const [exact, loose] = (["certainly", "possibly"] as const).map((how) => new Set(signal.facts(texts, how)));
  if (name === "managed") {
    return [...loose!].map((list) => ({
      field: `${curated} ${list}`,
      exact: (value: string | undefined) => value === list && exact!.has(list),
      loose: (value: string | undefined) => value === list,
    }));
  }
  const isIn = (set: ReadonlySet<string>) => (value: string | undefined) => value !== undefined && set.has(value);
  return [{ field: name, exact: isIn(exact!), loose: isIn(loose!) }];
}

/** An entry that is no code, such as UK, matches no request. */
const realCodes = (texts: readonly string[]) => texts.filter((text) => codeMeantBy(text) === undefined);

/** The facts that rules name. */
function textsOf(matched: ReadonlyMap<Criterion, readonly Matched[]>, fact: FactName): string[] {
  const isAddress = rowOf(fact).kind === "address";
  const own = [...matched.keys()].filter(({ signal }) => signal?.name === fact);
  const texts = own.flatMap(({ signal, texts: written }) =>
    isAddress ? written : signal!.facts(realOf(fact, written), "possibly"),
  );
  return [...new Set(texts)];
}

const realOf = (fact: FactName, texts: readonly string[]) =>
  fact === "country" || fact === "subdivision" ? realCodes(texts) : texts;

/** The country of a region, by the form of its code alone. */
const homeOf = (region: string): string | undefined => /^([A-Z]{2})-[A-Z0-9]{1,3}$/.exec(region)?.[1];

/** Countries that no rule names are the plainest, then requests without a country, then the largest. */
function countryValues(named: readonly string[]): (string | undefined)[] {
  const own = new Set(named);
  const all = [...new Set([...everyCountry, ...named])];
  const largest = (some: readonly string[]) => some.toSorted((a, b) => internetUsersOf(b) - internetUsersOf(a));
  return [...largest(all.filter((code) => !own.has(code))), undefined, ...largest(all.filter((code) => own.has(code)))];
}

/** The doubts of a rule and of its place in the order. */
export function doubtsOf(rule: Rule, priority: number, isShared: boolean): Doubt[] {
  const ofCriteria = criteriaIn(rule).flatMap((criterion): Doubt[] => {
    const { side, properties, unreadable, isUnknown, signal, texts } = criterion;
    const path = properties[0] === side ? side : `${side}.${properties[0]}`;
    const count = (how: "certainly" | "possibly") =>
      signal ? signal.facts(realOf(signal.name, texts), how).length : 0;
    const isFolded = count("certainly") < count("possibly");
    const isMapped = signal !== undefined && rowOf(signal.name).kind === "address" && texts.some(isMappedText);
    return [
      ...(unreadable === undefined
        ? []
        : [{ path, why: isUnknown ? ("not known" as const) : ("not readable" as const) }]),
      ...(isFolded ? [{ path, why: "letter case" as const }] : []),
      ...(isMapped ? [{ path, why: "mapped address" as const }] : []),
      ...(isTwoSignals(criterion) ? [{ path, why: "one or two signals" as const }] : []),
    ];
  });
  const others = unknownProperties(rule).map(({ name }): Doubt => {
    const value: unknown = (rule as unknown as Readonly<Record<string, unknown>>)[name];
    return { path: name, why: unknownIn(value) ? "not known" : "not readable" };
  });
  return [
    ...ofCriteria,
    ...others,
    ...(Number.isNaN(priority) ? [{ path: "priority", why: "not known" as const }] : []),
    ...(isShared ? [{ path: "priority", why: "same priority" as const }] : []),
  ];
}

function isMappedText(text: string): boolean {
  const block = parseBlock(text);
  return block !== undefined && unmapped(block) !== block;
}
