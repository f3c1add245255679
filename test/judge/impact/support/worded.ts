/** An effect with its words. */
import { apisOf, type Effect } from "../../../../src/judge/impact/effect";
import type { Facts } from "../../../../src/judge/impact/facts";
import { assumptionWords } from "../../../../src/judge/impact/words/assumption";
import { changeWords } from "../../../../src/judge/impact/words/causes";
import { brief, sentence, who } from "../../../../src/judge/impact/words/words";

export function worded(effect: Effect) {
  const { address, plan } = effect.subject;
  return {
    ...effect,
    address,
    plan,
    apis: apisOf(effect),
    who: who(effect),
    text: sentence(effect),
    brief: brief(effect),
    assumptions: effect.assumptions.map(assumptionWords),
    causes: effect.cause.map((one) => ({ ...one, words: changeWords(one.change) })),
  };
}

/** Facts with these words. */
export const text = (words: string): Facts => ({
  kind: "row",
  type: "",
  text: words,
  values: {},
  along: [],
  isNothing: true,
});
