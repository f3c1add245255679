/** Judges the expectations of plans and files on the planned state of a tenant. */
import { messageOf } from "../../judge/codes/codes";
import { distinctBy, isReplaced } from "../../judge/impact/model";
import { expectationEffects, judgeReplacements } from "../../judge/impact/statement/effects";
import { judgeExpectations } from "../../judge/impact/statement/judge";
import { familyOf, type JudgedExpectation, undecided } from "../../judge/impact/statement/statement";
import { effect, type Effect } from "../../judge/impact/effect";
import type { Assumption } from "../../judge/impact/words/assumption";
import { canonical, isUnknown } from "../../formats/cty/value";
import type { PlanInput } from "../input/plan-input";
import { isJudge, judgeOf } from "./guard";
import { kinds } from "../../judge/kinds/kinds";
import type { ExpectationFile } from "../input/base-branch";
import type { ReadExpectation } from "../input/expectations";
import { type ShownByPlans, statesOf } from "../../judge/impact/state";
import { dynamicEffects, weakenedExpectations } from "../../judge/impact/statement/weakened";

export interface ReviewedExpectation extends JudgedExpectation {
  /** The file of `--expect` or `--base` that has it. Left out: the plan has it. */
  readonly file?: string;
  /** Whether the provider judges it on these changes. Left out: the plans do not show it. */
  readonly isEnforced?: boolean;
}

export interface ReviewedExpectations {
  readonly judged: readonly ReviewedExpectation[];
  readonly effects: readonly Effect[];
}

export function reviewExpectations(
  plans: readonly PlanInput[],
  files: readonly ExpectationFile[],
  known: ShownByPlans,
): ReviewedExpectations {
  const own = plans.flatMap(({ blocks }) => blocks.flatMap(({ expectations }) => expectations));
  const all = distinct([...own, ...files.flatMap(({ read }) => read)]);
  if (all.length === 0) return { judged: [], effects: plans.flatMap(unreadEffects) };
  const isEnforced = enforcementIn(plans);
  const refused = refusedIn(plans, own);
  const judged = judgeAll(all, known).map((one, index): ReviewedExpectation => {
    const is = isEnforced(all[index]!);
    const isRefused = one.verdict !== "broken" && refused.has(textOf(all[index]!));
    const found = isRefused ? { ...one, verdict: "broken" as const, reason: { kind: "printed" as const } } : one;
    return is === undefined ? found : { ...found, isEnforced: is };
  });
  const blind = judged.filter(({ reason }) => reason.kind === "incomplete");
  return {
    judged,
    effects: [
      // The error of the plan tells the others.
      ...expectationEffects(judged.filter((one) => !blind.includes(one) && one.reason.kind !== "printed")),
      ...(known.objects.some(isReplaced) ? replacementEffects(all, known, isEnforced) : []),
      ...(blind.length > 0 ? [blindEffect(blind)] : []),
      ...plans.flatMap(unreadEffects),
      ...weakenedEffects(plans, own, files),
    ],
  };
}

/** Of the expectations that the plans show as a whole. */
function replacementEffects(
  all: readonly ReadExpectation[],
  known: ShownByPlans,
  isEnforced: (read: ReadExpectation) => boolean | undefined,
): Effect[] {
  const shown = all.filter((one) => one.unknowns.length + one.assumptions.length === 0 && !one.mayHaveRequest);
  const { before } = statesOf(known);
  return expectationEffects(
    shown.flatMap((read) => {
      const is = isEnforced(read);
      const found = judgeReplacements([read.expectation], before, known.objects);
      return found.map((one) => (is === undefined ? one : { ...one, isEnforced: is }));
    }),
  );
}

const [beforeName, afterName] = messageOf("TNF-EXPECTATION-BROKEN").split("…") as [string, string];

/**
 * The expectations that errors of `terraform plan` name. Terraform passes on nothing but the text of an error, so the name is read out of
 * it. With two of one name, the error does not say which one.
 */
function refusedIn(plans: readonly PlanInput[], own: readonly ReadExpectation[]): ReadonlySet<string> {
  const named = plans.flatMap(({ errors }) =>
    errors.flatMap(({ code, summary }) =>
      code === "TNF-EXPECTATION-BROKEN" ? [summary.slice(beforeName.length, -afterName.length)] : [],
    ),
  );
  const texts = named.map((name) =>
    own.filter(({ expectation }) => JSON.stringify(expectation.name) === name).map(textOf),
  );
  return new Set(texts.filter((all) => new Set(all).size === 1).flat());
}

/** Whether the provider judges an expectation on the changes of the plans. */
function enforcementIn(plans: readonly PlanInput[]) {
  const judges = new Map(kinds.map((kind) => [kind.family, judgeOf(plans, kind)]));
  return ({ file, idle, key, assumptions, expectation }: ReadExpectation): boolean | undefined => {
    if (file !== undefined || idle !== undefined) return false;
    const { statement, severity } = expectation;
    if (isUnknown(severity) || assumptions.length > 0) return undefined;
    return isJudge(judges.get(familyOf[statement.kind]), key);
  };
}

/** Each statement once. An expectation gets the name of its file or plan too if another one has its name. */
function distinct(all: readonly ReadExpectation[]): ReadExpectation[] {
  const first = new Map<string, ReadExpectation>();
  for (const one of all) if (!first.has(textOf(one))) first.set(textOf(one), one);
  const names = new Set<string>();
  return [...first.values()].map((one) => {
    const { name, plan } = one.expectation;
    const origin = one.file ?? plan;
    const isTaken = names.has(name);
    names.add(name);
    if (!isTaken || origin === undefined) return one;
    return { ...one, expectation: { ...one.expectation, name: `${name} (${origin})` } };
  });
}

const textOf = ({ expectation: { name, severity, statement } }: ReadExpectation) =>
  canonical({ name, severity, statement });

function judgeAll(all: readonly ReadExpectation[], known: ShownByPlans): ReviewedExpectation[] {
  const states = statesOf(known);
  const judged = judgeExpectations(
    all.map(({ expectation }) => expectation),
    states,
  );
  return all.map((read, index) => {
    const one = amended(judged[index]!, read);
    return { ...one, ...(read.file !== undefined && { file: read.file }) };
  });
}

/** Counts what the plan does not show of the expectation. Nothing is held then. */
function amended(judged: ReviewedExpectation, read: ReadExpectation): ReviewedExpectation {
  const { verdict, reason } = judged;
  const { unknowns } = read;
  if (unknowns.length > 0) return { ...judged, ...undecided({ kind: "unshown", parts: unknowns }) };
  const isOpen = read.mayHaveRequest === true && verdict === "broken";
  const that: Assumption[] = [...read.assumptions, ...(isOpen ? [{ is: "no dynamic request" } as const] : [])];
  if (that.length === 0 || verdict === "undecided") return judged;
  return {
    ...judged,
    verdict: verdict === "held" ? "undecided" : verdict,
    reason: { kind: "assumed", of: reason, that, beside: judged.assumptions },
    assumptions: [...judged.assumptions, ...that],
  };
}

/** One effect for all, because one remedy helps all of them. */
const blindEffect = (blind: readonly ReviewedExpectation[]): Effect =>
  effect("TNF-EXPECTATION-UNDECIDED", {
    kind: "blind",
    names: blind.map((one) => one.expectation.name),
    because: distinctBy(
      blind.flatMap(({ reason }) => (reason.kind === "incomplete" ? reason.because : [])),
      canonical,
    ),
  });

/** Plans leave out these expectations. */
const dynamicIn = ({ blocks }: PlanInput) =>
  blocks.filter(({ dynamic }) => dynamic.includes("expectation")).map(({ key }) => key);

function unreadEffects(plan: PlanInput): Effect[] {
  const keys = dynamicIn(plan);
  return keys.length === 0 ? [] : dynamicEffects("TNF-EXPECTATION-UNDECIDED", "expectation", keys, plan.name);
}

/** `own`: the expectations of the plans. */
function weakenedEffects(
  plans: readonly PlanInput[],
  own: readonly ReadExpectation[],
  files: readonly ExpectationFile[],
): Effect[] {
  if (plans.every(({ source }) => source === "state")) return [];
  const readOf = (isBase: boolean) => files.flatMap((file) => (file.isBase === isBase ? file.read : []));
  const base = readOf(true).filter(({ idle }) => idle === undefined);
  const head = [...own.filter(({ idle }) => idle === undefined), ...readOf(false)];
  const found = weakenedExpectations(base.map(expectationOf), head.map(expectationOf));
  const isDynamic = plans.some((plan) => dynamicIn(plan).length > 0);
  const idle = [...new Set(own.flatMap((one) => one.idle ?? []))];
  const beside = { ...(isDynamic && { isDynamic: true as const }), ...(idle.length > 0 && { idle }) };
  // Several provider blocks may have one expectation.
  const noted = found.map((one) => ({ ...one, facts: { ...one.facts, ...beside } }));
  return [...new Map(noted.map((one) => [canonical(one.facts), one])).values()];
}

const expectationOf = ({ expectation }: ReadExpectation) => expectation;
