/**
 * Defines each signal: the fact that it reads, and when an entry matches that fact.
 *
 * The service documents little more than that an entry must be equivalent to the fact. All choices about the rest are here. If
 * only a loose comparison would match, the result is "perhaps", unless an assumption decides:
 * - Codes, fingerprints, names and key ids: equal, or perhaps equal if only the case differs. Facts have the case of their
 *   standard (DE, US-CA; fingerprints and curated lists in lower case).
 * - Host names: equal, not case-sensitive.
 * - User agents: equal as a whole. Perhaps, if the entry is a part of the fact in any case, with `*` for any text.
 * - `ipv4_cidrs` and `ipv6_cidrs` are one signal, as documented. The two properties of connecting addresses may be two.
 * - An IPv4-mapped entry perhaps matches its IPv4 address. An IPv4-mapped address of a request is its IPv4 address.
 * - An unreadable entry perhaps matches.
 */
import { homeOf, likelyCode, plainHost } from "./fact-forms";
import { factNames, places, propertyOf, rowOf } from "./fact";
import type { FactName } from "./facts";
import { type Block, covers, everywhere, overlaps, parseBlock, unmapped } from "./cidr";
import { type AccessRequest, any, type Ternary } from "./request";

export interface Signal {
  readonly name: FactName;
  /** The properties of `match` and `not_match` with its entries. */
  readonly properties: readonly string[];
  /** Names the fact. */
  readonly noun: string;
  /** Whether its two properties may be two signals. */
  readonly mayBeTwoSignals?: true;
  /** The fact as text. undefined: unknown. */
  fact(request: AccessRequest): string | undefined;
  /** Whether an entry matches the fact. */
  matches(entries: readonly string[], request: AccessRequest): Ternary;
  /** The facts that the entries match, certainly or possibly. For addresses, the entries. */
  facts(entries: readonly string[], how: "certainly" | "possibly"): readonly string[];
  /** Whether certainly no fact matches `wanted` (default: any fact) without matching `excluded`. */
  matchesNothing(wanted: readonly string[] | undefined, excluded: readonly string[]): boolean;
}

type SignalName = Exclude<FactName, "path">;

/** `folded`: the service converts texts to the spelling of facts as well. */
const comparisons: {
  readonly [name in FactName]?: {
    readonly compare: (entry: string, fact: string) => Ternary;
    readonly folded?: true;
  };
} = { user_agent: { compare: equalAgent }, hostname: { compare: equalHost, folded: true } };

const textSignal = (name: SignalName): Signal => {
  const { noun, spell = (asIs) => asIs } = rowOf(name);
  const { compare, folded } = { compare: equal, folded: undefined, ...comparisons[name] };
  const read = (request: AccessRequest) => request[name];
  const facts = (request: AccessRequest) =>
    [read(request) ?? []]
      .flat()
      .filter((fact) => fact !== "")
      .map((fact) => spell(String(fact)));
  const spelled = (entries: readonly string[], how: "certainly" | "possibly") =>
    entries.flatMap((entry) => {
      const fact = spell(entry);
      return fact === entry || folded || how === "possibly" ? [fact] : [];
    });
  return {
    name,
    properties: [propertyOf(name)],
    noun,
    fact: (request) => (read(request) === undefined ? undefined : facts(request).join(", ")),
    facts: spelled,
    matches(entries, request) {
      if (read(request) === undefined) return "perhaps";
      return any(facts(request).flatMap((fact) => entries.map((entry) => compare(entry, fact))));
    },
    matchesNothing: (wanted, excluded) =>
      wanted !== undefined && wanted.every((entry) => excluded.some((other) => compare(other, entry) === "yes")),
  };
};

/** An entry that is no code, such as UK, matches no request. A region that is not known is one of the country. */
const placeSignal = (name: SignalName): Signal => {
  const signal = textSignal(name);
  return {
    ...signal,
    matches(entries, request) {
      const { country = "" } = request;
      const isOpen = name === "subdivision" && request.subdivision === undefined && country !== "";
      const isElsewhere = (home: string | undefined) => isOpen && home !== undefined && home !== country.toUpperCase();
      const real = entries.filter(
        (entry) => likelyCode(entry) === undefined && !isElsewhere(homeOf(entry.toUpperCase())),
      );
      return real.length === 0 ? "no" : signal.matches(real, request);
    },
  };
};

const addressSignal = (name: "ip" | "connecting_ip"): Signal => {
  const { noun, criteria, mayBeTwo } = rowOf(name);
  const read = (request: AccessRequest) => request[name];
  const place = (request: AccessRequest) => {
    const block = parseBlock(read(request) ?? "");
    return block && unmapped(block);
  };
  return {
    name,
    properties: Object.keys(criteria),
    noun,
    ...(mayBeTwo && { mayBeTwoSignals: mayBeTwo }),
    fact: (request) => (place(request) ? read(request) : undefined),
    facts: (entries) => entries,
    matches(entries, request) {
      const known = place(request);
      const reached = known ? [known] : everywhere;
      const blocks = readable(entries);
      if (reached.every((one) => covers(blocks, one))) return "yes";
      const near = [...blocks, ...blocks.map(unmapped)];
      const touched = reached.some((one) => near.some((block) => overlaps(block, one)));
      return touched || blocks.length < entries.length ? "perhaps" : "no";
    },
    matchesNothing(wanted, excluded) {
      const out = readable(excluded);
      const outside = (block: Block) => covers(out, block) && covers(out.map(unmapped), unmapped(block));
      if (wanted === undefined) return everywhere.every(outside);
      return wanted.every((entry) => {
        const block = parseBlock(entry);
        return block !== undefined && outside(block);
      });
    },
  };
};

const signalOf = (name: SignalName): Signal =>
  name === "ip" || name === "connecting_ip"
    ? addressSignal(name)
    : places.has(name)
      ? placeSignal(name)
      : textSignal(name);

export const signals: readonly Signal[] = factNames.flatMap((name) => (name === "path" ? [] : signalOf(name)));

export const signatures = propertyOf("signature_key");

/** The value of a property with these entries, the other way round than `entriesOf`. */
export const valueOf = (property: string, texts: readonly string[]): unknown =>
  property === signatures ? { keys: texts.map((id) => ({ id })) } : texts;

/** The readable entries of a property. */
export interface Entries {
  readonly texts: readonly string[];
  /** The part that is unknown, in an unknown form, or not an address; all of a list that is too long to compare. */
  readonly unread?: { readonly part: unknown };
}

/** Auth0 accepts 20. A comparison of some thousand takes minutes. */
const mostEntries = 100;

export function entriesOf(property: string, value: unknown): Entries {
  const isSignature = property === signatures;
  const list = isSignature ? (value as { keys?: unknown } | null)?.keys : value;
  if (!Array.isArray(list) || list.length === 0 || list.length > mostEntries)
    return { texts: [], unread: { part: value } };
  const entries = list.map((entry: unknown) => (isSignature ? (entry as { id?: unknown } | null)?.id : entry));
  const isKnown = (entry: unknown) => typeof entry === "string" || typeof entry === "number";
  const isClear = property.endsWith("_cidrs") ? (text: string) => parseBlock(text) !== undefined : () => true;
  const strange = entries.filter((entry) => !isKnown(entry) || !isClear(String(entry)));
  return { texts: entries.filter(isKnown).map(String), ...(strange.length > 0 && { unread: { part: strange } }) };
}

/** Cached, because many requests are matched against a rule. */
const blocks = new WeakMap<readonly string[], Block[]>();

function readable(entries: readonly string[]): Block[] {
  const known = blocks.get(entries) ?? entries.map(parseBlock).filter((block) => block !== undefined);
  blocks.set(entries, known);
  return known;
}

function equal(entry: string, fact: string): Ternary {
  if (entry === fact) return "yes";
  return entry.toLowerCase() === fact.toLowerCase() ? "perhaps" : "no";
}

function equalHost(entry: string, fact: string): Ternary {
  return plainHost(entry) === plainHost(fact) ? "yes" : "no";
}

function equalAgent(entry: string, fact: string): Ternary {
  if (entry === fact) return "yes";
  const [agent, parts] = [fact.toLowerCase(), entry.toLowerCase()];
  if (!parts.includes("*")) return agent.includes(parts) ? "perhaps" : "no";
  let from = 0;
  for (const piece of parts.split("*")) {
    const at = agent.indexOf(piece, from);
    if (at < 0) return "no";
    from = at + piece.length;
  }
  return "perhaps";
}
