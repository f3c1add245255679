/** Judges statements about rate limits. */
import { hasUnknown } from "../../../formats/cty/value";
import { clipped, hidden } from "../../../formats/text/lists";
import { effective, pending, policyFrom, rateOf, ratesOf, type Policy } from "../rate-limit-policy/policy";
import type { TenantObject, TenantState } from "../state";
import { policyName, type Assumption } from "../words/assumption";
import type { PolicySummary } from "./reason";
import { held, objectOf, measured, undecided, type Measured, type PolicyStatement } from "./statement";
import { isMarked } from "../model";

/** A policy that may apply to callers. */
type StatedPolicy = Policy & { readonly object: TenantObject };

/** Callers with the policies of which one applies. Without a policy: nothing limits them. */
interface Callers {
  readonly words: string;
  readonly candidates: readonly (StatedPolicy | undefined)[];
}

type Test = "within" | "outside" | "not known";

/** `other`: the state on the other side of the change. What it limits is judged too, by the policy that applies in this state. */
export function judgePolicies(statement: PolicyStatement, { policies }: TenantState, other?: TenantState): Measured {
  if (hasUnknown(statement)) return measured(undecided({ kind: "value" }));
  if (!policies) return measured(undecided({ kind: "unread", what: "rate limit policies" }));
  const bounds = boundsOf(statement);
  const own = policies.flatMap((object) => policyOf(object, bounds.consumer));
  const others = other?.policies?.flatMap((object) => policyOf(object, bounds.consumer)) ?? [];
  const tests = callersOf(own, bounds.selector, others).map((callers) => ({ callers, test: testOf(callers, bounds) }));
  const broken = tests.filter(({ test }) => test === "outside");
  const named = broken.length > 0 ? broken : tests.filter(({ test }) => test === "not known");
  const [first] = named;
  if (!first) {
    const uncovered = uncoveredBy(own, bounds);
    return measured({ ...held, reason: { kind: "held", ...(uncovered.length > 0 && { uncovered }) } });
  }
  const guilty = named.flatMap(({ callers }) =>
    callers.candidates.filter((policy) => testOne(policy, bounds) !== "within"),
  );
  const [example] = first.callers.candidates.filter((policy) => testOne(policy, bounds) !== "within");
  const { at_most: most, at_least: least } = bounds;
  return {
    verdict: broken.length > 0 ? "broken" : "undecided",
    reason: {
      kind: "limit",
      callers: clipped(first.callers.words, 100),
      ...(example && { policy: summaryOf(example) }),
      ...(least > 0 && { at_least: least }),
      ...(most < Infinity && { at_most: most }),
    },
    cause: [...new Set(guilty)].flatMap((policy) => (policy ? causeOf(policy) : [])),
    assumptions: broken.length > 0 ? [] : [whyOpen(first.callers)],
    offences: new Map(
      tests.flatMap(({ callers, test }) => (test === "within" ? [] : [[callers.words, distanceOf(callers, bounds)]])),
    ),
    bare: new Set(tests.flatMap(({ callers: { words, candidates } }) => (candidates.some(Boolean) ? [] : words))),
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

function callersOf(
  policies: readonly StatedPolicy[],
  selector: string | undefined,
  others: readonly StatedPolicy[],
): Callers[] {
  if (selector !== undefined) {
    const candidates = effective(policies, selector);
    const isOwn = candidates.some((policy) => policy?.by === selector);
    // Without a policy of its own, the group has whatever limit each of its applications has.
    const members = isOwn ? [] : policies.filter(({ by }) => mayBeIn(selector, by));
    const all = members.length > 0 ? [candidates, [...candidates, ...members]] : [candidates];
    return all.map((some) => ({ words: selector, candidates: some }));
  }
  const named = (all: readonly Policy[]) =>
    new Set(all.flatMap(({ by, hasUnknownCallers }) => (hasUnknownCallers || by === "default" ? [] : by)));
  const known = named(policies);
  // Those that lose or get a policy of their own come first, because the change is about them.
  return [
    ...[...[...named(others)].filter((name) => !known.has(name)), ...known].map((name) => ({
      words: name,
      candidates: effective(policies, name),
    })),
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

/** How far the limits are from the bounds at most. */
function distanceOf({ candidates }: Callers, { at_most, at_least }: Bounds): number {
  const distances = candidates.map((policy) => {
    const [least, most] = ratesOf(policy);
    const above = at_most === Infinity ? 0 : most - at_most;
    return Math.max(above, at_least - least);
  });
  return Math.max(...distances);
}

/** A group shares one limit, and the default is for each application on its own. */
const shares: ReadonlyMap<string, PolicySummary["shared"]> = new Map([
  ["third_party_clients", "together"],
  ["cimd_clients", "together"],
  ["default", "to each application"],
]);

function summaryOf(policy: StatedPolicy): PolicySummary {
  const { action, by, hasUnknownCallers, object } = policy;
  const [least, most] = ratesOf(policy);
  const isHidden = isMarked(object.sensitive, "consumer_selector");
  const shared = Number.isFinite(rateOf(policy)) && !isHidden ? shares.get(by) : undefined;
  return {
    ...(isHidden ? { callers: hidden } : !hasUnknownCallers && { callers: clipped(by, 100) }),
    action: action === "allow" || action === "log" ? action : "limit",
    ...(least !== most && { unknown: most === Infinity ? "action" : "limit" }),
    ...(least < Infinity && { rate: isMarked(object.sensitive, "configuration") ? hidden : least }),
    ...(shared !== undefined && { shared }),
  };
}

/** Whether a policy is that of one application, which may be in the group. Plans show no groups. */
const mayBeIn = (group: string, selector: string) =>
  shares.get(group) === "together" &&
  selector.startsWith("client_id:") &&
  selector.startsWith("client_id:https:") === (group === "cimd_clients");

/** The policies of applications that a group or the default leaves out, and that do not keep its bounds. */
function uncoveredBy(policies: readonly StatedPolicy[], bounds: Bounds): PolicySummary[] {
  const { selector } = bounds;
  if (selector === undefined || !shares.has(selector)) return [];
  const isLeftOut = ({ by: other, hasUnknownCallers }: Policy) => {
    if (hasUnknownCallers || other === selector) return hasUnknownCallers;
    return selector === "default" || mayBeIn(selector, other);
  };
  return policies.filter((policy) => isLeftOut(policy) && testOne(policy, bounds) !== "within").map(summaryOf);
}

function whyOpen({ candidates, words }: Callers): Assumption {
  if (candidates.length === 1) return { is: "open limit" };
  const policies = candidates.map((policy) => (policy ? summaryOf(policy) : null));
  return { is: "one of", callers: clipped(words, 100), policies };
}

const causeOf = (policy: StatedPolicy) => ({ ...objectOf(policy.object), words: policyName(summaryOf(policy)) });
