/** Finds the facts by which the rules distinguish requests, so that few requests stand for all requests of a log. */
import {
  criteriaOf,
  places,
  plainFacts,
  propertyOf,
  rowOf,
  sides,
  type Acl,
  type Api,
  contains,
  formatBlock,
  isAddress,
  parseBlock,
  unmapped,
  type Block,
  signals,
} from "../access/access";
import {
  createClasses,
  type Dimension,
  type List,
  type FactClass,
  neverLogged,
  noText,
  vectorOf,
  type Candidate,
} from "./fact-class";
import { ipv4In, ipv6In, orderedIpv6 } from "./addresses";
import { cached } from "./short";
import type { LoggedName, LoggedRequest } from "./request";

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
  const texts = plainFacts.flatMap((name): [List[], LoggedName][] =>
    places.has(name) ? [] : [[lists(propertyOf(name)), name as LoggedName]],
  );
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
    ...texts.flatMap(([own, name]) => (own.length > 0 ? [textDimension(own, name)] : [])),
  ];
}

function apiDimension(): Dimension {
  const create = createClasses();
  const known = cached((apis) => create("api", new Map(apis.split(" ").map((api) => [api, { api: api as Api }]))));
  return { classOf: ({ apis }) => known(apis.length === 1 ? apis[0]! : apis.join(" ")) };
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
  const ordered = six.starts.map(orderedIpv6);
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
      if (number !== undefined) return four.classes[lastAtMost(starts, number)]!.own;
      const groups = ipv6In(text);
      return groups === undefined ? known(text) : six.classes[lastAtMost(ordered, groups)]!.own;
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

function lastAtMost<Address extends number | bigint | string>(starts: readonly Address[], address: Address): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= address) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Most curated lists whose combinations are all tried. */
const mostManaged = 6;

function managedDimension(lists: readonly List[]): Dimension {
  const create = createClasses(({ managed = [] }) => managed.length === 0);
  const names = [...new Set(lists.flat().map((name) => name.toLowerCase()))];
  const some = names.slice(0, mostManaged);
  const sets = Array.from({ length: 2 ** some.length }, (_, bits) =>
    some.filter((_name, index) => bits & (1 << index)),
  );
  const rest = names.slice(mostManaged).map((name) => [name]);
  const unknown = create("managed", new Map([...sets, ...rest].map((managed) => [`[${managed.join()}]`, { managed }])));
  return { classOf: () => unknown };
}

/** Country and region together, because a region lies in its country. */
function placeDimension(countries: readonly List[], regions: readonly List[]): Dimension {
  const upper = (text: string) => text.toUpperCase();
  const create = createClasses(({ subdivision }) => subdivision === noText);
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

/** Matches no entry of a rule. */
const noNumber = "4294967294";

function textDimension(lists: readonly List[], name: LoggedName): Dimension {
  const { kind, spell = (text: string) => text } = rowOf(name);
  const candidate = (text: string): Candidate => ({ [name]: kind === "number" ? Number(text) : text });
  const entries = [...new Set(lists.flat().map(spell))];
  const other = kind === "number" ? candidate(noNumber) : candidate(noText);
  const create = createClasses((one) => one === other || !neverLogged.has(name));
  const nothing = vectorOf(lists, noText, spell);
  const all = new Map<string, Candidate>([[nothing, other]]);
  for (const entry of entries) all.set(vectorOf(lists, entry, spell), candidate(entry));
  const unknown = create(name, all);
  const agents = signals.find((signal) => signal.name === "user_agent")!;
  const none = create(name, new Map([[nothing, other]]));
  const known = cached((text) => {
    const own = spell(text);
    if (entries.includes(own)) return create(name, new Map([[vectorOf(lists, own, spell), candidate(own)]]));
    // A loose comparison may match an entry that is a part of the header.
    const near =
      name === "user_agent"
        ? entries.filter((entry) => agents.matches([entry], { api: "management", user_agent: text }) === "perhaps")
        : [];
    if (near.length === 0) return none;
    return create(
      "comparison",
      new Map([[nothing, other], ...near.map((entry) => [vectorOf(lists, entry, spell), candidate(entry)] as const)]),
    );
  });
  return {
    classOf(request) {
      const text = request[name];
      return text === undefined ? unknown : known(text);
    },
  };
}
