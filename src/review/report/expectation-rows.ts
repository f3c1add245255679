/** Lays out judged expectations as a table, or as one line if all of them hold. */
import type { Expectation } from "../../judge/impact/statement/statement";
import { judgementWords, uncoveredWords } from "../../judge/impact/words/reason";
import { placeOf } from "../input/root";
import type { Review } from "../judge/review";
import type { Section } from "./section";
import { familyOf } from "../input/expectations";
import type { ReviewedExpectation } from "../judge/expectations";

const signs = { held: "✔", broken: "✖", undecided: "?" } as const;
const words = { held: "holds", broken: "broken", undecided: "undecided" } as const;

type Judged = Pick<Review, "expectations" | "places" | "unseen">;

/** Empty rows: no expectations. */
export function expectationSection(review: Judged): Section {
  const { expectations, unseen } = review;
  const count = expectations.length;
  const isBlind = expectations.some(({ expectation }) => isAboutUnseen(expectation, unseen));
  if (expectations.every(({ reason }) => reason.kind === "held" && reason.uncovered === undefined)) {
    const names = expectations.map(({ expectation }) => expectation.name);
    const title = count === 1 ? "1 expectation holds" : `${count} expectations hold`;
    return {
      title: `${title}${isBlind ? " for the objects that the plan manages" : ""}.`,
      rows: count === 0 ? [] : [[{ text: "", names }]],
    };
  }
  return expectationTable(review);
}

export function expectationTable({ expectations, places, unseen }: Judged): Section {
  return {
    title: "Expectations",
    isOpen: true,
    columns: ["expectation", "result", "why"],
    rows: worstFirst(expectations).map((one) => [
      one.expectation.name,
      `${signs[one.verdict]} ${words[one.verdict]}${one.already ? " before too" : ""}`,
      one.verdict === "held" ? heldWords(one, unseen) : [judgementWords(one), causeWords(one, places)].join(" ").trim(),
    ]),
  };
}

const isAboutUnseen = ({ statement }: Expectation, unseen: Review["unseen"]) =>
  unseen.includes(familyOf[statement.kind]);

function heldWords({ expectation, reason }: ReviewedExpectation, unseen: Review["unseen"]): string {
  const proven = isAboutUnseen(expectation, unseen) ? "Proven for the objects that the plan manages." : "Proven.";
  const uncovered = reason.kind === "held" ? (reason.uncovered ?? []) : [];
  return uncovered.length === 0 ? proven : `${proven} ${uncoveredWords(uncovered)}`;
}

const ranks = ["broken", "undecided", "held"];

function worstFirst(all: readonly ReviewedExpectation[]): ReviewedExpectation[] {
  const rank = ({ verdict, already }: ReviewedExpectation) => ranks.indexOf(verdict) + (already ? 0.5 : 0);
  return all.toSorted((one, other) => rank(one) - rank(other));
}

/** `tenant_network_acl.wall, main.tf:4.`, for the first object that a plan manages. */
function causeWords({ cause }: ReviewedExpectation, places: Review["places"]): string {
  const { address, plan } = cause.find((one) => one.address !== undefined) ?? {};
  if (address === undefined) return "";
  const place = placeOf({ places }, address, plan);
  return place ? `${address}, ${place.file}:${place.line}.` : `${address}.`;
}
