/**
 * Rows that nobody has reviewed: those of the branch under review that its base branch does not have. Such a row may add an effect or make
 * one worse. It lowers no answer, because otherwise the author of a change could silence its review.
 */
import { canonical } from "../../../formats/cty/value";
import { levels, effect, type Effect } from "../effect";
import type { RulesFacts } from "./facts";
import { keyOf, type Row } from "./row";
import { overridden, table } from "./table";

/** `none` is below every level. */
export const rank = (level: Row["level"]): number => (level === "none" ? -1 : levels.indexOf(level));

export interface Refused {
  readonly row: Row;
  /** What decides in its place. Left out: no row. */
  readonly by?: Row | undefined;
}

export interface Decision {
  readonly row?: Row | undefined;
  /** What decides without the row of a person. */
  readonly builtIn?: Row | undefined;
  /** A proposed row would have lowered the answer. */
  readonly refused?: Refused | undefined;
}

/** The first row that fits, by the first test that a row passes. `unread`: the level without a row. */
export function decisionOf(
  rows: readonly Row[],
  tests: readonly ((row: Row) => boolean)[],
  unread: Row["level"] = "info",
): Decision {
  const first = (isOne: (row: Row) => boolean) =>
    tests.flatMap((fits) => rows.find((row) => isOne(row) && fits(row)) ?? [])[0];
  const row = first((one) => one.proposed === undefined);
  // A row that comes later would not decide.
  const before = rows.slice(0, row && rows.indexOf(row));
  const proposed = first((one) => one.proposed !== undefined && before.includes(one));
  const builtIn = row?.from === undefined && !proposed ? row : first((one) => one.from === undefined);
  if (!proposed) return { row, builtIn };
  const [least, wanted] = [rank(row?.level ?? unread), rank(proposed.level)];
  // At the same level, its words would only take the place of others, or of "not judged".
  if (wanted > least) return { row: proposed, builtIn };
  return { row, builtIn, ...(wanted < least && { refused: { row: proposed, by: row } }) };
}

/** The rows of the head with those marked that the base lacks, and an effect for each row that differs. */
export function proposedBy(
  head: readonly Row[],
  base: readonly Row[],
  { file, isCompared }: { readonly file: string; readonly isCompared: boolean },
): { readonly rows: Row[]; readonly changes: Effect[] } {
  const texts = new Set(base.map(rowText));
  const kept = new Set(head.map(rowText));
  const proposed = head
    .filter((row) => !texts.has(rowText(row)))
    // Its condition would be the first words of a sentence.
    .map(({ if: _if, ...row }): Row => ({ ...row, proposed: isCompared ? "compared" : "alone" }));
  const gone = base.filter((row) => !kept.has(rowText(row)));
  const isReplaced = (row: Row) => proposed.some((other) => keyOf(other) === keyOf(row));
  return {
    rows: [...proposed, ...base],
    changes: !isCompared
      ? []
      : [
          ...proposed.map((row) => {
            const was = gone.find((other) => keyOf(other) === keyOf(row));
            return rulesEffect(was ? "changed" : "added", row, was ?? builtIn(row), file);
          }),
          ...gone.filter((row) => !isReplaced(row)).map((row) => rulesEffect("removed", builtIn(row), row, file)),
        ],
  };
}

/** Rows that no base branch has, and that would lower an answer of the review: an effect each. */
export function refusedEffects(refused: readonly Refused[]): Effect[] {
  const alone = new Map(refused.filter(({ row }) => row.proposed === "alone").map((one) => [one.row, one]));
  return [...alone.values()].map(({ row, by }) => rulesEffect("refused", row, by, row.from!));
}

/** Without one of the same condition: the worst of several. */
const builtIn = (row: Row): Row | undefined =>
  overridden(row) ??
  table.filter((other) => keyOf(other) === keyOf(row)).toSorted((one, other) => rank(other.level) - rank(one.level))[0];

function rulesEffect(change: RulesFacts["change"], is: Row | undefined, was: Row | undefined, file: string): Effect {
  const { type, path, change: of } = (is ?? was)!;
  const side = (row: Row | undefined) =>
    row && {
      level: row.level,
      text: row.level === "none" ? (row.reason ?? "") : (row.text ?? builtIn(row)?.text ?? ""),
    };
  return effect("TNF-RULES-CHANGED", {
    kind: "rules",
    file,
    change,
    row: [type, path, of].filter((part) => part !== undefined).join(" "),
    ...(was && { was: side(was)! }),
    ...(is && { is: side(is)! }),
  });
}

/** Equal for equal rows, whatever the order of their names is. */
const rowText = (row: Row): string => canonical({ ...row, from: "" });
