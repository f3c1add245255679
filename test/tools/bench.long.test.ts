/** The benchmark's tables and judgements, and a small benchmark. */
import { cp, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Report } from "../../src/tools/bench/bench";
import { baselineOf, regressions, type Measure } from "../../src/tools/bench/comparison";
import { figure, median, table } from "../../src/tools/bench/table";
import { version } from "../../src/version";
import { run } from "../support/program";

const row = (title: string, native: number, peer: number, more: Partial<Measure> = {}): Measure => ({
  title,
  of: new Map(Object.entries({ native, peer })),
  tolerance: 1.1,
  ...more,
});

test("names each row whose ratio exceeds the baseline by more than a tenth", () => {
  const baseline = { native: { a: 1, b: 1, c: 1 } };
  expect(regressions([row("a", 2.2, 2), row("b", 2.3, 2), row("d", 9, 1)], baseline)).toEqual([
    "b, native: 1.15, baseline 1.00",
  ]);
});

test("accepts no further request, and judges nothing that chance decides", () => {
  const requests = row("requests", 13, 21, { absolute: true, tolerance: 1 });
  expect(regressions([requests], { native: { requests: 13 } })).toEqual([]);
  expect(regressions([requests], { native: { requests: 12 } })).toHaveLength(1);
  expect(regressions([{ ...requests, tolerance: undefined } as never], { native: { requests: 12 } })).toEqual([]);
});

test("writes judged figures, and keeps those of rows that were not measured", () => {
  const earlier = { native: { a: 9, other: 2 } };
  expect(baselineOf([row("a", 1, 3)], earlier)).toEqual({ native: { a: 0.33, other: 2 }, script: {} });
});

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
    const { comparison } = JSON.parse(await readFile(path.join(directory, "figures.json"), "utf8")) as Report;
    for (const name of ["script", "peer"]) {
      const { handshake, schema, end } = comparison!.startUp.find((one) => one.name === name)!;
      expect(schema[0]).toBeGreaterThan(handshake[0]!);
      expect(end[0]).toBeGreaterThan(0);
      const { requests } = comparison!.lives.find((one) => one.name === name)!;
      // A token serves a whole round. A create reads nothing, a plan reads the list alone, and a change reads it and writes both.
      expect(requests).toEqual({ create: 3, plan: 1, change: 3, destroy: 3 });
    }
    expect(ended.stdout).toMatch(/^plan of 2 policies, s( +[\d.]+){2,3} +- +(-|[\d.]+) +[\d.]+$/m);
    // The loader of the sources has its own cache.
    const left = (await readdir(directory)).filter((name) => !name.startsWith("tsx-"));
    expect(left).toEqual(["figures.json", "peer"]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
