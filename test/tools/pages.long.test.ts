/** Makes the review of the pictures: Terraform accepts the plan, and the review says what the picture shows. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { succeed } from "../support/program";

const root = path.join(__dirname, "../..");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-pages-"));
  const program = ["--import", "tsx", path.join(root, "src/tools/pages/pages.ts"), folder];
  await succeed(process.execPath, program, { cwd: root });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the page has its verdict, and file and line, and README shows it and the comment", async () => {
  const html = await readFile(path.join(folder, "page.html"), "utf8");
  expect(/<title>(.*?)<\/title>/.exec(html)![1]).toMatch(/Blocks sign-in.* for about \d+ % of the world/);
  expect(/<h1>(.*?)<\/h1>/s.exec(html)![1]).toMatch(/main\.tf:\d/);
  expect(html).toContain("A full bar is 100 %.");
  expect(existsSync(path.join(folder, "comment.md"))).toBe(true);
  const readme = await readFile(path.join(root, "README.md"), "utf8");
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\((docs\/[^)]+)\)/g)].map(([, picture]) => picture!);
  expect(pictures).toEqual(["docs/comment.webp", "docs/review-draft.webp"]);
  for (const picture of pictures) expect(existsSync(path.join(root, picture))).toBe(true);
});
