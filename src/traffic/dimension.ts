/** Groups the values of each fact by the rules that they match, so that few requests stand for all requests of a log. */
import {
  contains,
  criteriaOf,
  formatBlock,
  isAddress,
  parseBlock,
  sides,
  signals,
  unmapped,
  type AccessRequest,
  type Acl,
  type Api,
  type Block,
} from "../access/access";
import { ipv4In } from "./ipv4";
import type { LoggedRequest } from "./request";

/** Why an outcome is only possible: a fact that the log lacks, or a comparison or value that is not known. */
export type Dependency = keyof AccessRequest | "comparison" | "assumption";

export type Candidate = Partial<AccessRequest>;

/** All facts that a request may have. There are several if the fact is not known. */
export interface FactClass {
  readonly id: number;
  readonly why: Dependency;
  readonly candidates: readonly Candidate[];
}

export interface Dimension {
  classOf(request: LoggedRequest): FactClass;
}

/** The entries of one property on one side of one rule. */
type List = readonly string[];

/** The dimensions that the rules use. */
export function dimensionsOf(acls: readonly Acl[]): Dimension[] {
  const active = acls.filter((acl) => acl.active);
  const lists = (property: string): List[] =>
    active.flatMap(({ rule }) =>
      sides.flatMap((side) =>
        criteriaOf(rule, side).flatMap(({ entries, properties }) =>
          properties.includes(property)
            ? [entries.filter((entry) => entry.property === property).map(({ text }) => text)]
            : [],
        ),
      ),
    );
  const both = (prefix: string) => [...lists(`${prefix}ipv4_cidrs`), ...lists(`${prefix}ipv6_cidrs`)];
  const texts: [List[], TextFact][] = [
    [lists("asns"), { name: "asn", value: () => undefined, candidate: (text) => ({ asn: Number(text) }) }],
    [
      lists("user_agents"),
      { name: "user_agent", value: (request) => request.user_agent, candidate: (text) => ({ user_agent: text }) },
    ],
    [
      lists("hostnames"),
      {
        name: "hostname",
        value: (request) => request.hostname,
        candidate: (text) => ({ hostname: text }),
        spell: (text) => text.toLowerCase().replace(/\.$/, ""),
      },
    ],
    [lists("ja3_fingerprints"), fingerprint("ja3")],
    [lists("ja4_fingerprints"), fingerprint("ja4")],
    [
      lists("http_message_signature"),
      { name: "signature_key", value: () => undefined, candidate: (text) => ({ signature_key: text }) },
    ],
  ];
  const addresses: [List[], () => Dimension][] = [
    [both(""), () => addressDimension("ip", both(""), (request) => request.ip)],
    [
      both("connecting_"),
      () => addressDimension("connecting_ip", both("connecting_"), (request) => request.connecting_ip),
    ],
    [
      [...lists("geo_country_codes"), ...lists("geo_subdivision_codes")],
      () => placeDimension(lists("geo_country_codes"), lists("geo_subdivision_codes")),
    ],
    [lists("auth0_managed"), () => managedDimension(lists("auth0_managed"))],
  ];
  return [
    apiDimension(),
    ...addresses.flatMap(([own, create]) => (own.length > 0 ? [create()] : [])),
    ...texts.flatMap(([own, fact]) => (own.length > 0 ? [textDimension(own, fact)] : [])),
  ];
}

interface TextFact {
  readonly name: Dependency;
  value(request: LoggedRequest): string | undefined;
  candidate(text: string): Candidate;
  /** Converts a text to the case of facts. */
  spell?(text: string): string;
}

const fingerprint = (name: "ja3" | "ja4"): TextFact => ({
  name,
  value: (request) => request[name],
  candidate: (text) => ({ [name]: text }),
  spell: (text) => text.toLowerCase(),
});

/** Which lists have the text: exactly, or only in another case. */
const vectorOf = (lists: readonly List[], text: string, spell: (text: string) => string) =>
  lists.map((list) => (list.includes(text) ? 2 : list.some((entry) => spell(entry) === text) ? 1 : 0)).join("");

/** Equal classes get one object. */
function createClasses() {
  const known = new Map<string, FactClass>();
  return (why: Dependency, candidates: ReadonlyMap<string, Candidate>): FactClass => {
    const key = [why, ...[...candidates.keys()].toSorted()].join(" ");
    const found = known.get(key) ?? { id: known.size, why, candidates: [...candidates.values()] };
    known.set(key, found);
    return found;
  };
}

const mostCached = 20_000;

/** A cache that forgets everything when it is full. */
function cached<Value>(find: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= mostCached) known.clear();
    const made = find(text);
    known.set(text, made);
    return made;
  };
}

/** Matches no entry of a rule. */
const noText = "";
const noNumber = "4294967294";

function textDimension(
  lists: readonly List[],
  { name, value, candidate, spell = (text) => text }: TextFact,
): Dimension {
  const create = createClasses();
  const entries = [...new Set(lists.flat().map(spell))];
  const other = name === "asn" ? candidate(noNumber) : candidate(noText);
  const nothing = vectorOf(lists, noText, spell);
  const all = new Map<string, Candidate>([[nothing, other]]);
  for (const entry of entries) all.set(vectorOf(lists, entry, spell), candidate(entry));
  const unknown = create(name, all);
  const agents = signals.find(({ properties }) => properties[0] === "user_agents")!;
  const known = cached((text) => {
    const own = spell(text);
    const vector = vectorOf(lists, own, spell);
    if (entries.includes(own)) return create(name, new Map([[vector, candidate(own)]]));
    // A loose comparison may match an entry that is a part of the header.
    const near =
      name === "user_agent"
        ? entries.filter((entry) => agents.matches([entry], { api: "management", user_agent: text }) === "perhaps")
        : [];
    return create(
      near.length > 0 ? "comparison" : name,
      new Map([[nothing, other], ...near.map((entry) => [vectorOf(lists, entry, spell), candidate(entry)] as const)]),
    );
  });
  return {
    classOf(request) {
      const text = value(request);
      return text === undefined ? unknown : known(text);
    },
  };
}

function apiDimension(): Dimension {
  const create = createClasses();
  const known = cached((apis) => create("api", new Map(apis.split(" ").map((api) => [api, { api: api as Api }]))));
  return { classOf: ({ apis }) => known(apis.length === 1 ? apis[0]! : apis.join(" ")) };
}

/** Country and region together, because a region lies in its country. */
function placeDimension(countries: readonly List[], regions: readonly List[]): Dimension {
  const upper = (text: string) => text.toUpperCase();
  const create = createClasses();
  const ownRegions = [...new Set(regions.flat().map(upper))];
  const ownCountries = [
    ...new Set([...countries.flat().map(upper), ...ownRegions.map((region) => region.slice(0, 2))]),
  ];
  const vector = (country: string, region: string) =>
    `${vectorOf(countries, country, upper)}-${vectorOf(regions, region, upper)}`;
  const placesIn = (country: string): [string, Candidate][] => {
    const inside = ownRegions.filter((region) => country !== noText && region.startsWith(`${country}-`));
    return [noText, ...inside].map((region) => [vector(country, region), { country, subdivision: region }]);
  };
  const unknown = create("country", new Map([noText, ...ownCountries].flatMap(placesIn)));
  const known = cached((country) => {
    const own = ownCountries.includes(upper(country)) ? upper(country) : noText;
    return create("subdivision", new Map(placesIn(own)));
  });
  return { classOf: ({ country }) => (country === undefined ? unknown : known(country)) };
}

/** Most curated lists whose combinations are all tried. */
const mostManaged = 6;

function managedDimension(lists: readonly List[]): Dimension {
  const create = createClasses();
  const names = [...new Set(lists.flat().map((name) => name.toLowerCase()))];
  const some = names.slice(0, mostManaged);
  const sets = Array.from({ length: 2 ** some.length }, (_, bits) =>
    some.filter((_name, index) => bits & (1 << index)),
  );
  const rest = names.slice(mostManaged).map((name) => [name]);
  const unknown = create("managed", new Map([...sets, ...rest].map((managed) => [`[${managed.join()}]`, { managed }])));
  return { classOf: () => unknown };
}

function addressDimension(
  name: "ip" | "connecting_ip",
  lists: readonly List[],
  value: (request: LoggedRequest) => string | undefined,
): Dimension {
  const create = createClasses();
  const blocks = lists.map((list) => list.map(parseBlock).filter((block) => block !== undefined));
  const [four, six] = ([4, 6] as const).map((family) => rangesOf(blocks, family, name, create)) as [Ranges, Ranges];
  const all = [...four.classes, ...six.classes];
  const candidates = new Map(all.flatMap(({ vector, own }) => [[vector, own.candidates[0]!] as const]));
  const unknown = create(name, candidates);
  const starts = four.starts.map(Number);
  const known = cached((text) => {
    const parsed = isAddress(text) ? parseBlock(text) : undefined;
    if (!parsed) return unknown;
    const block = unmapped(parsed);
    const { starts: from, classes } = block.family === 4 ? four : six;
    return classes[lastAtMost(from, block.first)]!.own;
  });
  return {
    classOf(request) {
      const text = value(request);
      if (text === undefined) return unknown;
      const number = ipv4In(text);
      return number === undefined ? known(text) : four.classes[lastAtMost(starts, number)]!.own;
    },
  };
}

interface Ranges {
  /** The first address of each range. */
  readonly starts: readonly bigint[];
  readonly classes: readonly { readonly vector: string; readonly own: FactClass }[];
}

/** Splits all addresses of a family where a block begins or ends. */
function rangesOf(
  lists: readonly (readonly Block[])[],
  family: Block["family"],
  name: "ip" | "connecting_ip",
  create: ReturnType<typeof createClasses>,
): Ranges {
  const bits = family === 4 ? 32 : 128;
  const edges = lists.flat().filter((block) => block.family === family);
  const starts = [
    ...new Set([0n, ...edges.flatMap(({ first, length }) => [first, first + (1n << BigInt(bits - length))])]),
  ]
    .filter((start) => start < 1n << BigInt(bits))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const classes = starts.map((first) => {
    const point: Block = { family, first, length: bits };
    const vector = lists.map((list) => (list.some((block) => contains(block, point)) ? 1 : 0)).join("");
    return { vector, own: create(name, new Map([[vector, { [name]: formatBlock(point) }]])) };
  });
  return { starts, classes };
}

function lastAtMost<Num extends number | bigint>(starts: readonly Num[], number: Num): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}
