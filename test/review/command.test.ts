/** Runs the command with valid and invalid arguments, and checks its output and exit code. */
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { formats } from "../../src/review/command";
import { run } from "../support/program";
import { acl, block, change, planText } from "./support/plan";

const cli = path.join(__dirname, "../../dist/cli.js");
let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-review-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const review = (...args: string[]) => run(process.execPath, [cli, "review", ...args], { cwd: folder });
const file = async (name: string, text: string) => writeFile(path.join(folder, name), text);
const blocking = planText([change("tenant_network_acl.all", null, acl(1, { action: block, match_all: true }))]);

test.each([
  ["no such file", "absent.json", undefined],
  ["an empty file", "empty.json", ""],
  ["no JSON", "words.txt", "No changes."],
  ["a truncated plan", "cut.json", blocking.slice(0, -20)],
  ["a state", "state.json", '{"version": 4, "serial": 1, "lineage": "x", "resources": []}'],
  ["a newer format", "newer.json", '{"format_version": "2.0", "planned_values": {}}'],
  ["another JSON", "other.json", "[1, 2]"],
])("reports %s in one line, with exit code 2", async (_, name, text) => {
  if (text !== undefined) await file(name, text);
  const { code, stdout, stderr } = await review(name);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(new RegExp(`^.*${name}.*\\n$`));
});

test("writes the failure over the review that was there, for the comment of --tag", async () => {
  await file("review.md", "<!-- tenantform:review tag=t at=2026-01-01T00:00:00.000Z -->\nAll is well.\n");
  const { code } = await review("absent*.json", "--tag", "t", "--output", "review.md", "--output", "review.html");
  expect(code).toBe(2);
  const text = await readFile(path.join(folder, "review.md"), "utf8");
  expect(text).toMatch(
    /^<!-- tenantform:review tag=t at=\S+ -->\n### This plan has no review\n\n\*\*absent\\\*\.json does not exist/,
  );
  await expect(readFile(path.join(folder, "review.html"))).rejects.toThrow("ENOENT");
});

test("escapes control characters of a file name", async () => {
  const { code, stderr } = await review("no\u001b[31m\u202esuch");
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^no\\u001b\[31m\\u202esuch does not exist/)]);
});

test("reports an unreadable file in one line", async () => {
  await mkdir(path.join(folder, "odd/plan"), { recursive: true });
  const { code, stderr } = await review("odd");
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^odd\/plan cannot be read \(EISDIR\)\. https:\S+\n$/)]);
});

test("refuses a file of half a gigabyte", async () => {
  const large = await open(path.join(folder, "large.json"), "w");
  await large.truncate(512 * 1024 * 1024);
  await large.close();
  const { code, stdout, stderr } = await review("large.json");
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^large\.json is larger than .*\n$/)]);
});

test.each([
  ["a format", ["--format", "pdf"]],
  ["a level", ["--fail-on", "grave"]],
  ["a effect", ["--ignore", "TNF-NOTHING=why"]],
  ["a reason", ["--ignore", "TNF-ACL-LOCKOUT"]],
])("exits with 2 for wrong usage: %s", async (_, flags) => {
  await file("plan.json", blocking);
  const { code, stdout, stderr } = await review("plan.json", ...flags);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^[^\n]+ https:\S+#tenantform-review\n$/);
});

test("exits with 3 for --fail-on, unless the effect is ignored with a reason, which the review shows", async () => {
  await file("plan.json", blocking);
  expect((await review("plan.json")).code).toBe(0);
  expect((await review("plan.json", "--fail-on", "high")).code).toBe(3);
  const { code, stdout } = await review(
    "plan.json",
    "--fail-on",
    "high",
    "--ignore",
    "TNF-ACL-LOCKOUT=meant so",
    "--ignore",
    "TNF-ACL-TIGHTENED=meant so",
    "--format",
    "json",
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout).effects).toContainEqual(
    expect.objectContaining({ code: "TNF-ACL-LOCKOUT", ignored: "meant so" }),
  );
});

test.each(formats.filter((format) => format !== "html"))("shows probes before and after in %s", async (format) => {
  await file("plan.json", blocking);
  await file("probes.json", JSON.stringify({ "our office": { ip: "203.0.113.7", path: "/authorize" } }));
  const { code, stdout } = await review("plan.json", "--format", format, "--probe", "probes.json");
  expect(code).toBe(0);
  expect(stdout).toContain("our office");
  expect(stdout).toMatch(/allowed[^]*blocked/);
});

test.each([
  ["another fact", '[{"name": "x", "ipp": "1.2.3.4"}]'],
  ["another type", '[{"name": "x", "asn": "one"}]'],
  ["no JSON", "x"],
  ["an address that is none", '[{"name": "x", "ip": "300.1.1.1"}]'],
  ["an address with a character that cannot be seen", '{"x": {"ip": "203.0.113.7\\u200d"}}'],
  ["a country's name", '{"x": {"country": "Germany"}}'],
  ["an AS number that is none", '{"x": {"asn": 4294967296}}'],
  ["a list of nothing", '{"x": {"managed": [1.5, {}]}}'],
])("refuses probes with %s in one line", async (_, text) => {
  await file("plan.json", blocking);
  await file("bad.json", text);
  const { code, stdout, stderr } = await review("plan.json", "--probe", "bad.json");
  expect([code, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 1]);
});

test("exits with 2 for half a gigabyte on standard input", async () => {
  const shell = `head -c 536870912 /dev/zero | "$0" --max-old-space-size=400 "$1" review`;
  const { code, stdout, stderr } = await run("sh", ["-c", shell, process.execPath, cli], { cwd: folder });
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^Standard input is larger than .*\n$/)]);
});

test("reads a pipe like a file, and names it like standard input", async () => {
  await file("piped.json", blocking);
  const shell = `"$0" "$1" review <(cat piped.json) --format markdown`;
  const { code, stdout, stderr } = await run("bash", ["-c", shell, process.execPath, cli], { cwd: folder });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`tag=${path.basename(folder)} `);
  expect(stdout).toContain("TNF-ACL-LOCKOUT");
});

describe("a saved plan", () => {
  const version = '[ "$1" = version ] && exec echo Terraform v1.11.4';
  const zip = "PK\u0003\u0004 and so on";
  /** Replaces Terraform, which would not show such a plan. */
  const shownBy = async (script: string, args: readonly string[] = ["saved"]) => {
    await file("saved", zip);
    await writeFile(path.join(folder, "shower"), `#!/bin/sh\n${version}\n${script}\n`, { mode: 0o755 });
    const env = { TENANTFORM_TERRAFORM: path.join(folder, "shower") };
    return run(process.execPath, [cli, "review", ...args], { cwd: folder, env });
  };

  test("is shown by the program in TENANTFORM_TERRAFORM", async () => {
    await file("shown.json", blocking);
    const { code, stdout } = await shownBy('[ "$*" = "show -json -no-color saved" ] && cat shown.json');
    expect(code).toBe(0);
    expect(stdout).toContain("TNF-ACL-LOCKOUT");
  });

  test.each([
    ["half a gigabyte", "exec head -c 536870912 /dev/zero", /^saved is larger than 128 MB: .*\n$/],
    [
      "an error",
      "echo 'Error: no such provider. See there.' >&2; exit 1",
      /says: Error: no such provider\. Give .*\n$/,
    ],
  ])("exits with 2 and one line if Terraform shows %s", async (_, script, said) => {
    const { code, stdout, stderr } = await shownBy(script);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(said)]);
  });

  test("must be a file if it comes through a pipe", async () => {
    await file("saved", zip);
    for (const shell of [`"$0" "$1" review <(cat saved)`, `cat saved | "$0" "$1" review`]) {
      const { code, stdout, stderr } = await run("bash", ["-c", shell, process.execPath, cli], { cwd: folder });
      expect([code, stdout, stderr]).toEqual([
        2,
        "",
        expect.stringMatching(/ is a saved plan\. .*the name of the file\. https:\S+\n$/),
      ]);
    }
  });
});

test("reviews several plans apart and together", async () => {
  await file("one.json", blocking);
  await file("two.json", planText([]));
  const { stdout } = await review("one.json", "two.json", "--format", "json");
  const { format_version, plans } = JSON.parse(stdout) as { format_version: string; plans: { name: string }[] };
  expect([format_version, plans.map(({ name }) => name)]).toEqual(["1.0", ["one", "two"]]);
});

test("proves that a plan means what was approved, or shows only the difference", async () => {
  await file("plan.json", blocking);
  await file("later.json", planText([]));
  await review("plan.json", "--output", "review.json");
  const [proven, other] = await Promise.all(
    ["plan.json", "later.json"].map((plan) => review(plan, "--approved", "review.json", "--format", "text")),
  );
  expect([proven!.code, proven!.stdout]).toEqual([0, expect.stringMatching(/^✔ The plan means what was approved/)]);
  expect([other!.code, other!.stdout]).toEqual([4, expect.stringMatching(/^✖ later does not mean what was approved/)]);
});

test("writes a page that loads nothing, contains its script, and has only links to the effects of the documentation", async () => {
  const nasty = acl(
    1,
    { action: block, match: { asns: [1] } },
    { description: "</script><img src=x onerror=alert(1)>\u061c\u200b\u200f" },
  );
  await file("nasty.json", planText([change("tenant_network_acl.x", null, nasty)]));
  const { code, stdout } = await review("nasty.json", "--format", "html");
  expect(code).toBe(0);
  const links =
    /<a rel="noreferrer" href="https:\/\/github\.com\/tenantform\/tenantform\/blob\/v[\d.]+\/docs\/guides\/findings\.md#[a-z-]+">/g;
  expect(stdout.replace(links, "")).not.toMatch(/https?:|<img|src=[^x]/);
  expect(stdout.replace(/<script[^]*?<\/script>/g, "")).not.toMatch(/[\u061c\u200b\u200f]/);
  expect(stdout.match(/<\/script>/g)).toHaveLength(1);
});

test("writes several files at once, each in the format of its extension", async () => {
  await file("plan.json", blocking);
  const names = ["all.md", "all.html", "all.sarif", "all.json", "all.txt"];
  const outputs = names.flatMap((name) => ["--output", name]);
  const { code, stdout, stderr } = await review("plan.json", ...outputs, "--fail-on", "high");
  expect([code, stdout, stderr]).toEqual([3, "", ""]);
  const [markdown, html, sarif, json, text] = await Promise.all(
    names.map((name) => readFile(path.join(folder, name), "utf8")),
  );
  expect(markdown).toMatch(/^<!-- tenantform:review /);
  expect(html).toMatch(/^<!doctype html>/i);
  expect(JSON.parse(sarif!).version).toBe("2.1.0");
  expect(JSON.parse(json!).verdict.level).toBe("critical");
  expect(text).toMatch(/^Review of /);
});

test("--format counts before the extension", async () => {
  await file("plan.json", blocking);
  expect(await review("plan.json", "--format", "json", "--output", "all.md")).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(path.join(folder, "all.md"), "utf8"))).toHaveProperty("verdict");
});
