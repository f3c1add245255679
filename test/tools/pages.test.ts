/** Writes the review pages whose pictures docs/guides/review.md shows. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { examples } from "../../src/tools/pages/examples";
import { run } from "../support/program";

const root = path.join(__dirname, "../..");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-pages-"));
  await run(process.execPath, ["--import", "tsx", path.join(root, "src/tools/pages/pages.ts"), folder], { cwd: root });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const titles: Readonly<Record<string, RegExp>> = {
  draft: /^✖ Blocks sign-in, tokens and client registration for about \d+ % of the world/,
  limits: /^✖ All applications without a policy of their own are blocked/,
  members: /^✖ 30 of 80 members lose access/,
};

test.each(examples.map(({ name }) => name))(
  "the page of the example %s has its verdict and its file and line",
  async (name) => {
    const html = await readFile(path.join(folder, name, "page.html"), "utf8");
    expect(/<title>(.*?)<\/title>/.exec(html)![1]).toMatch(titles[name]!);
    expect(/<h1>(.*?)<\/h1>/s.exec(html)![1]).toMatch(/main\.tf:\d/);
    expect(await readFile(path.join(root, "docs/guides/review.md"), "utf8")).toContain(`../review-${name}.webp`);
  },
);

test("the picture of README is the verdict of an example", async () => {
  const drawn = await readFile(path.join(folder, "draft/verdict.svg"), "utf8");
  expect(drawn).toContain("Blocks\u00a0sign-in");
  expect(await readFile(path.join(root, "docs/verdict.svg"), "utf8")).toBe(drawn);
});
