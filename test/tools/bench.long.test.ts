/** The benchmark's tables, and a small benchmark. */
import { cp, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Report } from "../../src/tools/bench/bench";
import { figure, median, table } from "../../src/tools/bench/table";
import { version } from "../../src/version";
import { run } from "../support/program";

test("prints a table with words on the left, numbers on the right, and no blanks at the ends", () => {
  const rows = [
    ["plan", "3"],
    ["again", "1001"],
  ];
  expect(table(["what", "n"], rows)).toBe(["what      n", "-----  ----", "plan      3", "again  1001", ""].join("\n"));
  expect(table(["", "b"], [["a", ""]], 2)).toBe("   b\n-  -\na\n");
});

test("prints three significant digits", () => {
  expect([0.034, 9.876, 10.04, 99.96, 1234.5].map(figure)).toEqual(["0.03", "9.88", "10.0", "100.0", "1235"]);
  expect(median([5, 1, 3])).toBe(3);
});

test("measures our provider beside another one, and leaves nothing behind", async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  try {
    // Our provider also takes the role of the other provider.
    const peer = path.join(directory, "peer");
    await cp(path.join(__dirname, "../../dist/provider"), peer, { recursive: true });
    const named = (number: string) => path.join(peer, `terraform-provider-tenant_v${number}`);
    await rename(named(version), named("1.0.0"));
    const program = ["--import", require.resolve("tsx"), path.join(__dirname, "../../src/tools/bench/bench.ts")];
    const sizes = ["--only", "compare", "--policies", "2", "--acls", "", "--rounds", "1"];
    const other = ["--peer", peer, "--peer-source", "tenantform/tenant"];
    const args = [...program, ...sizes, ...other, "--json", "figures.json"];
    const ended = await run(process.execPath, args, { cwd: directory, env: { TMPDIR: directory } });
    expect(ended).toMatchObject({ code: 0 });
    const { lives } = JSON.parse(await readFile(path.join(directory, "figures.json"), "utf8")) as Report;
    for (const name of ["script", "peer"]) {
      const { requests } = lives!.find((one) => one.name === name)!;
      // A token serves a whole round. A create reads nothing, a plan reads the list alone, and a change reads it and writes both.
      expect(requests).toEqual({ create: 3, plan: 1, change: 3, destroy: 3 });
    }
    expect(ended.stdout).toMatch(/^tenantform [\d.]+, Node [\d.]+, (Terraform|OpenTofu) v[\d.]+\npeer: peer$/m);
    expect(ended.stdout).toMatch(/^plan of 2 policies, s( +[\d.]+){3,5}$/m);
    // The loader of the sources has its own cache.
    const left = (await readdir(directory)).filter((name) => !name.startsWith("tsx-"));
    expect(left).toEqual(["figures.json", "peer"]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
