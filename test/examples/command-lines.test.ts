/** The shell blocks of README, docs and examples can be run, and the first stack works as its page says. */
import { execFileSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
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
  // An entry says what the page takes for granted; test/examples/command-lines.ts then runs the page.
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

test("the first stack plans with Terraform in an empty folder and an empty home", async () => {
  const program = execFileSync("which", ["terraform"], { encoding: "utf8" }).trim();
  const page = "docs/guides/get-started.md";
  const own = blocks.filter((block) => block.page === page);
  const { code, stdout, stderr } = await runPage(page, own, { name: "terraform", program });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  expect(stripVTControlCharacters(stdout)).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
});
