/** The parts of a tenant that a review could not read, of which any makes the review incomplete, and the changes that it cannot judge. */
import { type Code, effect, type Effect, type GapFacts } from "../../judge/impact/effect";
import type { UnreviewedFacts } from "../../judge/impact/auth0/facts";
import { objectChange } from "../../judge/impact/auth0/match";
import { acts, block, distinctBy, type PlannedObject, withoutBlanks } from "../../judge/impact/model";
import { kindOf } from "../../judge/kinds/kinds";
import type { Assumption } from "../../judge/impact/words/assumption";
import { canonical, isUnknown } from "../../formats/cty/value";
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

/** The changes that this version cannot judge. Those of the provider auth0/auth0 that no row knows are in `impact/auth0`. */
export const unreadEffects = (plans: readonly PlanInput[]): Effect[] =>
  plans.flatMap(({ name, all, objects, invoked }) => {
    const found = [...invoked.map((one) => ({ change: "run" as const, ...one })), ...unknownTypes(all)];
    return distinctBy([...found, ...objects.flatMap(unreadParts)], canonical).map((one) => unreadEffect(one, name));
  });

interface Unread extends Omit<UnreviewedFacts, "kind"> {
  readonly type: string;
}

/** Whatever runs may change anything. */
const mediumChanges: ReadonlySet<Unread["change"]> = new Set(["run", "destroy", "replace"]);

const unreadEffect = ({ address, change, paths, type }: Unread, plan: string | undefined): Effect =>
  effect(
    "TNF-NOT-REVIEWED",
    { kind: "unreviewed", address, change, paths },
    {
      level: mediumChanges.has(change) ? "medium" : "info",
      certainty: "undecided",
      address,
      type,
      ...(plan !== undefined && { plan }),
    },
  );

const unknownTypes = (all: readonly PlannedObject[]): Unread[] =>
  all
    .filter((one) => one.type.startsWith("tenant_") && acts(one) && !kindOf(one.type))
    .map((one) => ({ address: one.address, type: one.type, change: objectChange(one) ?? "update", paths: [] }));

const knownActions: ReadonlySet<string> = new Set(["no-op", "create", "read", "update", "delete", "forget"]);

function unreadParts({ address, type, actions, before, after }: PlannedObject): Unread[] {
  const isStrange = actions.length === 0 || actions.some((action) => !knownActions.has(action));
  const kind = kindOf(type);
  const read = new Set(kind?.attributes ?? []);
  const names = Object.keys(before && after ? after : {}).filter((name) => !read.has(name));
  const paths = [
    ...names.filter((name) => actions.includes("update") && isOther(before?.[name], after?.[name])),
    ...Object.entries(kind?.blocks ?? {}).flatMap(([name, known]) => partsOfBlock(name, known, before, after)),
  ];
  return isStrange || paths.length > 0 ? [{ address, type, change: isStrange ? "unknown" : "update", paths }] : [];
}

/** The service computes a value that is known only after the apply. */
const isOther = (old: unknown, now: unknown) =>
  !isUnknown(now) && JSON.stringify(withoutBlanks(old)) !== JSON.stringify(withoutBlanks(now));

/** The changed parts of a block that this version does not know. */
function partsOfBlock(name: string, known: readonly string[], ...sides: readonly PlannedObject["before"][]): string[] {
  const [old = {}, now = {}] = sides.map((side) => {
    const found = block(side?.[name]);
    return typeof found === "object" ? found : {};
  });
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((part) => !known.includes(part));
  return names
    .filter((part) => JSON.stringify(withoutBlanks(old[part])) !== JSON.stringify(withoutBlanks(now[part])))
    .map((part) => `${name}.${part}`);
}
