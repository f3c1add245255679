/**
 * Writes what the pictures of README show to `dist/pages`: the page and the comment of a review. docs/internals/release.md says how to take
 * the pictures.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { succeed } from "../support/program";
import { openWorkspace } from "../support/workspace";

const root = path.join(__dirname, "../..");
const folder = path.join(root, "dist/pages");

/** A draft that the plan switches on. */
const draft = (active: boolean) => `provider "tenant" {
  domain                    = "acme.eu.auth0.com"
  hide_early_access_warning = true
}

resource "tenant_network_acl" "draft" {
  description = "Only from 18 countries of Europe"
  active      = ${active}
  priority    = 40
  rule {
    action { block = true }
    not_match {
      geo_country_codes = [
        "AT", "BE", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IT", "LU", "NL", "NO", "PL", "PT", "SE"
      ]
    }
    scope = "authentication"
  }
}
`;

test("the page has its verdict, and file and line, and README shows it and the comment", async () => {
  const workspace = await openWorkspace();
  const { environment, directory: cwd } = workspace;
  // In place of the domain, which the review shows.
  environment.TENANT_EMBEDDED_ENDPOINT = environment.TENANT_ENDPOINT;
  delete environment.TENANT_ENDPOINT;
  await workspace.apply(draft(false));
  await workspace.write(draft(true));
  await workspace.plan();
  await writeFile(path.join(cwd, "plan.json"), (await workspace.terraform("show", "-json", "plan")).stdout);
  await mkdir(folder, { recursive: true });
  const outputs = ["page.html", "comment.md"].flatMap((file) => ["--output", path.join(folder, file)]);
  await succeed(process.execPath, [path.join(root, "dist/cli.js"), "review", "plan.json", ...outputs], { cwd });
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
