/** Reports judged expectations as findings. */
import { clipped } from "../clipped";
import { finding, type Finding } from "../finding";
import type { JudgedExpectation } from "./judged";

/** One finding for each expectation that does not hold. */
export function expectationFindings(judged: readonly JudgedExpectation[]): Finding[] {
  return judged.flatMap((one) => {
    const { expectation, verdict, text, already } = one;
    if (verdict === "held") return [];
    const { name, severity } = expectation;
    const is = verdict === "broken" ? "is broken" : "is not decided";
    const was = already ? " It was so before this change." : "";
    const words = `Expectation "${clipped(name, 100)}" ${is}: ${lowerFirst(text)}${was}`;
    const about = { ...subjectOf(one), ...(already && { already }) };
    if (verdict === "undecided") return finding("TNF-EXPECTATION-UNDECIDED", words, about);
    return finding("TNF-EXPECTATION-BROKEN", words, {
      ...about,
      ...(severity === "warning" && { level: "medium" as const }),
    });
  });
}

/** The first cause that a plan manages. */
function subjectOf({ cause, expectation }: JudgedExpectation): Pick<Finding, "address" | "plan"> {
  const managed = cause.find(({ address }) => address !== undefined);
  const plan = managed ? managed.plan : expectation.plan;
  return {
    ...(managed?.address !== undefined && { address: managed.address }),
    ...(plan !== undefined && { plan }),
  };
}

const lowerFirst = (text: string) => text.replace(/^(A|The|No|It|This|Some)\b/, (word) => word.toLowerCase());
