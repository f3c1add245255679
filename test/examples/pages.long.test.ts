/**
 * Runs the commands of every page, one after the other, and validates all HCL. TENANTFORM_ENGINES names the programs, with colons between
 * them; the default is the `terraform` of this machine.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runPage, validateExamples, type Engine } from "./support/command-lines";
import { pages } from "./support/documented-pages";
import { root, shellBlocks } from "./support/shell-blocks";

function engineOf(program: string): Engine {
  const name = path.basename(program);
  if (name !== "terraform" && name !== "tofu") throw new Error(`${program} is neither terraform nor tofu.`);
  return { name, program };
}

const found = () => execFileSync("which", ["terraform"], { encoding: "utf8" }).trim();
const engines = (process.env.TENANTFORM_ENGINES || found()).split(path.delimiter).map(engineOf);

let folder: string;
let tarball: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-package-"));
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8" })) as [{ filename: string }];
  tarball = path.join(folder, packed.filename);
});
afterAll(() => rmSync(folder, { recursive: true }));

const blocks = shellBlocks();
const said = (text: string) => text.slice(-3_000);

const pagesFor = (engine: Engine) =>
  Object.keys(pages).filter((page) => engine === engines[0] || pages[page]!.everyEngine);

describe.each(engines)("$name", (engine) => {
  test.each(pagesFor(engine))("%s", async (page) => {
    const own = blocks.filter((block) => block.page === page);
    const { code, stdout, stderr } = await runPage(page, own, engine, tarball);
    expect({ code, said: code === 0 ? "" : said(stdout) + said(stderr) }).toEqual({ code: 0, said: "" });
  });

  test("validates all HCL", async () => {
    const { code, count, stdout, stderr } = await validateExamples(engine);
    expect({ code, said: code === 0 ? "" : said(stdout) + said(stderr) }).toEqual({ code: 0, said: "" });
    expect(count).toBeGreaterThan(30);
  });
});
