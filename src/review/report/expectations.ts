/** Shows judged expectations: in a review, and as the whole review of `--only expectations`, also where no plan changes anything. */
import type { Code, Effect } from "../../judge/impact/effect";
import { counted } from "../../formats/text/lists";
import type { Expectation } from "../../judge/impact/statement/statement";
import { verdictOf } from "../../judge/impact/verdict";
import { judgementWords, uncoveredWords } from "../../judge/impact/words/reason";
import { sentence } from "../../judge/impact/words/words";
import { familyOf } from "../../judge/impact/statement/statement";
import { placeOf } from "../input/root";
import { forTenant } from "../input/tenant-address";
import type { ReviewedExpectation } from "../judge/expectations";
import type { Review } from "../judge/review";
import type { Page, Section } from "./document";

/** A table, or one line if all of them hold. */
export function expectationSection(review: Review): Section {
  const { expectations: all, unseen } = review;
  if (!all.every(({ reason }) => reason.kind === "held" && !reason.uncovered)) return expectationTable(review);
  const isBlind = all.some(({ expectation }) => isAboutUnseen(expectation, unseen));
  return {
    title: `${counted(all.length, "expectation")} ${holdWord(all.length)}${isBlind ? onlyManaged : ""}.`,
    rows: [[{ text: "", names: all.map(({ expectation }) => expectation.name) }]],
  };
}

const holdWord = (count: number) => (count === 1 ? "holds" : "hold");
const onlyManaged = " for the objects that the plan manages";

const isAboutUnseen = ({ statement }: Expectation, unseen: Review["unseen"]) =>
  unseen.includes(familyOf[statement.kind]);

const ranks = ["broken", "undecided", "held"];
const results = { held: "✔ holds", broken: "✖ broken", undecided: "? undecided" };

/** The worst first. */
function expectationTable({ expectations, places, unseen }: Review): Section {
  const rank = ({ verdict, already }: ReviewedExpectation) => ranks.indexOf(verdict) + (already ? 0.5 : 0);
  return {
    title: "Expectations",
    isOpen: true,
    columns: ["expectation", "result", "why"],
    rows: expectations
      .toSorted((one, other) => rank(one) - rank(other))
      .map((one) => [
        one.expectation.name,
        `${results[one.verdict]}${one.already ? " before too" : ""}`,
        one.verdict === "held"
          ? heldWords(one, unseen)
          : [judgementWords(one), causeWords(one, places)].join(" ").trim(),
      ]),
  };
}

function heldWords({ expectation, reason }: ReviewedExpectation, unseen: Review["unseen"]): string {
  const proven = `Proven${isAboutUnseen(expectation, unseen) ? onlyManaged : ""}.`;
  return reason.kind === "held" && reason.uncovered ? `${proven} ${uncoveredWords(reason.uncovered)}` : proven;
}

/** `tenant_network_acl.wall, main.tf:4.`, for the first object that a plan manages. */
function causeWords({ cause }: ReviewedExpectation, places: Review["places"]): string {
  const { address, plan } = cause.find((one) => one.address !== undefined) ?? {};
  if (address === undefined) return "";
  const place = placeOf({ places }, address, plan);
  return place ? `${address}, ${place.file}:${place.line}.` : `${address}.`;
}

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

export function expectationsPage(review: Review): Page {
  const { name, expectations, effects } = review;
  const [holding, broken, undecided] = (["held", "broken", "undecided"] as const).map(
    (verdict) => expectations.filter((one) => one.verdict === verdict).length,
  ) as [number, number, number];
  // The table has the others.
  const items = effects
    .filter(({ facts }) => facts.kind !== "statement")
    .map((one) => ({ ...one, words: sentence(one) }));
  const counts = `${holding} ${holdWord(holding)}, ${broken} broken, ${undecided} undecided`;
  return {
    name,
    title: `Expectations of ${name}${forTenant(review)}`,
    summary: [
      {
        sign: broken > 0 ? "✖" : effects.length > 0 ? "○" : "✔",
        words: `${counted(expectations.length, "expectation")}: ${counts}.`,
      },
    ],
    sections: [
      ...(expectations.length > 0 ? [expectationTable(review)] : []),
      ...(items.length > 0 ? [{ title: "Effects", isOpen: true, rows: [], items }] : []),
    ],
  };
}
