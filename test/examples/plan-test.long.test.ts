/** examples/plan-test and the guide to the embedded tenant, run as a reader would run them. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../support/program";

const root = path.join(__dirname, "../..");

let folder: string;
beforeEach(async () => {
  // Inside the checkout, so that "tenantform" is found as in a user's project.
  await mkdir(path.join(root, "cdktf.out"), { recursive: true });
  folder = await mkdtemp(path.join(root, "cdktf.out/plan-test-"));
  await cp(path.join(root, "examples/plan-test"), folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("the test in the guide to the embedded tenant passes", async () => {
  const guide = await readFile(path.join(root, "docs/guides/embedded-tenant.md"), "utf8");
  const [, program] = /^## In tests$[^]*?```ts\n([^]*?)```/m.exec(guide)!;
  await writeFile(path.join(folder, "guide.test.ts"), program!);
  const configuration = {
    rootDir: folder,
    transform: { "\\.ts$": require.resolve("../support/transform.js") },
  };
  const args = [require.resolve("jest/bin/jest"), "guide.test.ts", "--config", JSON.stringify(configuration)];
  const { stderr } = await run(process.execPath, args, { cwd: folder });
  expect(stderr).toContain("3 passed, 3 total");
});

const tested = () => run(process.execPath, ["--test", "--test-reporter=tap", "tenant.test.mjs"], { cwd: folder });

test("its tests pass", async () => {
  const { code, stdout } = await tested();
  expect({ code, output: code === 0 ? "" : stdout }).toEqual({ code: 0, output: "" });
  expect(stdout).toContain("# pass 3");
});

test("its tests fail if an ACL no longer blocks", async () => {
  const file = path.join(folder, "main.tf");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace('geo_country_codes = ["KP"]', 'geo_country_codes = ["IR"]'));
  const { code, stdout } = await tested();
  expect(code).toBe(1);
  expect(stdout).toContain("A request to sign-in from 203.0.113.7, country KP, is allowed, because no ACL matches.");
});
