/** Makes the page of levels, with the tables that decide. */
import { blockLevels, type LevelRow, moveLevels, openingLevels } from "../../judge/impact/network-acl/levels";
import { filled, tableOf } from "./reference";

/** `prose`: the folder with the rest of the page. */
export const levelsPage = (prose: string) =>
  filled("guides/levels.md", prose, {
    blocks: levelsOf(blockLevels),
    openings: levelsOf(openingLevels),
    moves: levelsOf(moveLevels),
  });

const levelsOf = (table: readonly LevelRow[]) =>
  tableOf(
    ["the change affects", "level"],
    table.map(({ when, level }) => [when, level]),
  );
