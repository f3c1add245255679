/**
 * Finds what a change removes or weakens of the statements of the base branch, because the same statements judge the change: expectations,
 * protected requests, and `lockout_guard`, the severity of what is built in. An equal statement may have another name.
 */
import { effect, type Code, type Effect } from "../effect";
import { hidden } from "../../../formats/text/lists";
import { canonical, isUnknown } from "../../../formats/cty/value";
import { distinctBy } from "../model";
import { isOne, requestsOf, strengthOf, unknownFacts, type Guard } from "./built-in";
import type { UnshownFacts, WeakenedFacts } from "./facts";
import type { BuiltIn, Expectation } from "./statement";

type Weakened = Effect & { readonly facts: WeakenedFacts };
type Stated = Expectation | BuiltIn;

/** `head`: the expectations of the change. */
export function weakenedExpectations(base: readonly Stated[], head: readonly Stated[]): Weakened[] {
  return base.flatMap((expectation) => {
    const meaning = canonical(expectation.statement, "unordered");
    if (head.some((other) => isStrict(other, expectation) && canonical(other.statement, "unordered") === meaning))
      return [];
    const now = head.find(({ name }) => name === expectation.name);
    const isSecret = expectation.isSecret || now?.isSecret;
    const [was, is] = [expectation, now].map((one) => one && (isSecret ? hidden : wordsOf(one)));
    const isRequest = isOne(expectation);
    const facts: WeakenedFacts = {
      kind: "weakened",
      ...(isRequest && { of: "protected request" }),
      name: expectation.name,
      was: was!,
      ...(is !== undefined && { is }),
      ...(now && !isStrict(now, expectation) && { isWarning: true }),
    };
    return [{ ...effect(isRequest ? "TNF-GUARD-WEAKENED" : "TNF-EXPECTATION-WEAKENED", facts, expectation), facts }];
  });
}

/** A severity that is not known may be "off". */
const rankOf = ({ severity }: Pick<Stated, "severity">) =>
  isUnknown(severity) ? 0 : ["off", "warning", "error"].indexOf(severity);

/** The severity of protected requests is that of the whole guard. */
const isStrict = (other: Stated, base: Stated) => isOne(base) || rankOf(other) >= rankOf(base);

/** As a file has it: `blocked {"countries":["KP"]}`. */
function wordsOf({ statement }: Stated): string {
  if (statement.kind !== "requests") {
    const { kind, ...rest } = statement;
    return `${kind} ${json(rest)}`;
  }
  const { outcomes, requests, except } = statement;
  const outcome = [outcomes]
    .flat()
    .map((one) => (isUnknown(one) ? json(one) : one))
    .join(" or ");
  return [outcome, setWords(requests), ...(isEmpty(except) ? [] : ["except", setWords(except)])].join(" ");
}

const isEmpty = (sets: unknown) => Array.isArray(sets) && sets.length === 0;

function setWords(sets: unknown): string {
  const whole: unknown = Array.isArray(sets) && sets.length === 1 ? sets[0] : sets;
  return isEmpty(sets) || json(whole) === "{}" ? "all requests" : json(whole);
}

const json = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (isUnknown(part) ? "(known after apply)" : part));

/** The guards in the provider configurations of one plan. */
export interface PlanGuards {
  /** The name of the plan, if there are several plans. */
  readonly plan?: string;
  readonly guards: readonly Guard[];
  /** The guards of the configurations that manage network ACLs: the provider asks no other guard about these ACLs. */
  readonly acting: readonly Guard[];
  /** Provider configurations with a dynamic `protected_request` block, which plans leave out. */
  readonly dynamic?: readonly string[];
  readonly changesAcls: boolean;
}

/** `base`: the guards of the base branch. */
export function guardFindings(plans: readonly PlanGuards[], base: readonly Guard[] = []): Effect[] {
  const isDynamic = plans.some(({ dynamic = [] }) => dynamic.length > 0);
  const noted = lostRequests(base, plans).map((one) => ({
    ...one,
    facts: { ...one.facts, ...(isDynamic && { isDynamic: true as const }) },
  }));
  return [
    ...plans.flatMap((plan) => severityFindings(plan, base)),
    ...distinctBy(noted, ({ facts }) => canonical(facts)),
    ...plans.flatMap(unknownFindings),
    // The base branch then lists the requests.
    ...(base.length === 0
      ? plans.flatMap((plan) => dynamicEffects("TNF-GUARD-UNKNOWN", "protected_request", plan.dynamic ?? [], plan.plan))
      : []),
  ];
}

/** The protected requests that every plan lacks in a provider configuration that manages network ACLs. */
function lostRequests(base: readonly Guard[], plans: readonly PlanGuards[]): Weakened[] {
  const acting = plans.map((plan) => plan.acting).filter((guards) => guards.length > 0);
  const judged = acting.length > 0 ? acting : [[joined(plans.flatMap(({ guards }) => guards))]];
  return base.flatMap(requestsOf).flatMap((request) => {
    const lost = judged.map((guards) => guards.flatMap((one) => weakenedExpectations([request], requestsOf(one))));
    return lost.every(({ length }) => length > 0) ? lost[0]!.slice(0, 1) : [];
  });
}

/** One guard with the statements of all that are checked. */
export const joined = (guards: readonly Guard[]): Guard => ({
  builtIn: guards.flatMap(({ isIdle, builtIn }) => (isIdle ? [] : builtIn)),
});

const terraformIn = ({ builtIn }: Guard) => builtIn.filter(({ statement }) => statement.kind === "terraform");

/** Reports a guard that does not refuse, unless that of the base branch is as weak. Without a base branch, it may have stood for long. */
function severityFindings(plan: PlanGuards, base: readonly Guard[]): Effect[] {
  const { guards, changesAcls } = plan;
  if (base.length === 0 && !changesAcls) return [];
  const strongest = base.flatMap(terraformIn).toSorted((one, other) => rankOf(other) - rankOf(one))[0];
  const weak = guards.flatMap(terraformIn).filter((one) => rankOf(one) < rankOf(strongest ?? { severity: "error" }));
  return distinctBy(weak, ({ severity }) => String(severity)).map((one) =>
    effect(
      "TNF-GUARD-WEAKENED",
      { kind: "guard", is: strengthOf(one) ?? null, ...(strongest && { was: strengthOf(strongest)! }) },
      strongest ? plan : { ...plan, level: "info" },
    ),
  );
}

/** The review cannot check these requests. */
const unknownFindings = (plan: PlanGuards): Effect[] =>
  plan.guards.flatMap(requestsOf).flatMap((request) => {
    const attributes = unknownFacts(request);
    return attributes.length === 0
      ? []
      : effect(
          "TNF-GUARD-UNKNOWN",
          { kind: "unshown", block: "protected_request", name: request.name, attributes },
          plan,
        );
  });

/** `keys`: the provider configurations that have dynamic blocks. */
export const dynamicEffects = (
  code: Code,
  block: UnshownFacts["block"],
  keys: readonly string[],
  plan: string | undefined,
): Effect[] =>
  keys.map((provider) => effect(code, { kind: "unshown", block, provider }, plan === undefined ? {} : { plan }));
