/** Two versions of the lists, and what is needed to reason about both. */
import type { Acl } from "./decide";
import { questionsOf, readingsOf, type Readings } from "./uncertainty";
import type { Question, Reading } from "./assumptions";
import { layout, type Layout } from "./region";
import { createSpace, type Space } from "./space";

export interface Comparison<A extends Acl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
  readonly questions: readonly Question[];
  readonly readings: Readings;
  readonly space: Space;
  layouts(reading: Reading): Layouts<A>;
}

export interface Layouts<A extends Acl> {
  readonly before: Layout<A>;
  readonly after: Layout<A>;
}

export function createComparison<A extends Acl>(before: readonly A[], after: readonly A[]): Comparison<A> {
  const questions = questionsOf([before, after]);
  const readings = readingsOf(questions);
  const active = [...before, ...after].filter((acl) => acl.active);
  const space = createSpace(active, readings.all);
  const known = new Map<Reading, Layouts<A>>();
  const layouts = (reading: Reading) => {
    const made = known.get(reading) ?? {
      before: layout(before, reading, space),
      after: layout(after, reading, space),
    };
    known.set(reading, made);
    return made;
  };
  return { before, after, questions, readings, space, layouts };
}
