/** `npm run mutate` on a small project: it shows the change that no test notices. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { run } from "../support/program";

const root = path.join(__dirname, "../..");
const source = `export const sum = (a: number, b: number) => a + b;
export const less = (a: number, b: number) => a < b;
`;

test("shows changes that no test notices, and leaves the sources unchanged", async () => {
  const project = await realpath(await mkdtemp(path.join(os.tmpdir(), "tenantform-test-")));
  try {
    await symlink(path.join(root, "node_modules"), path.join(project, "node_modules"), "junction");
    for (const folder of ["src/room", "test/room"]) await mkdir(path.join(project, folder), { recursive: true });
    await writeFile(path.join(project, "package.json"), "{}");
    await writeFile(path.join(project, "src/room/sum.ts"), source);
    await writeFile(
      path.join(project, "test/room/sum.test.ts"),
      'import { less, sum } from "../../src/room/sum";\n' +
        'test("adds", () => expect(sum(1, 2)).toBe(3));\ntest("compares", () => expect(less(1, 2)).toBe(true));\n',
    );
    const program = path.join(root, "src/tools/mutate/mutate.ts");
    const args = ["--import", require.resolve("tsx"), program, "src/room", "--workers", "1"];
    const { code, stdout } = await run(process.execPath, args, { cwd: project });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^-.*=> a < b;\n\+.*=> a <= b;$/m);
    expect(stdout).not.toContain("=> a - b;");
    expect(await readFile(path.join(project, "src/room/sum.ts"), "utf8")).toBe(source);
    expect(await readdir(project)).not.toContain("reports");
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});
