/**
 * `npx tsx src/tools/pages/pages.ts FOLDER`: writes the review pages of the examples, to look at them and to check them with axe. The
 * pictures in docs/guides/review.md show them in a browser window of 1000 by 720 pixels. `draft/verdict.svg` is the picture of README.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { examples, planOf } from "./examples";
import { verdictPicture } from "./verdict";

const cli = path.join(__dirname, "../../../dist/cli.js");
const [below = "dist/pages"] = process.argv.slice(2);

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
