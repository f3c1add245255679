/** The parts of a tenant that a review could not read. If there are any, the review proves nothing. */
import { effect, type Code, type Effect } from "../../judge/impact/effect";
import type { GapFacts } from "../../judge/impact/facts";
import { andWords } from "../../formats/text/lists";
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

const clauses: Readonly<Record<GapFacts["gap"], string>> = {
  failed: "planning ended with an error, which `terraform plan` shows",
  incomplete: "the plan is incomplete",
  refused: "the tenant refuses to list some of its objects",
  unplanned: "a stack has no plan",
  tenant: "the tenant is not known for certain",
};

/** Why the tenant may have other objects than those of the input, as a clause. Undefined: the input shows everything. */
export function incompleteBy(gaps: readonly GapEffect[], hasDuplicates: boolean, plans: readonly PlanInput[]) {
  const found = new Set([
    ...gaps.map(({ facts: { gap } }) => clauses[gap]),
    ...(hasDuplicates ? ["two resources manage the same object"] : []),
    ...plans.flatMap(({ incomplete }) => incomplete ?? []),
  ]);
  return found.size > 0 ? andWords(found) : undefined;
}
