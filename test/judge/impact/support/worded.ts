/** An effect with its words. */
import { apisOf, type Effect, type Facts } from "../../../../src/judge/impact/effect";
import { assumptionWords } from "../../../../src/judge/impact/words/assumption";
import { brief, changeWords, sentence, who } from "../../../../src/judge/impact/words/words";

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
