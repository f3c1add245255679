/**
 * `npx tsx src/tools/pages/pages.ts FOLDER`: writes the review pages of the examples. `draft/verdict.svg` is the picture of README. The pictures
 * in docs/guides/review.md show the pages in a window of 1000 by 720 pixels, compressed without loss:
 * `chromium --headless --hide-scrollbars --window-size=1000,720 --screenshot=draft.png FOLDER/draft/page.html`, and
 * `cwebp -lossless -z 9 draft.png -o docs/review-draft.webp`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pictureOf } from "../start/picture";
import { wrap } from "../start/screen";
import { examples, planOf } from "./examples";

const cli = path.join(__dirname, "../../../dist/cli.js");
const [below = "dist/pages"] = process.argv.slice(2);

const width = 96;
const paint = (code: number, text: string) => `\u001b[${code}m${text}\u001b[0m`;

/** Draws the first lines of a review as they appear on a pull request. `text`: the review in the format text. */
function verdictPicture(text: string): string {
  const end = text.indexOf("\n\nOrder of evaluation");
  const [, ...lines] = text.slice(0, end).split("\n");
  const shown = lines.flatMap((line) => wrapped(line));
  const head = [`${paint(1, "tenantform")} ${paint(2, "commented on the pull request")}`, ""];
  return pictureOf([...head, ...shown].join("\n"), "A review says what a plan does to people");
}

function wrapped(line: string): string[] {
  if (line === "") return [""];
  const lines = wrap(line, width);
  if (line.startsWith("✖")) return lines.map((part) => paint(31, part));
  if (line.startsWith("-")) return lines.map((part, index) => (index === 0 ? part : `  ${part}`));
  return lines.map((part) => paint(1, part));
}

for (const example of examples) {
  const folder = path.resolve(below, example.name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "main.tf"), example.configuration);
  writeFileSync(path.join(folder, "plan.json"), JSON.stringify(planOf(example)));
  const args = [cli, "review", "plan.json", "--format", "html", "--output", "page.html"];
  execFileSync(process.execPath, args, { cwd: folder, stdio: "inherit" });
  const text = execFileSync(process.execPath, [cli, "review", "plan.json", "--format", "text"], { cwd: folder });
  writeFileSync(path.join(folder, "verdict.svg"), verdictPicture(text.toString()));
  process.stdout.write(`${path.join(folder, "page.html")}\n`);
}
