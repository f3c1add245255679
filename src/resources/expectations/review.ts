/**
 * Reports the expectations that a plan breaks, or that cannot be decided before the apply.
 *
 * Each change of a plan asks about all objects of its kind, because Terraform calls a provider once for each object. So a change waits
 * until the plan has settled (`plan.gathered`), the newest change reports for all, and an error is shown at the object that is its cause.
 * Judgements are kept until the planned changes differ, because changes ask again while they wait.
 */
import type { States } from "../../impact/state";
import { judgeExpectations } from "../../impact/statement/judge";
import { ofExpectation } from "../../impact/refusals";
import {
  hasUnknown,
  type Expectation,
  type JudgedCause,
  type JudgedExpectation,
} from "../../impact/statement/statement";
import { attributePath } from "../../cty/path";
import { conditionOf } from "../conflicts";
import type { ReviewContext } from "../../sdk/resource";
import { detailOf, reactionTo, titleOfJudged } from "./words";

/** The objects of one kind that a plan changes, as expectations about them see the change. */
export interface Subject {
  /** Tells apart the groups of objects that are judged together. */
  readonly topic: string;
  /** The plan leaves the object as it is, so its review says only which expectations are broken already. */
  readonly isKept: boolean;
  /** The attribute that messages point to. */
  readonly attribute: string;
  concerns(expectation: Expectation): boolean;
  /** The changes that are planned so far. Equal parts mean equal states. */
  version(): readonly unknown[];
  /** The state before the plan, and after everything that is planned so far. */
  states(): States;
  /** Whether a written value that decides is known only after the apply. */
  isOpen(): boolean;
  /** Whether the cause is the object of this change. */
  isMine(cause: JudgedCause): boolean;
}

export type ReviewExpectations = (
  subject: Subject,
  context: Pick<ReviewContext<unknown>, "plan" | "report">,
) => Promise<void>;

export function createExpectationReview(expectations: readonly Expectation[]): ReviewExpectations {
  const problemsOf = createJudge(expectations);
  /** The reviews that wait until they may refuse the plan. */
  const waiting = new Map<string, Subject>();

  return async (subject, { plan, report }) => {
    const topic = subject.isKept ? `${subject.topic}, unchanged` : subject.topic;
    const among = (problems: Problems) => (subject.isKept ? problems.filter(isOld) : problems);
    const problems = among(problemsOf(subject));
    if (problems.length === 0) return;
    const holder = waiting.get(topic);
    // Terraform shows an error at the resource that reports it.
    if (holder && isCause(holder, problems) && !isCause(subject, problems)) return;
    waiting.set(topic, subject);
    const find = () => {
      const now = among(problemsOf(subject));
      return now.length > 0 ? now : undefined;
    };
    const { found, isComplete } = await plan.gathered(topic, find, (now) => now.some(isRefused));
    if (waiting.get(topic) === subject) waiting.delete(topic);
    if (found.length === 0) return;
    for (const one of among(problemsOf(subject))) {
      const isOpen = subject.isOpen() || hasUnknown(one.expectation.statement);
      const reaction = reactionTo(one, { isComplete, isOpen });
      const severity = reaction === "error" ? "error" : "warning";
      if (!plan.isFirst(`${severity} expectation ${one.expectation.name} ${one.verdict}`)) continue;
      const path = one.cause.some(subject.isMine) ? attributePath(subject.attribute) : [];
      const condition = severity === "error" ? conditionOf(plan) : "";
      report({ severity, code: titleOfJudged(one), detail: detailOf(one, reaction) + condition, path });
    }
  };
}

const isOld = ({ verdict, already }: JudgedExpectation) => verdict === "broken" && already === true;

const isCause = (subject: Subject, problems: Problems) => problems.some(({ cause }) => cause.some(subject.isMine));

const isRefused = (judged: JudgedExpectation) => ofExpectation(judged)?.refuses === true;

type Problems = readonly JudgedExpectation[];

/** The judgements of everything that is planned so far, without expectations that hold. */
function createJudge(expectations: readonly Expectation[]): (subject: Subject) => Problems {
  const judged = new Map<string, { readonly version: readonly unknown[]; readonly found: Problems }>();
  return (subject) => {
    const version = subject.version();
    const last = judged.get(subject.topic);
    if (last && areSame(last.version, version)) return last.found;
    const own = expectations.filter((one) => subject.concerns(one));
    const found = judgeExpectations(own, subject.states()).filter(({ verdict }) => verdict !== "held");
    judged.set(subject.topic, { version, found });
    return found;
  };
}

const areSame = (some: readonly unknown[], others: readonly unknown[]) =>
  some.length === others.length && some.every((one, index) => one === others[index]);
