/** Finds what a change removes or weakens of the lock-out guard, because the same guard judges the change. */
import { canonical } from "../../../formats/cty/value";
import { effect, type Code, type Effect } from "../effect";
import type { UnshownFacts } from "./facts";
import { distinctBy } from "../value";
import { unknownFacts, type Guard } from "./protected-request";
import { weakenedExpectations } from "./weakened";

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

/** The guard of the base branch. */
export interface BaseGuard extends Guard {
  /** The file that it was read from. */
  readonly file: string;
}

export function guardFindings(plans: readonly PlanGuards[], base: readonly BaseGuard[] = []): Effect[] {
  const isDynamic = plans.some(({ dynamic = [] }) => dynamic.length > 0);
  const lost = base.flatMap((one) => lostOf(one, plans));
  const noted = lost.map((one) => ({
    ...one,
    facts: { ...one.facts, ...(isDynamic && { isDynamic: true as const }) },
  }));
  return [
    ...plans.flatMap((plan) => strengthFindings(plan, base)),
    ...distinctBy(noted, ({ facts }) => canonical(facts)),
    ...plans.flatMap(unknownFindings),
    // The base branch then lists the requests.
    ...(base.length === 0
      ? plans.flatMap((plan) => dynamicEffects("TNF-GUARD-UNKNOWN", "protected_request", plan.dynamic ?? [], plan.plan))
      : []),
  ];
}

/** The protections that every plan lacks in a provider configuration that manages network ACLs. */
function lostOf(base: BaseGuard, plans: readonly PlanGuards[]) {
  const acting = plans.map((plan) => plan.acting).filter((guards) => guards.length > 0);
  const judged = acting.length > 0 ? acting : [[joined(plans.flatMap(({ guards }) => guards))]];
  return base.requests.flatMap((request) => {
    const lost = judged.map((guards) => guards.flatMap((guard) => weakenedExpectations([request], guard.requests)));
    return lost.every(({ length }) => length > 0) ? lost[0]!.slice(0, 1) : [];
  });
}

/** One guard with the requests of all that are checked. */
export const joined = (guards: readonly Guard[]): Guard => ({
  requests: guards.flatMap(({ isIdle, requests }) => (isIdle ? [] : requests)),
});

/** A strength that is not known may be "off". */
const rankOf = ({ strength = "off" }: Pick<Guard, "strength">) => ["off", "warn", "error"].indexOf(strength);

/** Reports a guard that does not refuse, unless the guard of the base branch is as weak. Without a base branch, it may have stood for long. */
function strengthFindings(plan: PlanGuards, base: readonly BaseGuard[]): Effect[] {
  const { guards, changesAcls } = plan;
  if (base.length === 0 && !changesAcls) return [];
  const strongest = base.toSorted((one, other) => rankOf(other) - rankOf(one))[0];
  const required = strongest ?? { strength: "error" };
  const weak = guards.filter((one) => rankOf(one) < rankOf(required));
  return distinctBy(weak, ({ strength }) => String(strength)).map(({ strength }) =>
    effect(
      "TNF-GUARD-WEAKENED",
      { kind: "guard", is: strength ?? null, ...(strongest && { was: strongest.strength!, file: strongest.file }) },
      strongest ? plan : { ...plan, level: "info" },
    ),
  );
}

/** The review cannot check these requests. */
const unknownFindings = (plan: PlanGuards): Effect[] =>
  plan.guards.flatMap(({ requests }) =>
    requests.flatMap((request) => {
      const attributes = unknownFacts(request);
      return attributes.length === 0
        ? []
        : effect(
            "TNF-GUARD-UNKNOWN",
            { kind: "unshown", block: "protected_request", name: request.name, attributes },
            plan,
          );
    }),
  );

/** `keys`: the provider configurations that have dynamic blocks. */
export const dynamicEffects = (
  code: Code,
  block: UnshownFacts["block"],
  keys: readonly string[],
  plan: string | undefined,
): Effect[] =>
  keys.map((provider) => effect(code, { kind: "unshown", block, provider }, plan === undefined ? {} : { plan }));
