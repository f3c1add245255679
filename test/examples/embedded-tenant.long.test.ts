/** The test in the guide to the embedded tenant, run as a reader would run it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../support/program";

const root = path.join(__dirname, "../..");

let folder: string;
beforeEach(async () => {
  // Inside the checkout, so that "tenantform" is found as in a user's project.
  await mkdir(path.join(root, "cdktf.out"), { recursive: true });
  folder = await mkdtemp(path.join(root, "cdktf.out/guide-"));
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
