/** `npm run mutate`: what it alters, and what it says of a small project in which every alteration has another fate. */
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { mutantsOf, mutated } from "../../src/tools/mutate/mutants";
import { run } from "../support/program";

const altered = (source: string) => mutantsOf("a.ts", source).map((mutant) => mutated(source, mutant));

test.each([
  ["f(); g();", ["; g();", "f(); ;"]],
  ["const f = () => { return 1; };", ["const f = () => { ; };"]],
  ["if (a < 1) throw b;", ["if ((true as boolean)) throw b;", "if ((false as boolean)) throw b;", "if (a < 1) ;"]],
  ["const a = b ? c : d;", ["const a = (c);", "const a = (d);"]],
  ["const a = b ?? c;", ["const a = (b);", "const a = (c);"]],
  ["const a = b && !c;", ["const a = (b || !c);", "const a = b && (c);"]],
  ["const a = [...b.filter(c)];", ["const a = [...b];"]],
  ["const a = { ...b, c: true };", ["const a = { ...{}, c: true };", "const a = { ...b, c: false };"]],
  ["const a = 1 + b;", ["const a = (1 - b);"]],
])("%s", (source, expected) => expect(altered(source)).toEqual(expected));

test("types, imports and calls of a parent's constructor stay", () => {
  expect(
    altered(
      `import a from "a"; type B = true; interface C { d: false } class E extends F { constructor() { super(); } }`,
    ),
  ).toEqual([]);
});

const source = `
export function countdown(from: number): number {
  let steps = 0;
  while (from > 0) {
    steps += 1;
    from -= 1;
  }
  return steps;
}

export const both = (a: boolean, b: boolean) => {
  return a && b;
};

export const word = (a?: string): string => a ?? "";

export function log(line: string): string {
  console.log(line);
  return line;
}
`;
const tests = `
import { countdown, log, word } from "../src/countdown";
test("counts", () => expect(countdown(2)).toBe(2));
test("words", () => expect(word("a")).toBe("a"));
test("logs", () => expect(log("a")).toBe("a"));
`;

test("each alteration is tried in a copy, and those that nobody notices are shown", async () => {
  const project = await realpath(await mkdtemp(path.join(os.tmpdir(), "tenantform-test-")));
  try {
    const { jest } = JSON.parse(await readFile(path.join(__dirname, "../../package.json"), "utf8"));
    await mkdir(path.join(project, "src"));
    await mkdir(path.join(project, "test"));
    await mkdir(path.join(project, "tmp"));
    await writeFile(path.join(project, "package.json"), JSON.stringify({ jest }));
    await writeFile(
      path.join(project, "tsconfig.json"),
      '{ "compilerOptions": { "strict": true, "types": ["node"] } }',
    );
    await writeFile(path.join(project, "src/countdown.ts"), source);
    await writeFile(path.join(project, "test/countdown.test.ts"), tests);
    await symlink(path.join(__dirname, "../../node_modules"), path.join(project, "node_modules"), "junction");

    const program = path.join(__dirname, "../../src/tools/mutate/mutate.ts");
    const args = ["--import", require.resolve("tsx"), program, "src", "--tests", "test", "--json", "fates.json"];
    const env = { TMPDIR: path.join(project, "tmp"), TSX_DISABLE_CACHE: "1" };
    const ended = await run(process.execPath, args, { cwd: project, env });
    expect(ended).toMatchObject({ code: 0 });

    const fates = JSON.parse(await readFile(path.join(project, "fates.json"), "utf8"));
    const of = ({ original, text, fate }: { original: string; text: string; fate: string }) =>
      `${original} -> ${text}: ${fate}`;
    expect(fates.map(of)).toEqual([
      "from > 0 -> (from >= 0): killed",
      "steps += 1; -> ;: killed",
      "from -= 1; -> ;: timed out",
      "return steps; -> ;: killed",
      "return a && b; -> ;: unreached",
      "a && b -> (a || b): unreached",
      'a ?? "" -> (a): held by types',
      'a ?? "" -> (""): killed',
      "console.log(line); -> ;: survived",
      "return line; -> ;: killed",
    ]);
    expect(ended.stdout).toContain("src/countdown.ts:18 survived\n  - console.log(line);\n  + ;\n");
    expect(ended.stdout).toMatch(/^all +10 +5 +1 +1 +1 +2 +70 %$/m);
    expect(await readFile(path.join(project, "src/countdown.ts"), "utf8")).toBe(source);
    // The loader of the sources keeps a cache of its own.
    expect((await readdir(path.join(project, "tmp"))).filter((name) => !name.startsWith("tsx-"))).toEqual([]);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});
