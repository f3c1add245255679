/** The parts of a tenant that a review could not read. If there are any, the review proves nothing. */
import { type Code, effect, type Effect, type GapFacts } from "../../judge/impact/effect";
import { distinctBy } from "../../judge/impact/model";
import type { Assumption } from "../../judge/impact/words/assumption";
import { canonical } from "../../formats/cty/value";
import { isComplete, type PlanInput } from "../input/plan-input";
import { nameOf } from "../input/remote";
import type { ReviewInput } from "../input/review-input";

export type GapEffect = Effect & { readonly facts: GapFacts };

const order: readonly GapFacts["gap"][] = ["failed", "incomplete", "refused", "unplanned", "tenant"];

/** What is not read of the plans, before what may belong to another tenant. */
export function gapsOf({ plans, asked: { refused = [], uncertainty } = {} }: Pick<ReviewInput, "plans" | "asked">) {
  const found = [
    ...plans.flatMap(gapsIn),
    ...refused.map(({ family, reason }) => gapEffect({ gap: "refused", objects: nameOf(family), reason })),
    ...(uncertainty === undefined ? [] : [gapEffect({ gap: "tenant", doubt: uncertainty })]),
  ];
  const place = ({ facts }: GapEffect) => Math.max(1, order.indexOf(facts.gap));
  return found.toSorted((one, other) => place(one) - place(other));
}

type Without<Each> = Each extends GapFacts ? Omit<Each, "kind"> : never;

const codes: Readonly<Record<GapFacts["gap"], Code>> = {
  failed: "TNF-PLAN-FAILED",
  incomplete: "TNF-INCOMPLETE",
  refused: "TNF-INCOMPLETE",
  unplanned: "TNF-STACK-UNPLANNED",
  tenant: "TNF-TENANT-UNKNOWN",
};

function gapEffect(one: Without<GapFacts>, plan?: string): GapEffect {
  const facts = { kind: "gap", ...one } as GapFacts;
  return { ...effect(codes[one.gap], facts, plan === undefined ? {} : { plan }), facts };
}

function gapsIn(plan: PlanInput): GapEffect[] {
  const { name, errors, hasFailed, deferred, unplanned, uncertainties } = plan;
  const [error, ...others] = errors;
  const found: Without<GapFacts>[] = [
    ...unplanned.map((stack) => ({ gap: "unplanned" as const, stack })),
    ...uncertainties.map((doubt) => ({ gap: "tenant" as const, doubt })),
  ];
  if (!isComplete(plan))
    found.unshift(
      hasFailed ? { gap: "failed", ...(error && { error }), others: others.length } : { gap: "incomplete", deferred },
    );
  return found.map((one) => gapEffect(one, name));
}

/** Why the tenant may have other objects than those of the input. Undefined: the input shows everything. */
export function incompleteBy(gaps: readonly GapEffect[], hasDuplicates: boolean, plans: readonly PlanInput[]) {
  const found: Assumption[] = [
    ...gaps.map(({ facts: { gap } }) => ({ is: gap })),
    ...(hasDuplicates ? [{ is: "duplicates" } as const] : []),
    ...plans.flatMap(({ incomplete: part }) => (part === undefined ? [] : ({ is: "part of a stack", part } as const))),
  ];
  return found.length > 0 ? distinctBy(found, canonical) : undefined;
}
