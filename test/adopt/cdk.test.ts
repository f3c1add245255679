/** Finds the CDK library of a project, also right after its installation. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { cdkFor, obstacleFor } from "../../src/adopt/cdk";

let directory: string;
beforeEach(() => (directory = mkdtempSync(path.join(tmpdir(), "cdk-"))));
afterEach(() => rmSync(directory, { recursive: true }));

function install(name: string): void {
  const folder = path.join(directory, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name, main: "index.js" }));
}

test("finds a library that the same process has just installed, although it looked before", () => {
  mkdirSync(path.join(directory, "node_modules"));
  expect(cdkFor(directory)).toBe("cdktf");
  install("cdktn");
  expect(cdkFor(directory)).toBe("cdktn");
  expect(cdkFor(path.join(directory, "below"))).toBe("cdktn");
});

test("prefers the library that package.json names", () => {
  install("cdktn");
  writeFileSync(path.join(directory, "package.json"), JSON.stringify({ dependencies: { cdktf: "1" } }));
  expect(cdkFor(directory)).toBe("cdktf");
  expect(obstacleFor(directory, "cdktf")).toBeUndefined();
});
