/** Counts the files that a reader must enter to follow one changed country. Lower a number when it falls. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { succeed } from "../support/program";

const root = path.join(__dirname, "../..");

interface Report {
  readonly result: readonly { readonly url: string; readonly functions: readonly Covered[] }[];
}
interface Covered {
  readonly functionName: string;
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
}

/** File of src -> the functions that ran. The emulator and generated code do not count. */
async function entered(journey: string): Promise<Map<string, Set<string>>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "journey-"));
  try {
    const walk = [
      path.join(root, "node_modules/tsx/dist/cli.mjs"),
      path.join(__dirname, "support/journey.ts"),
      journey,
    ];
    await succeed(process.execPath, walk, { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: folder } });
    const found = new Map<string, Set<string>>();
    for (const file of await readdir(folder)) {
      const { result } = JSON.parse(await readFile(path.join(folder, file), "utf8")) as Report;
      for (const { url, functions } of result) {
        const [, name] = /\/src\/((?!emulator|plugin\/protocol)[^?]*\.ts)/.exec(url) ?? [];
        if (name === undefined || url.includes("node_modules")) continue;
        const ran = functions.filter(({ ranges: [first] }) => first!.count > 0 && first!.startOffset > 0);
        const own = found.get(name) ?? new Set<string>();
        for (const one of ran) own.add(`${one.functionName} ${one.ranges[0]!.startOffset}`);
        found.set(name, own);
      }
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.each([
  ["change", "start", 150],
  ["review", "load review", 100],
])("a %s enters few files beyond those of %s", async (journey, before, most) => {
  const [all, known] = await Promise.all([entered(journey), entered(before)]);
  const files = [...all].filter(([file, functions]) => [...functions].some((one) => !known.get(file)?.has(one)));
  expect(files.length).toBeGreaterThan(30);
  expect(files.length).toBeLessThanOrEqual(most);
});
