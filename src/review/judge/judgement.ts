/** Judges everything that the plans of one tenant change, and collects the effects. */
import { isFinding } from "../../judge/codes/codes";
import { effect, type Effect, inOrder, isOnPeople, type Level } from "../../judge/impact/effect";
import { guardFindings } from "../../judge/impact/statement/weakened";
import { driftEffects } from "../../judge/impact/objects/actions";
import { duplicatesIn } from "../../judge/impact/objects/duplicates";
import { analysePlan, judgePlan } from "../../judge/impact/plan";
import { judgeAuth0 } from "../../judge/impact/auth0/judge";
import { beforeMembers } from "../../judge/impact/auth0/others";
import type { Row } from "../../judge/impact/auth0/row";
import { tableWith } from "../../judge/impact/auth0/table";
import { acts, type PlannedObject } from "../../judge/impact/model";
import { brief } from "../../judge/impact/words/words";
import { oneLine } from "../../formats/text/printable";
import type { PlanInput } from "../input/plan-input";
import { kindOf } from "../../judge/kinds/kinds";
import { rateLimitPolicy } from "../../judge/kinds/rate-limit-policy";
import type { BaseGuard, ExpectationFile } from "../input/base-branch";
import { knownIn } from "../input/names";
import type { ReviewInput } from "../input/review-input";
import type { TrafficReport } from "../traffic/replay";
import { reviewExpectations } from "./expectations";
import { gapsOf, incompleteBy, unreadEffects } from "./gaps";
import { builtInOf, ownClientOf, ownHosts, planGuards, terraformOf } from "./guard";

/** Rows of the person, beside the table of other Auth0 resources. */
export interface OwnRules {
  readonly rows: readonly Row[];
  /** Rows of this folder that differ from those of the base branch. */
  readonly changes: readonly Effect[];
}

export interface ReviewOptions {
  /** Code -> why it is not counted. */
  readonly ignored?: ReadonlyMap<string, string>;
  /** The guards of the base branch. */
  readonly protect?: readonly BaseGuard[];
  /** Expectations of files, in addition to those of the plans. */
  readonly expect?: readonly ExpectationFile[];
  /** The replay of the tenant's log against the plans. */
  readonly traffic?: TrafficReport | undefined;
  readonly rules?: OwnRules;
}

export type Judgement = ReturnType<typeof judgeInput>;

/** What no plan has is not judged: ACLs, limits, provider blocks, statements. */
export function judgeInput(input: ReviewInput, { protect = [], expect = [] }: ReviewOptions) {
  const { plans, objects, remote, versions } = input;
  const duplicates = objects.length > 1 ? duplicatesIn(objects) : new Map();
  const gaps = gapsOf(input);
  const isUncertain = gaps.length + duplicates.size > 0;
  const acls = [...versions.before, ...versions.after];
  const isStated = protect.length + expect.length > 0 || plans.some(({ blocks }) => blocks.length > 0);
  const guards = isStated || acls.length > 0 ? plans.map(planGuards) : [];
  const hosts = acls.length > 0 ? ownHosts(plans, acls) : new Set<string>();
  const reading = { versions, hosts, isDoubtful: isUncertain, duplicates };
  const analysed = analysePlan({ objects, remote }, reading);
  const incomplete = incompleteBy(gaps, duplicates.size > 0, plans);
  return {
    ...analysed,
    guards,
    gaps,
    isUncertain,
    isStated,
    expectations: isStated
      ? reviewExpectations(plans, expect, { versions, objects, remote, incomplete, plans })
      : { judged: [], effects: [] },
  };
}

/** The worst first. */
export function effectsOf(input: ReviewInput, judged: Judgement, options: ReviewOptions): Effect[] {
  const { plans } = input;
  const { guards, expectations, versions } = judged;
  const isLimiting = judged.objects.some(({ type }) => kindOf(type) === rateLimitPolicy);
  const { ignored = new Map<string, string>(), protect = [], rules } = options;
  const planned = judgePlan(judged, {
    log: options.traffic?.replay.log,
    ...((isLimiting || versions.before.length + versions.after.length > 0) && {
      statements: {
        builtIn: builtInOf(plans, protect),
        terraform: { ...terraformOf(plans), ...(isLimiting && { client: ownClientOf(plans) }) },
      },
    }),
    // Every provider block hides the warning.
    meansEarlyAccess: (called) =>
      plans.every(
        ({ name, blocks }) =>
          name !== called || (blocks.length > 0 && blocks.every(({ hidesEarlyAccess }) => hidesEarlyAccess)),
      ),
  });
  const found = [
    ...expectations.effects,
    ...(judged.isStated ? guardFindings(guards, protect) : []),
    ...auth0Effects(input, rules?.rows, planned),
    ...planned,
    ...unreadEffects(plans),
    ...(rules?.changes ?? []),
    ...plans.flatMap(({ all, drift }) =>
      drift.length === 0 ? [] : driftEffects(drift.filter(newsIn(input, rules?.rows)), all),
    ),
    ...judged.gaps,
  ];
  const all = [...found, ...printedEffects(plans, found)];
  return inOrder(ignored.size === 0 ? all : all.map((one) => withReason(one, ignored)));
}

/** A refresh adds attributes to other Auth0 objects. It is news if the object is gone, or if a row says what the change does to people. */
function newsIn({ plans, remote }: ReviewInput, rows: readonly Row[] = []): (drift: PlannedObject) => boolean {
  const isSilent = ({ type, after }: PlannedObject) => after !== undefined && kindOf(type) === undefined;
  if (!plans.some(({ drift }) => drift.some(isSilent))) return () => true;
  const [table, known] = [tableWith(rows), knownIn(plans, remote)];
  const matters = (one: Effect) => isOnPeople(one) && one.level !== "info";
  return (drift) => !isSilent(drift) || judgeAuth0([drift], table, known).some(matters);
}

/** The effects of the objects of the provider auth0/auth0 that no kind has. `rows`: those of the person. `others`: the other effects. */
function auth0Effects(
  { plans, remote }: ReviewInput,
  rows: readonly Row[] | undefined,
  others: readonly Effect[],
): Effect[] {
  const objects = plans.flatMap(({ all, deferred }) =>
    [...all, ...deferred].filter(({ type }) => type.startsWith("auth0_") && !kindOf(type)),
  );
  return !objects.some((one) => acts(one) || one.actions.includes("forget"))
    ? []
    : beforeMembers(judgeAuth0(objects, tableWith(rows ?? []), knownIn(plans, remote)), others, objects);
}

const signs: Readonly<Record<string, Level>> = { "✖": "high", "●": "medium", "○": "info" };

/** What the provider printed about a plan that failed, which lacks what it refused. */
function printedEffects(plans: readonly PlanInput[], known: readonly Effect[]): Effect[] {
  return [...new Set(plans.flatMap(({ printed }) => printed))].flatMap((line) => {
    const [, sign = "", text = "", code = ""] = /^(.) (.*) \[(TNF-[A-Z-]+)\]$/.exec(line) ?? [];
    if (!isFinding(code) || known.some((one) => one.code === code && text.startsWith(oneLine(brief(one))))) return [];
    return effect(code, { kind: "printed", text }, { level: signs[sign]! });
  });
}

function withReason(one: Effect, ignored: ReadonlyMap<string, string>): Effect {
  const reason = ignored.get(one.code);
  return reason === undefined ? one : { ...one, ignored: reason };
}
