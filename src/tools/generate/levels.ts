/** Makes the page of levels, with the tables that decide. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { blockLevels, moveLevels, openingLevels } from "../../judge/impact/network-acl/levels";
import type { Page } from "./reference";

/** `prose`: the folder with the rest of the page. */
export function levelsPage(prose: string): Page {
  const tables = { blocks: blockLevels, openings: openingLevels, moves: moveLevels };
  const text = Object.entries(tables).reduce(
    (page, [name, table]) =>
      page.replace(`<!-- ${name} -->`, () =>
        [
          "| the change affects | level |",
          "| --- | --- |",
          ...table.map(({ when, level }) => `| ${when} | ${level} |`),
        ].join("\n"),
      ),
    readFileSync(path.join(prose, "levels.md"), "utf8"),
  );
  return { file: "guides/levels.md", text };
}
