/** Makes the review pages of the pictures: Terraform accepts each plan, and the review says what the picture shows. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { examples } from "../../src/tools/pages/examples";
import { succeed } from "../support/program";

const root = path.join(__dirname, "../..");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-pages-"));
  const program = ["--import", "tsx", path.join(root, "src/tools/pages/pages.ts"), folder];
  await succeed(process.execPath, program, { cwd: root });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const titles: Readonly<Record<string, RegExp>> = {
  draft: /Blocks sign-in.* for about \d+ % of the world/,
  limits: /third-party applications: .* block every request/,
  members: /30 of 80 members lose access/,
};

test.each(examples.map(({ name }) => name))("the page of %s has its verdict, and file and line", async (name) => {
  const html = await readFile(path.join(folder, name, "page.html"), "utf8");
  expect(/<title>(.*?)<\/title>/.exec(html)![1]).toMatch(titles[name]!);
  expect(/<h1>(.*?)<\/h1>/s.exec(html)![1]).toMatch(/main\.tf:\d/);
  expect(existsSync(path.join(root, `docs/review-${name}.webp`))).toBe(true);
});
