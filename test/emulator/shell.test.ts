/** Settings for shells and files, with any values. */
import fc from "../support/random";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { envLine, exportLine } from "../../src/emulator/shell";
import { succeed } from "../support/program";

const nasty = ["a b", "it's", '"', "\\", "\\'", "$(touch pwned)", "`x`", "a\nb", "!!", "~", "", "*", "é", "\t"];

test("writes values that bash reads back", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "tenantform-shell-"));
  const more = fc.sample(fc.string({ unit: "grapheme" }), { numRuns: 200, seed: 1 });
  const values = [...nasty, ...more.filter((text) => !text.includes("\0"))];
  const lines = values.map((value, at) => exportLine("posix", `V${at}`, value)).join("");
  const script = path.join(folder, "script.sh");
  await writeFile(script, `${lines}exec ${process.execPath} -p 'JSON.stringify(process.env)'`);
  const env = JSON.parse(await succeed("bash", [script], { cwd: folder })) as Record<string, string>;
  expect(values.map((_, at) => env[`V${at}`])).toEqual(values);
  await rm(folder, { recursive: true });
});

test("writes the syntax of fish and PowerShell", () => {
  expect(exportLine("fish", "A", "it's $HOME\\")).toBe("set -gx A 'it'\\''s $HOME'\\\\\n");
  expect(exportLine("powershell", "A", "it’s $env:B 'x'")).toBe("$env:A = 'it’’s $env:B ''x'''\n");
});

test("writes a settings file that node reads back", () => {
  for (const value of nasty.filter((one) => one !== "a\nb")) {
    expect(parseEnv(envLine("A", value))).toEqual({ A: value });
  }
  expect(() => envLine("A", "'\"`")).toThrow(/contains every kind of quote/);
});
