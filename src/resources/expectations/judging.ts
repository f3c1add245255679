/** Judges expectations once until the planned changes differ, because many resources ask, and ask again while they wait. */
import type { Expectation } from "../../impact/expectation/expectation";
import { judgeExpectations } from "../../impact/expectation/judge";
import type { JudgedExpectation } from "../../impact/expectation/judged";
import type { Subject } from "./subject";

type Problems = readonly JudgedExpectation[];

export interface Judge {
  /** The judgements of everything that is planned so far, without expectations that hold. */
  problems(subject: Subject): Problems;
  /** Whether judging each change alone is still cheap. Otherwise a plan is judged when no change has come for a moment. */
  isCheap(subject: Subject): boolean;
}

/** The number of pairs of an expectation and an object after which a plan is judged less often. */
const mostPairs = 5_000;

export function createJudge(expectations: readonly Expectation[]): Judge {
  const judged = new Map<string, { readonly version: readonly unknown[]; readonly found: Problems }>();
  let pairs = 0;
  const pairsOf = (subject: Subject) => expectations.filter((one) => subject.concerns(one)).length * subject.size;

  function problems(subject: Subject): Problems {
    const version = subject.version();
    const last = judged.get(subject.topic);
    if (last && areSame(last.version, version)) return last.found;
    pairs += pairsOf(subject);
    const own = expectations.filter((one) => subject.concerns(one));
    const found = judgeExpectations(own, subject.states()).filter(({ verdict }) => verdict !== "held");
    judged.set(subject.topic, { version, found });
    return found;
  }

  return {
    problems,
    isCheap: (subject) => pairs + pairsOf(subject) <= mostPairs,
  };
}

const areSame = (some: readonly unknown[], others: readonly unknown[]) =>
  some.length === others.length && some.every((one, index) => one === others[index]);
