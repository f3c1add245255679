/** Judges statements about rate limits. */
import { clipped, hidden, andWords, orWords } from "../phrases";
import { block, isMarked } from "../value";
import type { TenantObject, TenantState } from "../state";
import { hasUnknown, held, objectOf, measured, undecided, type Measured, type PolicyStatement } from "./statement";

/** A policy that may apply to callers. */
interface Policy {
  readonly object: TenantObject;
  /** Undefined: known only after the apply. */
  readonly selector: string | undefined;
  /** The limits that are possible, in requests per second. A policy that blocks no request has none: Infinity. */
  readonly least: number;
  readonly most: number;
  /** Why it limits nothing, or its limit, in words. */
  readonly words: string;
}

/** Callers with the policies of which one applies. Without a policy: nothing limits them. */
interface Callers {
  readonly words: string;
  readonly candidates: readonly (Policy | undefined)[];
}

type Test = "within" | "outside" | "not known";

export function judgePolicies(statement: PolicyStatement, { policies }: TenantState): Measured {
  if (hasUnknown(statement)) return measured(undecided("The plan does not show every value of this expectation."));
  if (!policies) return measured(undecided("The rate limit policies of the tenant were not read."));
  const bounds = boundsOf(statement);
  const own = policies.flatMap((object) => policyOf(object, bounds.consumer));
  const tests = callersOf(own, bounds.selector).map((callers) => ({ callers, test: testOf(callers, bounds) }));
  const broken = tests.filter(({ test }) => test === "outside");
  const named = broken.length > 0 ? broken : tests.filter(({ test }) => test === "not known");
  const [first] = named;
  if (!first) {
    const uncovered = uncoveredWords(own, bounds);
    return measured({ ...held, ...(uncovered !== undefined && { uncovered }) });
  }
  const guilty = named.flatMap(({ callers }) =>
    callers.candidates.filter((policy) => testOne(policy, bounds) !== "within"),
  );
  const [example] = first.callers.candidates.filter((policy) => testOne(policy, bounds) !== "within");
  const text = `${wordsOfPolicy(example, first.callers)} ${shouldWords(bounds)}`;
  const why = whyOpen(first.callers);
  return {
    verdict: broken.length > 0 ? "broken" : "undecided",
    text: broken.length > 0 ? text : `${text} ${why}`,
    cause: guilty.flatMap((policy) => (policy ? causeOf(policy) : [])),
    assumptions: broken.length > 0 ? [] : [why],
    offences: new Map(tests.flatMap(({ callers, test }) => (test === "within" ? [] : offencesOf(callers, bounds)))),
  };
}

interface Bounds {
  readonly consumer: string;
  /** Left out: every selector. */
  readonly selector: string | undefined;
  readonly at_most: number;
  readonly at_least: number;
}

/** A selector in place of the consumer means applications. */
export function boundsOf({ consumer, consumer_selector, at_most, at_least }: PolicyStatement): Bounds {
  const named = consumer as string;
  const isSelector = /^client_id:|^(cimd_clients|third_party_clients|default)$/.test(named);
  return {
    consumer: isSelector ? "client" : named,
    selector: (consumer_selector as string | undefined) ?? (isSelector ? named : undefined),
    at_most: (at_most as number | undefined) ?? Infinity,
    at_least: (at_least as number | undefined) ?? 0,
  };
}

function policyOf(object: TenantObject, wanted: string): Policy[] {
  const { values, sensitive } = object;
  const [resource = usualResource, consumer = "client"] = [values["resource"], values["consumer"]].map(
    (value) => value ?? undefined,
  );
  const isOther = (value: unknown, own: string) => typeof value !== "symbol" && value !== own;
  if (isOther(resource, usualResource) || isOther(consumer, wanted)) return [];
  const isKnown = [resource, consumer].every((value) => typeof value === "string");
  const selector = values["consumer_selector"];
  return [
    {
      object,
      selector: isKnown && typeof selector === "string" ? selector : undefined,
      ...limitsOf(values["configuration"], isMarked(sensitive, "configuration")),
    },
  ];
}

const usualResource = "oauth_authentication_api";
const highest = 10_000;

function limitsOf(given: unknown, isSecret: boolean): Pick<Policy, "least" | "most" | "words"> {
  const configuration = block(given);
  const part = (name: string): unknown => (typeof configuration === "object" ? configuration[name] : undefined);
  const action = part("action");
  const written = part("limit");
  const limit = typeof written === "string" && written !== "" ? Number(written) : written;
  const isNumber = typeof limit === "number" && Number.isFinite(limit);
  const unlimited = { least: Infinity, most: Infinity };
  if (action === "allow") return { ...unlimited, words: "limits nothing, because its action is allow" };
  if (action === "log") return { ...unlimited, words: "only logs requests, so it limits nothing" };
  if (action === "block" || action === "redirect") {
    if (!isNumber) return { least: 0, most: highest, words: "has a limit that is known only after the apply" };
    return { least: limit, most: limit, words: `allows ${isSecret ? hidden : limit} requests per second` };
  }
  return { least: isNumber ? limit : 0, most: Infinity, words: "has an action that is known only after the apply" };
}

/** The policy of an application replaces that of its group, which replaces the default. */
function callersOf(policies: readonly Policy[], selector: string | undefined): Callers[] {
  const at = (name: string) => policies.filter((policy) => policy.selector === name);
  const anyone = policies.filter((policy) => policy.selector === undefined);
  const usual = at("default");
  // A tenant has one policy for a selector, so an unknown selector is none of the known ones.
  const others: Callers = {
    words: "applications without a policy of their own",
    candidates: usual.length > 0 ? usual : [undefined, ...anyone],
  };
  if (selector === undefined) {
    const selectors = [...new Set(policies.map((policy) => policy.selector))].filter((name) => name !== undefined);
    return [
      ...selectors.filter((name) => name !== "default").map((name) => ({ words: name, candidates: at(name) })),
      ...anyone.map((policy) => ({ words: "applications that are known only after the apply", candidates: [policy] })),
      others,
    ];
  }
  const own = at(selector);
  if (own.length > 0) return [{ words: selector, candidates: own }];
  const isGroup = (policy: Policy) => !policy.selector?.startsWith("client_id:");
  const groups = selector.startsWith("client_id:") ? policies.filter(isGroup) : anyone;
  return [{ words: selector, candidates: [...new Set([...others.candidates, ...groups])] }];
}

function testOne(policy: Policy | undefined, { at_most, at_least }: Bounds): Test {
  const { least, most } = policy ?? { least: Infinity, most: Infinity };
  if (least > at_most || most < at_least) return "outside";
  return most <= at_most && least >= at_least ? "within" : "not known";
}

function testOf({ candidates }: Callers, bounds: Bounds): Test {
  const tests = new Set(candidates.map((policy) => testOne(policy, bounds)));
  return tests.size === 1 ? [...tests][0]! : "not known";
}

/** How far the limits are from the bounds. */
function offencesOf({ words, candidates }: Callers, { at_most, at_least }: Bounds): [string, number][] {
  return candidates.map((policy) => {
    const { least, most } = policy ?? { least: Infinity, most: Infinity };
    const above = at_most === Infinity ? 0 : most - at_most;
    return [words, Math.max(above, at_least - least)];
  });
}

function wordsOfPolicy(policy: Policy | undefined, { words }: Callers): string {
  if (!policy) return `No rate limit policy applies to ${clipped(words, 100)}, so nothing limits them.`;
  return `The ${limitWords(policy)}.`;
}

/** A group shares one limit, and the default is for each application on its own. */
const shares: Readonly<Record<string, string>> = {
  third_party_clients: " together",
  cimd_clients: " together",
  default: " to each application",
};

function limitWords(policy: Policy): string {
  const isLimit =
    policy.most < Infinity && policy.least === policy.most && !isMarked(policy.object.sensitive, "consumer_selector");
  return `${policyWords(policy)} ${policy.words}${isLimit ? (shares[policy.selector ?? ""] ?? "") : ""}`;
}

const mostNamed = 3;

/** The policies of applications that a group or the default leaves out, and that do not keep its bounds. */
function uncoveredWords(policies: readonly Policy[], bounds: Bounds): string | undefined {
  const { selector } = bounds;
  if (selector === undefined || shares[selector] === undefined) return undefined;
  const isLeftOut = ({ selector: other }: Policy) => {
    if (other === undefined || other === selector) return other === undefined;
    if (selector === "default") return true;
    return other.startsWith("client_id:") && other.startsWith("client_id:https:") === (selector === "cimd_clients");
  };
  const found = policies.filter((policy) => isLeftOut(policy) && testOne(policy, bounds) !== "within");
  if (found.length === 0) return undefined;
  const named = found.slice(0, mostNamed).map((policy) => `the ${limitWords(policy)}`);
  const rest = found.length - named.length;
  return `It does not cover applications with another policy: ${andWords([...named, ...(rest > 0 ? [`${rest} more`] : [])])}.`;
}

function policyWords({ object, selector }: Policy): string {
  const isSecret = isMarked(object.sensitive, "consumer_selector");
  return `rate limit policy for ${isSecret ? hidden : clipped(selector ?? "applications that are known only after the apply", 100)}`;
}

function shouldWords({ at_most, at_least }: Bounds): string {
  const parts = [
    ...(at_least > 0 ? [`at least ${at_least}`] : []),
    ...(at_most < Infinity ? [`at most ${at_most}`] : []),
  ];
  return `The limit should be ${parts.join(" and ")} requests per second.`;
}

function whyOpen({ candidates, words }: Callers): string {
  if (candidates.length === 1) return "The limit is known only after the apply.";
  const names = new Set(candidates.map((policy) => (policy ? policyWords(policy) : "no policy")));
  return `It is not known which one applies to ${clipped(words, 100)}: ${orWords(names)}.`;
}

const causeOf = (policy: Policy) => ({ ...objectOf(policy.object), words: policyWords(policy) });
