/** `init` in an empty folder, with the packages and the test runners that a user gets: `npx tsx test/init/runners.ts`. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { check, root } from "../support/fetched";
import { run, succeed } from "../support/program";

/** The packages that the user has before `init`, and what the runner prints after three tests passed, and after one failed. */
const runners = {
  jest: { language: "cdktf", has: {}, passed: "3 passed, 3 total", failed: "1 failed, 2 passed, 3 total" },
  vitest: { language: "cdktn", has: { vitest: "^3.2.0" }, passed: "3 passed (3)", failed: "1 failed | 2 passed (3)" },
};

async function tryOut(folder: string, runner: keyof typeof runners, tenantform: string): Promise<void> {
  const { language, has, passed, failed } = runners[runner];
  // npm keeps its cache.
  const surroundings = { cwd: folder, env: process.env };
  const devDependencies = { ...has, tenantform: `file:${tenantform}` };
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ devDependencies }));
  await succeed(process.execPath, [path.join(root, "dist/cli.js"), "init", "--language", language], surroundings);
  const expectIn = async (words: string) => {
    const { stdout, stderr } = await run("npm", ["test"], surroundings);
    const output = stripVTControlCharacters(stdout + stderr);
    if (!output.includes(words)) throw new Error(`${runner}: expected "${words}" in\n${output}`);
    process.stdout.write(`${runner}: ${words}\n`);
  };
  await expectIn(passed);
  await succeed("npm", ["run", "check"], surroundings);
  const file = path.join(folder, "tenant.test.ts");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace('countries: "KP" });', 'countries: "IR" });'));
  await expectIn(failed);
  // The types of the matchers are those of the package, and refuse a typing error.
  writeFileSync(file, text.replace("countries:", "country:"));
  if ((await run("npm", ["run", "check"], surroundings)).code === 0) throw new Error(`${runner}: country is no error`);
}

check(async () => {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "tenantform-test-")));
  try {
    // A packed package, because the types of a linked one would be resolved in this checkout.
    const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
    const file = path.join(folder, (await succeed("npm", pack, { cwd: root, env: process.env })).trim());
    for (const runner of ["jest", "vitest"] as const)
      await tryOut(mkdtempSync(path.join(folder, `${runner}-`)), runner, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
