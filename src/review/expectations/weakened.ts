/** Reports expectations of the base branch that the change removes or weakens. */
import { clipped } from "../../impact/clipped";
import type { Expectation } from "../../impact/expectation/expectation";
import { finding, type Finding } from "../../impact/finding";
import { comparable } from "../../impact/value";
import type { Plan } from "../plan";
import type { ExpectationFile } from "./file";
import type { ReadExpectation } from "./read";
import { dynamicIn } from "./written";

export function weakenedFindings(
  plans: readonly Plan[],
  own: readonly ReadExpectation[],
  files: readonly ExpectationFile[],
): Finding[] {
  const isDynamic = plans.some((plan) => dynamicIn(plan).length > 0);
  // Expectations that are only in lists are no part of the configuration, so the plan need not have them.
  const base = files.filter(({ isConfiguration }) => isConfiguration || own.length > 0 || isDynamic);
  const lists = files.filter(({ isConfiguration }) => !isConfiguration).filter((file) => !base.includes(file));
  const now = [...own, ...lists.flatMap(({ read }) => read)].map(({ expectation }) => expectation);
  const lost = base.flatMap(({ file, read }) =>
    read
      .filter(({ expectation }) => isWeaker(expectation, now))
      .map(({ expectation }) => wordsOf(expectation, file, now)),
  );
  return [...new Set(lost)].map((text) => finding("TF-EXPECTATION-WEAKENED", text));
}

function wordsOf({ name }: Expectation, file: string, now: readonly Expectation[]): string {
  const shown = `"${clipped(name, 100)}"`;
  const rest = `The expectation of ${file} is judged too.`;
  return now.some((one) => one.name === name)
    ? `The expectation ${shown} of the plan is weaker than that of ${file}. ${rest}`
    : `The plan has no expectation that is as strong as ${shown} of ${file}: the configuration does not have it, or has it in a ` +
        `dynamic block, which plans leave out. ${rest}`;
}

function isWeaker(base: Expectation, now: readonly Expectation[]): boolean {
  const text = ({ statement, severity, always }: Expectation) => comparable({ statement, severity, always });
  return !now.some((one) => text(one) === text(base));
}
