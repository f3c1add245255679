/**
 * The space of all requests that some ACLs distinguish. It has a field for each kind of fact. A box is a set of facts for each
 * field, stored as consecutive bits: the requests whose facts are all in these sets.
 */
import { codeMeantBy } from "./country";
import type { Acl } from "./decide";
import { places, plainFacts, propertyOf, rowOf } from "./fact";
import type { FactName } from "./facts";
import { addressAt } from "./addresses";
import {
  addressField,
  optionField,
  locationField,
  textField,
  type Bits,
  type Field,
  type LocationEntry,
} from "./field";
import { connecting, letterCase, type Assumptions } from "./assumptions";
import { apis, pathTo, scopeIsKnown, type AccessRequest, type Api } from "./request";
import { signatures } from "./signal";
import { coversApi, criteriaIn, type Criterion, type Rule } from "./rule";

export type Box = Bits;

/** A set of facts of one field. */
export interface Constraint {
  /** Index of the field. */
  readonly field: number;
  readonly set: Bits;
}

export interface Space {
  readonly whole: Box;
  /** The point of the plainest facts. It may be in no ACL's box. */
  readonly plain: Box;
  /** The start and end of each field in a box. */
  readonly spans: readonly (readonly [from: number, to: number])[];
  /** Reads a rule under assumptions about loose comparisons. Left out: rules are read as they are. */
  under?(rule: Rule, assumptions: Assumptions): Rule;
  /** The requests to the APIs that a scope covers. */
  scope(scope: string, assumptions: Assumptions): Constraint;
  /** The requests that a criterion matches: those that meet at least one constraint. */
  matching(criterion: Criterion, assumptions: Assumptions): readonly Constraint[];
  /** The requests with a signature. Some rule must match signatures. */
  signed(): Constraint;
  /** The plainest request of a non-empty box, as a box. */
  point(box: Box): Box;
  /** The request of a point. It connects directly if the rules do not tell that apart. */
  request(point: Box): WholeRequest;
}

/** A request with all facts known. It does not have facts that are undefined or empty. */
export type WholeRequest = AccessRequest & {
  readonly path: string;
  readonly ip: string;
  readonly connecting_ip: string;
};

/** The entries of a property of `match` or `not_match`. */
interface Listed {
  readonly property: string;
  readonly texts: readonly string[];
}

/** A field, and how its facts appear in a request. */
interface Axis {
  readonly whole: Bits;
  matching(list: Listed): Bits;
  say(set: Bits): Partial<WholeRequest>;
  /** Whether an address is in the set. */
  matches?(set: Bits, address: string): boolean;
}

function axis<Fact>({ whole, matching, plainest }: Field<Fact>, say: (fact: Fact) => Partial<WholeRequest>): Axis {
  return { whole, matching: ({ texts }) => matching(texts), say: (set) => say(plainest(set)) };
}

const connectingAddress = "connecting_ipv4_cidrs";

function connectingAxis(lists: readonly (readonly string[])[]): Axis {
  const field = addressField(lists);
  return { ...axis(field, (at) => ({ connecting_ip: addressAt(at) })), matches: field.matches };
}

function placeAxis(lists: readonly Listed[]): Axis {
  const { whole, matching, plainest } = locationField(lists.map(placeEntries));
  return { whole, matching: (list) => matching(placeEntries(list)), say: plainest };
}

function placeEntries({ property, texts }: Listed): LocationEntry[] {
  const real = texts.filter((text) => codeMeantBy(text) === undefined);
  return real.map((text) => (property === countryCodes ? { country: text } : { subdivision: text }));
}

/** The facts with one text each: an axis for each. */
const textFacts = plainFacts.filter((name) => !places.has(name));

const sayText = (name: FactName) => (text: string | undefined) =>
  text === undefined ? {} : { [name]: rowOf(name).kind === "number" ? Number(text) : text };

/** The keys that rules name, and one that no rule names. */
const everyKey = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat()), "another key"];

const curated = "auth0_managed";
const countryCodes = "geo_country_codes";

/** The kind of fact of a criterion. IPv4 and IPv6 addresses are one kind. */
function kindOf({ properties }: Criterion): string {
  const property = properties[0]!;
  if (property.startsWith("geo_")) return "place";
  return property.replace("ipv6_cidrs", "ipv4_cidrs");
}

export function createSpace(acls: readonly Acl[], combinations: readonly Assumptions[]): Space {
  const lists = listsOf(acls, combinations);
  const axes = axesOf(lists, acls, combinations);
  const kinds = [...axes.keys()];
  const parts = [...axes.values()];
  let length = 0;
  const spans = parts.map((part) => [length, (length += part.whole.length)] as const);
  const whole = new Int32Array(length);
  parts.forEach((part, index) => whole.set(part.whole, spans[index]![0]));
  const cut = (kind: string, list: Listed): Constraint => ({
    field: kinds.indexOf(kind),
    set: axes.get(kind)!.matching(list),
  });
  return {
    whole,
    plain: pointOf(whole, spans),
    spans,
    scope: (scope, assumptions) => cut("api", { property: "scope", texts: coveredBy(scope, assumptions) }),
    matching(criterion, assumptions) {
      const list = listOf(criterion, assumptions);
      const kind = kindOf(criterion);
      if (axes.has(kind)) return [cut(kind, list)];
      return list.texts.map((name) => cut(`${kind} ${name}`, { ...list, texts: [name] }));
    },
    signed: () => cut(signatures, { property: signatures, texts: everyKey(textsIn(lists, signatures)) }),
    point: (box) => pointOf(box, spans),
    request(point) {
      const facts = parts.map(({ say }, index) => say(point.subarray(...spans[index]!)));
      const managed = facts.flatMap((fact) => fact.managed ?? []);
      const request = Object.assign({}, ...facts, { managed }) as WholeRequest;
      const through = kinds.indexOf(connectingAddress);
      const isDirect = parts[through]!.matches!(point.subarray(...spans[through]!), request.ip);
      return isDirect ? { ...request, connecting_ip: request.ip } : request;
    },
  };
}

type Lists = ReadonlyMap<string, readonly Listed[]>;

const textsIn = (lists: Lists, kind: string) => (lists.get(kind) ?? []).map(({ texts }) => texts);

/** Kind of fact -> its axis. */
function axesOf(lists: Lists, acls: readonly Acl[], combinations: readonly Assumptions[]): Map<string, Axis> {
  const listed = (kind: string) => lists.get(kind) ?? [];
  const of = (kind: string) => {
    const own = textsIn(lists, kind);
    return kind === signatures && own.length > 0 ? [...own, everyKey(own)] : own;
  };
  const scopes = [...new Set(acls.map(({ rule }) => rule.scope))];
  const covered = scopes.flatMap((scope) => {
    return (scopeIsKnown(scope) ? combinations.slice(0, 1) : combinations).map((one) => coveredBy(scope, one));
  });
  const texts = textFacts.map((name): [string, Axis] => [
    propertyOf(name),
    axis(textField(of(propertyOf(name))), sayText(name)),
  ]);
  return new Map([
    ["api", axis(optionField(apis, covered), (api) => ({ api, path: pathTo(api) }))],
    ["ipv4_cidrs", axis(addressField(of("ipv4_cidrs")), (at) => ({ ip: addressAt(at) }))],
    [connectingAddress, connectingAxis(of(connectingAddress))],
    ["place", placeAxis(listed("place"))],
    ...texts,
    // A request may be on several curated lists.
    ...[...new Set(of(curated).flat())].map((name): [string, Axis] => [
      `${curated} ${name}`,
      axis(textField([[name]]), (text) => ({ managed: text === undefined ? [] : [text] })),
    ]),
  ]);
}

function coveredBy(scope: string, assumptions: Assumptions): Api[] {
  return apis.filter((api) => coversApi(scope, api, assumptions) === "yes");
}

function pointOf(box: Box, spans: Space["spans"]): Box {
  const point = new Int32Array(box.length);
  for (const [from, to] of spans) {
    let word = from;
    while (word < to - 1 && box[word] === 0) word++;
    // The lowest bit is the plainest class.
    point[word] = box[word]! & -box[word]!;
  }
  return point;
}

function listOf({ signal, properties, texts }: Criterion, assumptions: Assumptions): Listed {
  return { property: properties[0]!, texts: signal!.facts(texts, assumptions) };
}

/** Kind of fact -> all lists of entries. */
function listsOf(acls: readonly Acl[], combinations: readonly Assumptions[]): Map<string, Listed[]> {
  const lists = new Map<string, Listed[]>();
  const distinct = new Map(combinations.map((one) => [`${one.get(connecting)} ${one.get(letterCase)}`, one]));
  for (const rule of new Set(acls.map((acl) => acl.rule))) {
    for (const assumptions of distinct.values()) {
      for (const criterion of criteriaIn(rule, assumptions)) {
        if (!criterion.signal) continue;
        const kind = kindOf(criterion);
        if (!lists.has(kind)) lists.set(kind, []);
        lists.get(kind)!.push(listOf(criterion, assumptions));
      }
    }
  }
  return lists;
}
