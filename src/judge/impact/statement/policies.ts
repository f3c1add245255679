/** Judges statements about rate limits. */
import { isWhollyKnown } from "../../../formats/cty/value";
import { clipped, hidden, andWords, orWords } from "../phrases";
import { effective, pending, policyFrom, rateOf, ratesOf, type Policy } from "../rate-limit-policy/policy";
import { isMarked } from "../value";
import type { TenantObject, TenantState } from "../state";
import { held, objectOf, measured, undecided, type Measured, type PolicyStatement } from "./statement";

/** A policy that may apply to callers. */
type StatedPolicy = Policy & { readonly object: TenantObject };

/** Callers with the policies of which one applies. Without a policy: nothing limits them. */
interface Callers {
  readonly words: string;
  readonly candidates: readonly (StatedPolicy | undefined)[];
}

type Test = "within" | "outside" | "not known";

export function judgePolicies(statement: PolicyStatement, { policies }: TenantState): Measured {
  if (!isWhollyKnown(statement)) return measured(undecided("The plan does not show every value of this expectation."));
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

function policyOf(object: TenantObject, wanted: string): StatedPolicy[] {
  const policy = { ...policyFrom({ address: object.address ?? "" }, object.values), object };
  const fits = (value: string, own: string) => value === pending || value === own;
  return fits(policy.resource, "oauth_authentication_api") && fits(policy.consumer, wanted) ? [policy] : [];
}

function callersOf(policies: readonly StatedPolicy[], selector: string | undefined): Callers[] {
  if (selector !== undefined) return [{ words: selector, candidates: effective(policies, selector) }];
  const known = policies.flatMap(({ by, hasUnknownCallers }) => (hasUnknownCallers || by === "default" ? [] : by));
  return [
    ...[...new Set(known)].map((name) => ({ words: name, candidates: effective(policies, name) })),
    ...policies
      .filter(({ hasUnknownCallers }) => hasUnknownCallers)
      .map((policy) => ({ words: "applications that are known only after the apply", candidates: [policy] })),
    { words: "applications without a policy of their own", candidates: effective(policies, "default") },
  ];
}

function testOne(policy: StatedPolicy | undefined, { at_most, at_least }: Bounds): Test {
  const [least, most] = ratesOf(policy);
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
    const [least, most] = ratesOf(policy);
    const above = at_most === Infinity ? 0 : most - at_most;
    return [words, Math.max(above, at_least - least)];
  });
}

function wordsOfPolicy(policy: StatedPolicy | undefined, { words }: Callers): string {
  if (!policy) return `No rate limit policy applies to ${clipped(words, 100)}, so nothing limits them.`;
  return `The ${limitWords(policy)}.`;
}

/** A group shares one limit, and the default is for each application on its own. */
const shares: Readonly<Record<string, string>> = {
  third_party_clients: " together",
  cimd_clients: " together",
  default: " to each application",
};

function limitWords(policy: StatedPolicy): string {
  const isLimit = Number.isFinite(rateOf(policy)) && !isMarked(policy.object.sensitive, "consumer_selector");
  return `${policyWords(policy)} ${actionWords(policy)}${isLimit ? (shares[policy.by] ?? "") : ""}`;
}

function actionWords(policy: StatedPolicy): string {
  const [least, most] = ratesOf(policy);
  if (policy.action === "allow") return "limits nothing, because its action is allow";
  if (policy.action === "log") return "only logs requests, so it limits nothing";
  if (least !== most) return `has ${most === Infinity ? "an action" : "a limit"} that is known only after the apply`;
  return `allows ${isMarked(policy.object.sensitive, "configuration") ? hidden : least} requests per second`;
}

const mostNamed = 3;

/** The policies of applications that a group or the default leaves out, and that do not keep its bounds. */
function uncoveredWords(policies: readonly StatedPolicy[], bounds: Bounds): string | undefined {
  const { selector } = bounds;
  if (selector === undefined || shares[selector] === undefined) return undefined;
  const isLeftOut = ({ by: other, hasUnknownCallers }: Policy) => {
    if (hasUnknownCallers || other === selector) return hasUnknownCallers;
    if (selector === "default") return true;
    return other.startsWith("client_id:") && other.startsWith("client_id:https:") === (selector === "cimd_clients");
  };
  const found = policies.filter((policy) => isLeftOut(policy) && testOne(policy, bounds) !== "within");
  if (found.length === 0) return undefined;
  const named = found.slice(0, mostNamed).map((policy) => `the ${limitWords(policy)}`);
  const rest = found.length - named.length;
  return `It does not cover applications with another policy: ${andWords([...named, ...(rest > 0 ? [`${rest} more`] : [])])}.`;
}

function policyWords({ object, by, hasUnknownCallers }: StatedPolicy): string {
  const isSecret = isMarked(object.sensitive, "consumer_selector");
  const callers = hasUnknownCallers ? "applications that are known only after the apply" : by;
  return `rate limit policy for ${isSecret ? hidden : clipped(callers, 100)}`;
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

const causeOf = (policy: StatedPolicy) => ({ ...objectOf(policy.object), words: policyWords(policy) });
