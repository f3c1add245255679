/** The expectations that do not hold, as effects. */
import { clipped } from "../clipped";
import { effect, type Cause, type Effect } from "../effect";
import type { Expectation } from "./expectation";
import type { JudgedCause, JudgedExpectation } from "./judged";

export function expectationEffects(judged: readonly JudgedExpectation[]): Effect[] {
  return judged.flatMap((one) => {
    const { expectation, verdict, text, already } = one;
    if (verdict === "held") return [];
    const name = clipped(expectation.name, 100);
    if (verdict === "broken" && !already) return [brokenEffect(one, name)];
    const is = verdict === "broken" ? "is broken" : "is not decided";
    const was = already ? " It was so before this change." : "";
    const words = `Expectation "${name}" ${is}: ${lowerFirst(text)}${was}`;
    const about = { ...subjectOf(one), ...(already && { already }) };
    if (verdict === "undecided") return [effect("TNF-EXPECTATION-UNDECIDED", words, about)];
    return [effect("TNF-EXPECTATION-BROKEN", words, { ...about, ...levelOf(expectation) })];
  });
}

const levelOf = ({ severity }: Expectation) => (severity === "warning" ? { level: "medium" as const } : {});

function brokenEffect(judged: JudgedExpectation, name: string): Effect {
  const { expectation, text, cause, assumptions, counterexample } = judged;
  return effect("TNF-EXPECTATION-BROKEN", `Breaks the expectation "${name}": ${text.replace(/^A(?= )/, "a")}`, {
    ...subjectOf(judged),
    ...levelOf(expectation),
    who: `the expectation "${name}"`,
    cause: causeOf(cause, expectation),
    certainty: assumptions.length === 0 ? "certain" : "possible",
    assumptions,
    examples: counterexample ? [counterexample] : [],
  });
}

const verbs = { requests: "decides this request", policy: "sets this limit", members: "sets these members" };

/** The first object that a plan manages. The text names an unmanaged object. */
function causeOf(all: readonly JudgedCause[], { statement: { kind } }: Expectation): Cause[] {
  const index = all.findIndex(({ address }) => address !== undefined);
  const { address, plan } = all[index] ?? {};
  if (address === undefined) return [];
  const words = kind === "requests" && index > 0 ? "decided this request before" : verbs[kind];
  return [{ address, ...(plan !== undefined && { plan }), words }];
}

/** The first cause that a plan manages. */
function subjectOf({ cause, expectation }: JudgedExpectation): Pick<Effect, "address" | "plan"> {
  const managed = cause.find(({ address }) => address !== undefined);
  const plan = managed ? managed.plan : expectation.plan;
  return {
    ...(managed?.address !== undefined && { address: managed.address }),
    ...(plan !== undefined && { plan }),
  };
}

const lowerFirst = (text: string) => text.replace(/^(A|The|No|It|This|Some)\b/, (word) => word.toLowerCase());
