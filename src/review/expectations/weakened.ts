/** Reports expectations of the base branch that the change removes or weakens. */
import { weakenedExpectations } from "../../impact/expectation/weakened";
import type { Finding } from "../../impact/finding";
import type { Plan } from "../plan";
import type { ExpectationFile } from "./file";
import type { ReadExpectation } from "./read";
import { dynamicIn } from "./written";

/** `own`: the expectations of the plans. */
export function weakenedFindings(
  plans: readonly Plan[],
  own: readonly ReadExpectation[],
  files: readonly ExpectationFile[],
): Finding[] {
  const names = new Set(own.map(({ expectation }) => expectation.name));
  // A list may state more than the configuration.
  const demanded = ({ isConfiguration, read }: ExpectationFile) =>
    read.filter(({ expectation }) => isConfiguration || names.has(expectation.name));
  const base = files.flatMap(demanded);
  const lists = files.flatMap(({ isConfiguration, read }) => (isConfiguration ? [] : read));
  const head = [...own, ...lists.filter((one) => !base.includes(one))];
  const found = weakenedExpectations(base.map(expectationOf), head.map(expectationOf));
  const isDynamic = plans.some((plan) => dynamicIn(plan).length > 0);
  const note = isDynamic ? " The configuration has dynamic expectations, which plans leave out." : "";
  // Several provider blocks may have one expectation.
  return [...new Map(found.map((one) => [one.text, { ...one, text: one.text + note }])).values()];
}

const expectationOf = ({ expectation }: ReadExpectation) => expectation;
