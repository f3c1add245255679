/** The review of `--only expectations`: whether they hold, also where no plan changes anything. */
import type { Code, Effect } from "../../judge/impact/effect";
import { sentence, type Sign } from "../../judge/impact/words/words";
import { counted } from "../../judge/impact/phrases";
import { verdictOf } from "../../judge/impact/verdict";
import type { Page, Pages } from "./section";
import type { Review } from "../judge/review";
import { blindSpot } from "./sections";
import { forTenant } from "../input/tenant-address";
import { familyOf } from "../input/expectations";
import { expectationTable } from "./expectation-rows";

const codes: ReadonlySet<Code> = new Set([
  "TNF-EXPECTATION-BROKEN",
  "TNF-EXPECTATION-UNDECIDED",
  "TNF-EXPECTATION-WEAKENED",
]);

/** An expectation that was broken before counts too: a state and a tenant have no before. */
export function expectationsOnly(review: Review): Review {
  const effects = review.effects
    .filter(({ code }) => codes.has(code))
    .map(({ already: _already, facts, ...one }): Effect => {
      return { ...one, facts: facts.kind === "statement" ? { ...facts, was: "other" } : facts };
    });
  const expectations = review.expectations.map(({ already: _already, ...one }) => one);
  const concerned = new Set(expectations.map(({ expectation }) => familyOf[expectation.statement.kind]));
  const blind = review.unseen.filter((family) => concerned.has(family));
  return { ...review, effects, expectations, blind, verdict: verdictOf(effects) };
}

export const expectationsPages = (reviews: readonly Review[]): Pages => ({
  pages: reviews.map(pageOf),
  note: blindSpot(reviews),
});

function pageOf(review: Review): Page {
  const { name, expectations, effects } = review;
  const has = (verdict: string) => expectations.filter((one) => one.verdict === verdict).length;
  const [holding, broken, undecided] = [has("held"), has("broken"), has("undecided")];
  const sign: Sign = broken > 0 ? "✖" : effects.length > 0 ? "○" : "✔";
  const counts = `${holding} ${holding === 1 ? "holds" : "hold"}, ${broken} broken, ${undecided} undecided`;
  return {
    name,
    title: `Expectations of ${name}${forTenant(review)}`,
    summary: [{ sign, words: `${counted(expectations.length, "expectation")}: ${counts}.` }],
    open: expectations.length > 0 ? [expectationTable(review)] : [],
    // The table has the others.
    effects: effects
      .filter(({ facts }) => facts.kind !== "statement")
      .map((effect) => ({ effect, words: sentence(effect) })),
    effectsTitle: "Effects",
    closed: [],
    old: [],
  };
}
