/** README shows the program of the quickstart, what the review prints, and both doors on its first screen. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { codeOn, readPage } from "./support/shell-blocks";

type Plans = Readonly<Record<string, object>>;

const root = path.join(__dirname, "../..");
const readme = readPage("README.md");

test("has the program of the quickstart", () => {
  const program = readFileSync(path.join(root, "examples/quickstart/main.ts"), "utf8");
  const code = program.replace(/^\/\*\*.*\*\/\n/, "").replaceAll("\n\n", "\n");
  expect(codeOn("README.md", "ts")).toEqual([code]);
  expect(code.trim().split("\n").length).toBeLessThanOrEqual(20);
});

test("names both doors in its first 60 lines, in at most 110", () => {
  const lines = readme.trim().split("\n");
  expect(lines.length).toBeLessThanOrEqual(110);
  const first = lines.slice(0, 60).join("\n");
  const words = [
    "NetworkAcl",
    "RateLimitPolicy",
    "OrganizationMemberSet",
    "cdktf diff",
    "cdktf deploy",
    "PUT",
    "DELETE",
  ];
  const missing = [...words, "npm start", "npm test", "tenantform review"].filter((word) => !first.includes(word));
  expect(missing).toEqual([]);
});

test("shows what the review of a plan prints, and so does the page beside the plans", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-readme-"));
  const shop = path.join(folder, "shop");
  try {
    mkdirSync(shop);
    const plans = JSON.parse(readFileSync(path.join(root, "test/impact/auth0/plans.json"), "utf8")) as Plans;
    const printed = ["users deleted", "users renamed"].flatMap((name) => {
      writeFileSync(path.join(shop, "plan"), JSON.stringify(plans[name]));
      const review = [path.join(root, "dist/cli.js"), "review", "plan"];
      return execFileSync(process.execPath, review, { cwd: shop, encoding: "utf8" }).split("\n");
    });
    const shown = ["README.md", "docs/guides/before-you-apply.md"].flatMap((page) =>
      codeOn(page, "text").flatMap((text) => text.split("\n").filter((line) => /^(Review of|[✖●○✔] )/.test(line))),
    );
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((line) => !printed.includes(line))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
