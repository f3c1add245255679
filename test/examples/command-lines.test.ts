/** Every page with shell blocks has an entry, by which pages.long.test.ts runs them. */
import { runPage } from "./support/command-lines";
import { pages } from "./support/documented-pages";
import { shellBlocks } from "./support/shell-blocks";

const blocks = shellBlocks();
const commands = blocks.flatMap(({ page, lines }) => lines.map(({ command }) => ({ page, command })));

test("reads the blocks of every page", () => {
  expect(blocks.length).toBeGreaterThan(15);
  expect(commands.filter(({ page }) => page === "README.md").length).toBeGreaterThan(3);
});

test("every page with a shell block has an entry", () => {
  // An entry says what the page takes for granted; pages.long.test.ts then runs the page.
  expect([...new Set(blocks.map(({ page }) => page))].filter((page) => !(page in pages))).toEqual([]);
});

test("every exception names a line that its page has", () => {
  const stale = Object.entries(pages).flatMap(([page, { instead = {}, notRun = {} }]) =>
    [...Object.keys(instead), ...Object.keys(notRun)]
      .filter((line) => !commands.some((one) => one.page === page && one.command === line))
      .map((line) => ({ page, line })),
  );
  expect(stale).toEqual([]);
});

test("fails at the first command that fails", async () => {
  const engine = { name: "terraform", program: "/bin/false" } as const;
  const lines = [{ command: "terraform init" }, { command: "echo reached" }];
  const { code, stdout } = await runPage("", [{ page: "", lines }], engine);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
});
