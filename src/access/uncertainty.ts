/** Finds the uncertainties of ACLs, and the combinations of assumptions about them. */
import { effectOf, flagOf, flags, redirectTo } from "./action";
import type { Acl } from "./decide";
import * as assumptions from "./assumptions";
import { documentedOptions, pieceOf, type Assumptions, type Uncertainty } from "./assumptions";
import { criteriaIn, unknownProperties, type Criterion, type Rule } from "./rule";
import { scopeIsKnown } from "./request";

/** `versions`: the ACLs before and after a change, or only one version. */
export function uncertaintiesOf(versions: readonly (readonly Acl[])[]): Uncertainty[] {
  const active = versions.flat().filter((acl) => acl.active);
  const ofRules = new Map(active.flatMap(({ rule }) => ruleUncertainties(rule)).map((one) => [one.name, one]));
  const isGeneral = ({ name }: Uncertainty) => documentedOptions.has(name);
  const found = [...ofRules.values()];
  return [
    ...[connecting, letterCase].filter((one) => ofRules.has(one.name)),
    ...found.filter((one) => !isGeneral(one)),
    ...effects(active),
    ...positions(active),
    ...precedences(versions.map((acls) => acls.filter((acl) => acl.active))),
  ];
}

const known = new WeakMap<Rule, readonly Uncertainty[]>();

/** The uncertainties that decide which requests the rule matches. Cached, because rules never change. */
export function ruleUncertainties(rule: Rule): readonly Uncertainty[] {
  const found = known.get(rule) ?? readRule(rule);
  known.set(rule, found);
  return found;
}

function readRule(rule: Rule): Uncertainty[] {
  const readings = ["one", "two"].map((option): Assumptions => new Map([[assumptions.connecting, option]]));
  const [joined = [], apart = []] = readings.map((reading) => criteriaIn(rule, reading));
  const pieces = [
    ...[...joined, ...apart].flatMap(({ unreadable }) => unreadable ?? []),
    ...unknownProperties(rule).map(({ piece }) => piece),
    ...(scopeIsKnown(rule.scope) ? [] : [pieceOf("scope", rule.scope)]),
  ];
  return [
    ...(apart.length > joined.length ? [connecting] : []),
    ...(joined.some(dependsOnCase) ? [letterCase] : []),
    ...[...new Set(pieces)].map(extentOf),
  ];
}

export interface Combinations {
  /** The first is the most likely one. */
  readonly all: readonly Assumptions[];
  /** Whether these are all combinations. */
  readonly complete: boolean;
}

const mostCombinations = 64;

/** All combinations. If there are too many: all first options, all last options, and single other options among these. */
export function combinationsOf(uncertainties: readonly Uncertainty[]): Combinations {
  const count = uncertainties.reduce((product, { options }) => product * options.length, 1);
  if (count > mostCombinations) return { all: extremes(uncertainties), complete: false };
  let all: Assumptions[] = [new Map()];
  for (const { name, options } of uncertainties) {
    all = options.flatMap((option) => all.map((one) => new Map([...one, [name, option]])));
  }
  return { all, complete: !uncertainties.some(({ partial }) => partial) };
}

function extremes(uncertainties: readonly Uncertainty[]): Assumptions[] {
  const first: Assumptions = new Map(uncertainties.map(({ name, options }) => [name, options[0]!]));
  const last: Assumptions = new Map(uncertainties.map(({ name, options }) => [name, options.at(-1)!]));
  const around = [first, last].flatMap((base) =>
    uncertainties.flatMap(({ name, options }) =>
      options.flatMap((option) => (base.get(name) === option ? [] : [new Map([...base, [name, option]])])),
    ),
  );
  return [first, last, ...around].slice(0, mostCombinations);
}

const mostNamed = 10;

/** The assumptions that decide: without one of them, the result changes. In words; all if no single one decides. */
export function decisive(
  uncertainties: readonly Uncertainty[],
  under: Assumptions,
  isChanged: (others: Assumptions) => boolean,
): string[] {
  const changes = (name: string, option: string) =>
    option !== under.get(name) && isChanged(new Map([...under, [name, option]]));
  const found = uncertainties.filter(({ name, options }) => options.some((option) => changes(name, option)));
  const named = found.length > 0 ? found : uncertainties;
  const words = named.slice(0, mostNamed).map(({ name, words: inWords }) => inWords(under.get(name)!));
  return named.length > mostNamed ? [...words, "further assumptions hold"] : words;
}

const connecting: Uncertainty = {
  name: assumptions.connecting,
  options: ["one", "two"],
  words: (option) =>
    option === "one"
      ? "connecting_ipv4_cidrs and connecting_ipv6_cidrs count as one signal"
      : "connecting_ipv4_cidrs and connecting_ipv6_cidrs must both match",
};

const letterCase: Uncertainty = {
  name: assumptions.letterCase,
  options: ["exact", "any"],
  words: (option) =>
    option === "exact" ? "codes and fingerprints are case-sensitive" : "codes and fingerprints are not case-sensitive",
};

function dependsOnCase({ signal, texts }: Criterion): boolean {
  if (!signal) return false;
  const folded = new Map([[assumptions.letterCase, "any"]]);
  return signal.facts(texts, new Map()).length < signal.facts(texts, folded).length;
}

const extentOf = (piece: string): Uncertainty => ({
  name: assumptions.extent(piece),
  options: ["all", "none"],
  words: (option) => `${piece} ${option === "all" ? "lets the rule match" : "keeps the rule from matching"}`,
});

function effects(acls: readonly Acl[]): Uncertainty[] {
  const actions = acls.map(({ rule }) => rule.action);
  const uris = actions.flatMap((action) => effectOf(action)).map((end) => typeof end === "object" && end.redirect_uri);
  const others = [...new Set(uris.filter((uri): uri is string => typeof uri === "string"))];
  const unknownActions = actions.filter((action) => flagOf(action) === undefined);
  const unknownTargets = actions.filter((action) => {
    return flagOf(action) === "redirect" && typeof action["redirect_uri"] !== "string";
  });
  const pieces = (property: string, values: readonly unknown[]) => [
    ...new Set(values.map((value) => pieceOf(property, value))),
  ];
  return [
    ...pieces("action", unknownActions).map((piece) => ({
      name: assumptions.effect(piece),
      options: ["block", ...flags.filter((flag) => flag !== "block"), ...others.map((uri) => redirectTo + uri)],
      words: (option: string) => `the action of ${piece} is ${option}`,
    })),
    ...pieces(
      "redirect_uri",
      unknownTargets.map((action) => action["redirect_uri"]),
    ).map((piece) => ({
      name: assumptions.target(piece),
      options: [elsewhere(others), ...others],
      words: (option: string) => `the redirect of ${piece} goes to ${option}`,
    })),
  ];
}

/** Stands for a target that no rule names. */
function elsewhere(others: readonly string[]): string {
  let name = "another URI";
  while (others.includes(name)) name = `yet ${name}`;
  return name;
}

/** An ACL with unknown priority is evaluated before, between or after the others. */
function positions(acls: readonly Acl[]): Uncertainty[] {
  const taken = [...new Set(acls.map(({ priority }) => priority))].filter((priority) => !Number.isNaN(priority));
  const options = [0, ...taken.toSorted((a, b) => a - b).map((priority) => priority + 0.5)].map(String);
  const unplaced = acls.filter(({ priority }) => Number.isNaN(priority));
  return [...new Set(unplaced.map(({ key = "" }) => key))].map((key) => ({
    name: assumptions.position(key),
    options,
    words: (option) =>
      option === "0" ? `${key} is evaluated first` : `${key} is evaluated after priority ${parseInt(option)}`,
  }));
}

/** ACLs with equal or unknown priorities: all orders of up to three ACLs. For more ACLs, each ACL before all others. */
function precedences(versions: readonly (readonly Acl[])[]): Uncertainty[] {
  const shared = versions.flatMap((acls) => {
    const counts = new Map<number, number>();
    for (const { priority } of acls) counts.set(priority, (counts.get(priority) ?? 0) + 1);
    return acls.filter(({ priority }) => counts.get(priority)! > 1);
  });
  const tied = [...new Set(shared.map(({ key = "" }) => key))].toSorted();
  if (tied.length === 0) return [];
  const whole = tied.length <= 3;
  const isOpen = shared.some(({ priority }) => Number.isNaN(priority));
  const priorities = isOpen ? "priorities that are equal or not known yet" : "equal priorities";
  const orders = whole ? permutations(tied) : tied.map((key) => [key]);
  return [
    {
      name: assumptions.precedence,
      options: orders.map((order) => JSON.stringify(order)),
      words: (option) => `${orderWords(option)}, with ${priorities}`,
      ...(!whole && { partial: true }),
    },
  ];
}

/** `option`: the keys of some of the ACLs, in order. */
function orderWords(option: string): string {
  const keys = JSON.parse(option) as string[];
  return keys.length === 1 ? `${keys[0]} is evaluated first` : keys.join(" is evaluated before ");
}

function permutations(keys: readonly string[]): string[][] {
  if (keys.length === 0) return [[]];
  return keys.flatMap((key) => permutations(keys.filter((other) => other !== key)).map((rest) => [key, ...rest]));
}
