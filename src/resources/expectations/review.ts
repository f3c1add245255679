/** Reports the expectations that a plan breaks, or that cannot be decided before the apply. */
import type { Expectation } from "../../impact/expectation/expectation";
import type { JudgedExpectation } from "../../impact/expectation/judged";
import { hasUnknown } from "../../impact/expectation/known";
import { attributePath } from "../../cty/path";
import { conditionOf } from "../conflicts";
import type { ReviewContext } from "../../sdk/resource";
import type { Judge } from "./judging";
import type { Subject } from "./subject";
import { detailOf, reactionTo, titleOfJudged } from "./words";

type Context = Pick<ReviewContext<unknown>, "plan" | "report">;

export type ReviewExpectations = (subject: Subject, context: Context) => Promise<void>;

export function createExpectationReview(expectations: readonly Expectation[]): ReviewExpectations {
  // Loaded with the first review, because most configurations have no expectation.
  let judging: Promise<Judge> | undefined;
  const loaded = () => (judging ??= import("./judging.js").then(({ createJudge }) => createJudge(expectations)));
  /** The reviews that wait until they may refuse the plan. */
  const waiting = new Map<string, Subject>();

  return async (subject, { plan, report }) => {
    const judge = await loaded();
    const topic = subject.isKept ? `${subject.topic}, unchanged` : subject.topic;
    const among = (problems: readonly JudgedExpectation[]) => (subject.isKept ? problems.filter(isOld) : problems);
    if (!judge.isCheap(subject)) {
      const { found } = await plan.gathered(`${topic}, later`, () => true);
      // A newer review checks this change too.
      if (found.length === 0) return;
    }
    const problems = among(judge.problems(subject));
    if (problems.length === 0) return;
    const holder = waiting.get(topic);
    // Terraform shows an error at the resource that reports it.
    if (holder && isCause(holder, problems) && !isCause(subject, problems)) return;
    waiting.set(topic, subject);
    const find = () => {
      const now = among(judge.problemsOnceCalm(subject));
      return now.length > 0 ? now : undefined;
    };
    const { found, isComplete } = await plan.gathered(topic, find, (now) => now.some(isRefused));
    if (waiting.get(topic) === subject) waiting.delete(topic);
    if (found.length === 0) return;
    for (const one of among(judge.problems(subject))) {
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

const isCause = (subject: Subject, problems: readonly JudgedExpectation[]) =>
  problems.some(({ cause }) => cause.some(subject.isMine));

const isRefused = (judged: JudgedExpectation) => reactionTo(judged, { isComplete: true, isOpen: false }) === "error";
