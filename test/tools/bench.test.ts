/** Compares the benchmark's calculations with figures computed by hand, and runs a small benchmark. */
import { cp, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import {
  addingMembersOf,
  limitOf,
  makingOf,
  readingMembersOf,
  readingOf,
  requestsOf,
  type Work,
} from "../../src/tools/bench/limit";
import type { Report } from "../../src/tools/bench/report";
import { stackOf } from "../../src/tools/bench/stack";
import { figure, median, table } from "../../src/tools/bench/table";
import { tally } from "../../src/tools/bench/terraform";
import { version } from "../../src/version";
import { run } from "../support/program";

describe("the fewest requests", () => {
  test.each([
    ["read 10 resources: 1 page of ACLs, 1 page of policies", readingOf(1, 9), 3, 2],
    ["read 1,000 resources: 1 page of ACLs, 9 pages of policies", readingOf(100, 900), 11, 10],
    ["read 101 policies without ACLs", readingOf(0, 101), 3, 3],
    ["create 101 objects: 1 request for each, 10 at a time", makingOf(101), 102, 12],
    ["read an organization without members", readingMembersOf(0), 2, 2],
    ["read 999 members: pages by offset, in parallel", readingMembersOf(999), 11, 2],
    ["read 1,000 members: pages by cursor, and an empty last page", readingMembersOf(1000), 12, 12],
    ["read 10,000 members: pages by cursor, one after another", readingMembersOf(10_000), 102, 102],
    ["add 101 members: 1 read, and batches of 10", addingMembersOf(101), 13, 3],
    ["add 330 members: 1 read, and 32 batches at a time", addingMembersOf(330), 35, 4],
  ] as [string, Work, number, number][])("%s", (_, work, requests, rounds) => {
    expect(requestsOf(work)).toBe(requests);
    expect(work.rounds).toBe(rounds);
  });
});

describe("the physical limit", () => {
  test.each([
    ["is the time of the round trips without a quota", makingOf(1000), "none", 10.1],
    ["is the time of the round trips if the burst is large enough", makingOf(10), "essentials", 0.2],
    ["is the overall quota after its burst, plus the token and the last response", makingOf(100), "essentials", 36.2],
    ["is the overall quota of another tier", makingOf(1000), "enterprise", 59.575],
    ["is the time of the round trips if they are slower than the quota", readingMembersOf(10_000), "enterprise", 10.2],
    ["is the overall quota if it is slower than the quota for members", readingMembersOf(10_000), "essentials", 36.6],
    ["is the quota for members if it is slower than the overall quota", addingMembersOf(10_000), "enterprise", 294.2],
  ] as const)("%s", (_, work, tier, seconds) => {
    expect(limitOf(work, tier, 0.1)).toBeCloseTo(seconds, 6);
  });

  test("equals the time that the embedded tenant needs", async () => {
    let now = 0;
    const emulator = createEmulator({ tier: "essentials", now: () => now });
    const ask = async () => {
      const answer = await emulator.fetch(new Request("http://localhost/api/v2/network-acls"));
      return answer.status !== 429;
    };
    for (let answered = 0; answered < 100;) {
      if (await ask()) answered++;
      else now += 10;
    }
    expect(now / 1000).toBeCloseTo(limitOf(makingOf(100), "essentials", 0), 1);
  });
});

test("creates at most as many ACLs as a tenant has priorities", () => {
  const count = (stack: number) => Object.values(stackOf(stack).resources).map((type) => Object.keys(type).length);
  expect(count(10)).toEqual([1, 9]);
  expect(count(1000)).toEqual([100, 900]);
  expect(count(5000)).toEqual([100, 4900]);
});

test("counts the time from the first request to the last response", () => {
  const served = [
    { method: "POST", path: "/oauth/token", status: 200, ms: 100, at: 1100 },
    { method: "GET", path: "/api/v2/network-acls", status: 429, ms: 100, at: 1350 },
    { method: "GET", path: "/api/v2/network-acls", status: 200, ms: 300, at: 1300 },
  ];
  expect(tally(2, served)).toEqual({ seconds: 2, traffic: 0.35, requests: 3, throttled: 1 });
  expect(tally(2, [])).toEqual({ seconds: 2, traffic: 0, requests: 0, throttled: 0 });
});

test("prints a table with words on the left, numbers on the right, and no blanks at the ends", () => {
  expect(
    table(
      ["what", "n"],
      [
        ["plan", "3"],
        ["again", "1001"],
      ],
    ),
  ).toBe(["what      n", "-----  ----", "plan      3", "again  1001", ""].join("\n"));
  expect(table(["", "b"], [["a", ""]], 2)).toBe("   b\n-  -\na\n");
});

test("prints three significant digits", () => {
  expect([0.034, 9.876, 10.04, 99.96, 1234.5].map(figure)).toEqual(["0.03", "9.88", "10.0", "100.0", "1235"]);
  expect(median([5, 1, 3])).toBe(3);
});

test("measures every part in a small run, and leaves nothing behind", async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  try {
    const program = path.join(__dirname, "../../src/tools/bench/bench.ts");
    const sizes = [
      "--stacks",
      "12",
      "--members",
      "101",
      "--tiers",
      "essentials",
      "--only",
      "compare,embedded,expectations,parallel,terraform",
      "--parallel",
      "2",
    ];
    // Our provider also takes the role of the other provider.
    const peer = path.join(directory, "peer");
    await cp(path.join(__dirname, "../../dist/provider"), peer, { recursive: true });
    await rename(
      path.join(peer, `terraform-provider-tenant_v${version}`),
      path.join(peer, "terraform-provider-tenant_v1.0.0"),
    );
    const type = [
      "--peer-source",
      "tenantform/tenant",
      "--peer-policy",
      "tenant_rate_limit_policy",
      "--peer-acl",
      "tenant_network_acl",
    ];
    sizes.push("--sizes", "2", "--acls", "1", "--rounds", "1", "--peer", peer, ...type);
    const args = ["--import", require.resolve("tsx"), program, ...sizes, "--json", "figures.json"];
    const ended = await run(process.execPath, args, { cwd: directory, env: { TMPDIR: directory } });
    expect(ended).toMatchObject({ code: 0 });
    const report = JSON.parse(await readFile(path.join(directory, "figures.json"), "utf8")) as Report;
    for (const name of ["script", "peer"]) {
      const { handshake, schema, end } = report.comparison!.startUp.find((one) => one.name === name)!;
      expect(schema[0]).toBeGreaterThan(handshake[0]!);
      expect(end[0]).toBeGreaterThan(0);
      const { requests } = report.comparison!.lives.find((one) => one.name === name)!;
      // One token serves all rounds. A round has a list and two changes, and a plan has the list alone.
      expect(requests).toEqual({ create: 4, plan: 1, change: 3, destroy: 3 });
    }
    expect(ended.stdout).toMatch(/^plan of 2 policies, s( +[\d.]+){2,3} +- +[\d.]+ +(-|[\d.]+)$/m);
    expect(report.parallel!.map(({ operation, runs, failed }) => ({ operation, runs, failed }))).toEqual([
      { operation: "apply", runs: 2, failed: 0 },
      { operation: "plan", runs: 2, failed: 0 },
    ]);
    for (const { requests, throttled, needed, traffic, limit } of report.parallel!) {
      expect(requests - throttled).toBeGreaterThanOrEqual(needed);
      expect(traffic).toBeGreaterThan(limit * 0.95);
    }
    expect(ended.stdout).toMatch(/^apply +2 +\d+ +\(32\) /m);
    expect(report.expectations!.map(({ milliseconds }) => milliseconds.length)).toEqual([1, 1, 1, 1]);
    expect(report.expectations!.every(({ verdicts }) => verdicts.held > 0 && verdicts.broken > 0)).toBe(true);
    expect(report.embedded).toEqual({ members: 100_000, pages: expect.any(Number), reads: expect.any(Number) });
    expect(report.terraform.map(({ operation, stack, tier }) => `${operation} ${stack} ${tier}`)).toEqual([
      "plan 12 resources essentials",
      "apply 12 resources essentials",
      "plan 101 members essentials",
      "apply 101 members essentials",
    ]);
    for (const row of report.terraform) {
      for (const { requests, throttled } of row.runs) {
        // An apply may read each of the two lists before it creates an object.
        const looks = row.operation === "apply" ? 2 : 0;
        expect(requests - throttled).toBeGreaterThanOrEqual(row.needed);
        expect(requests - throttled).toBeLessThanOrEqual(row.needed + looks);
      }
      expect(row.traffic).toBeGreaterThan(row.limit * 0.95);
      expect(ended.stdout).toMatch(new RegExp(`^${row.operation} +${row.stack} +${row.tier} `, "m"));
    }
    // The loader of the sources has its own cache.
    const left = (await readdir(directory)).filter((name) => !name.startsWith("tsx-"));
    expect(left).toEqual(["figures.json", "peer"]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
